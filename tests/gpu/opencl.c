/* SPDX-License-Identifier: MIT */
#define CL_TARGET_OPENCL_VERSION 120
#include "device.h"

#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem words_buffer, out_buffer, coords_buffer;

static void check(cl_int error, const char *call) {
  if (error == CL_SUCCESS)
    return;
  printf("%s: error %d\n", call, error);
  exit(1);
}
#define CHECK(call) check(call, #call)

const char *opencl_open(const char *folder, const char *name) {
  (void)name;
  cl_platform_id platform;
  cl_device_id device;
  cl_int error;
  if (clGetPlatformIDs(1, &platform, NULL) != CL_SUCCESS ||
      clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) != CL_SUCCESS)
    return "OpenCL has no device";
  char device_name[256], options[512], log[4096] = "";
  CHECK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof device_name, device_name, NULL));
  printf("OpenCL: %s\n", device_name);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  check(error, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &error);
  check(error, "clCreateCommandQueue");
  static const char source[] = "#include \"fill.cl\"\n";
  const char *text = source;
  program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  check(error, "clCreateProgramWithSource");
  snprintf(options, sizeof options, "-I %s", folder);
  if (clBuildProgram(program, 1, &device, options, NULL, NULL) != CL_SUCCESS) {
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("%s\n", log);
    exit(1);
  }
  words_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, 4 * (size_t)MAX_WORDS, NULL, &error);
  check(error, "clCreateBuffer");
  out_buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * (size_t)MAX_SAMPLES, NULL, &error);
  check(error, "clCreateBuffer");
  coords_buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, 12 * (size_t)MAX_SAMPLES, NULL, &error);
  check(error, "clCreateBuffer");
  return NULL;
}

void opencl_run(const char *shader, const uint32_t *words, size_t count, const float *coords,
                void *out, size_t bytes) {
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, shader, &error);
  check(error, "clCreateKernel");
  const size_t group[3] = {64, 1, 1}; /* pocl compiles again for each size of groups */
  const size_t size[3] = {coords ? bytes / 4 : (words[2] + 63) / 64 * 64,
                          coords ? 1 : (words[3] + 7) / 8, words[4] ? words[4] : 1};
  memset(out, 0, bytes);
  CHECK(clEnqueueWriteBuffer(queue, words_buffer, 1, 0, 4 * count, words, 0, NULL, NULL));
  CHECK(clEnqueueWriteBuffer(queue, out_buffer, 1, 0, bytes, out, 0, NULL, NULL));
  CHECK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &words_buffer));
  CHECK(clSetKernelArg(kernel, 1, sizeof(cl_mem), &out_buffer));
  if (coords) {
    CHECK(
        clEnqueueWriteBuffer(queue, coords_buffer, 1, 0, words[1] * bytes, coords, 0, NULL, NULL));
    CHECK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &coords_buffer));
  }
  CHECK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, size, group, 0, NULL, NULL));
  CHECK(clEnqueueReadBuffer(queue, out_buffer, 1, 0, bytes, out, 0, NULL, NULL));
  CHECK(clReleaseKernel(kernel));
}
