/* SPDX-License-Identifier: MIT
 *
 * Ways to run the shaders of shaders/: a device and a language each.
 */
#ifndef PERLANE_TESTS_GPU_DEVICE_H
#define PERLANE_TESTS_GPU_DEVICE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MAX_WORDS = 1 << 20, MAX_SAMPLES = 1 << 18 };

/* Runs the shader "fill" or "selftest" over the grid of these words, or "points" with the
 * coordinates of as many points as `out` has room for. `out` receives samples, or one word of
 * digest. */
typedef void run_shader(const char *shader, const uint32_t *words, size_t count,
                        const float *coords, void *out, size_t bytes);

/* The texts for CUDA and Metal as C++ on this CPU, CUDA's where subnormal numbers are 0, too. */
run_shader cuda_run, cuda_samples_run, cuda_flushed_run, metal_run;

/* Return NULL, or why there is no device. Programs are in `folder`: OpenCL's as text, Vulkan's as
 * NAME_fill.spv and so on. */
const char *opencl_open(const char *folder, const char *name);
const char *vulkan_open(const char *folder, const char *name);
const char *nvidia_open(const char *folder, const char *name);
run_shader opencl_run, vulkan_run, nvidia_run;

#ifdef __cplusplus
}
#endif

#endif
