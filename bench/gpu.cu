// SPDX-License-Identifier: MIT
//
// perlane_gpu: samples per second of CUDA's shaders on the first device of NVIDIA, beside
// perlane_fill and perlane_points on this CPU, whose bits all samples must have. The words and the
// points are on the device already, and the samples stay there. Built where there is nvcc, by
// `cmake --build build/gcc --target perlane_gpu`.
#include <perlane_gpu.h>
#include <perlane_omp.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "../src/shaders/fill.cu"

struct job {
  const char *name;
  int dims; // of grids of 4096 x 4096 or 256 x 256 x 256 samples, or of as many points
  bool is_points;
  const char *options;
};
static const job JOBS[] = {
    {"2D grid, 1 octave", 2, false, "frequency=0.01"},
    {"2D grid, 8 octaves", 2, false, "frequency=0.005 octaves=8"},
    {"2D grid, 8 octaves, ridged", 2, false, "frequency=0.005 octaves=8 fractal=ridged"},
    {"2D grid, simplex", 2, false, "frequency=0.01 basis=simplex"},
    {"2D grid, cells", 2, false, "frequency=0.01 basis=cellular"},
    {"2D grid, warp", 2, false, "frequency=0.01 warp_amplitude=30"},
    {"3D grid, 1 octave", 3, false, "frequency=0.01"},
    {"3D grid, 5 octaves", 3, false, "frequency=0.01 octaves=5"},
    {"3D grid, simplex", 3, false, "frequency=0.01 basis=simplex"},
    {"2D points, 1 octave", 2, true, "frequency=0.01"},
    {"2D points, 8 octaves", 2, true, "frequency=0.01 octaves=8"},
    {"2D points, simplex", 2, true, "frequency=0.01 basis=simplex"},
    {"2D points, cells", 2, true, "frequency=0.01 basis=cellular"},
    {"3D points, 1 octave", 3, true, "frequency=0.01"},
    {"3D points, simplex", 3, true, "frequency=0.01 basis=simplex"},
};
enum { SAMPLES = 1 << 24, REPEATS = 21 };

static void check(bool passed, const char *what) {
  if (passed)
    return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}
#define CUDA(call) check((call) == cudaSuccess, #call)
#define PERLANE(call) check((call) == PERLANE_OK, #call)

static double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + seconds.size() / 2, seconds.end());
  return seconds[seconds.size() / 2];
}

template <class F>
static double cpu_seconds(F work) {
  std::vector<double> seconds;
  work();
  for (int i = 0; i < 5; i++) {
    const double start = omp_get_wtime();
    work();
    seconds.push_back(omp_get_wtime() - start);
  }
  return median(seconds);
}

template <class F>
static double gpu_seconds(F launch) {
  cudaEvent_t start, end;
  std::vector<double> seconds;
  CUDA(cudaEventCreate(&start));
  CUDA(cudaEventCreate(&end));
  launch();
  for (int i = 0; i < REPEATS; i++) {
    float milliseconds;
    CUDA(cudaEventRecord(start));
    launch();
    CUDA(cudaEventRecord(end));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&milliseconds, start, end));
    seconds.push_back(1e-3 * milliseconds);
  }
  CUDA(cudaGetLastError());
  CUDA(cudaEventDestroy(start));
  CUDA(cudaEventDestroy(end));
  return median(seconds);
}

int main() {
  cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) {
    std::printf("not run: CUDA has no device\n");
    return 0;
  }
  std::vector<float> coords(3 * size_t{SAMPLES}), expected(SAMPLES), computed(SAMPLES);
  std::mt19937 random(1);
  for (float &x : coords)
    x = 4096 * (static_cast<float>(random() >> 8) / (1 << 24));
  unsigned *words_memory;
  float *out, *coords_memory;
  CUDA(cudaMalloc(&out, sizeof(float) * SAMPLES));
  CUDA(cudaMalloc(&coords_memory, sizeof(float) * coords.size()));
  CUDA(cudaMemcpy(coords_memory, coords.data(), sizeof(float) * coords.size(),
                  cudaMemcpyHostToDevice));
  const double clear = gpu_seconds([&] { CUDA(cudaMemset(out, 1, sizeof(float) * SAMPLES)); });
  std::printf("%s; memory is set at %.0f GB/s. CPU: %s, 1 thread and %d.\n\n"
              "| M samples/s | GPU | CPU, 1 thread | CPU, all | words, KB | ms to make |\n"
              "|---|---:|---:|---:|---:|---:|\n",
              properties.name, 4e-9 * SAMPLES / clear, perlane_isa_name(perlane_isa_current()),
              omp_get_max_threads());
  for (const job &job : JOBS) {
    perlane_noise noise;
    PERLANE(perlane_init_text(&noise, job.options));
    perlane_grid grid =
        job.dims == 2 ? perlane_grid_make(4096, 4096, 0, 0) : perlane_grid_make(256, 256, 256, 0);
    std::vector<char> work(PERLANE_WORK_BYTES);
    grid.work = work.data();
    grid.work_bytes = work.size();
    const size_t count = job.is_points ? PERLANE_GPU_POINT_WORDS : perlane_gpu_words(&noise, &grid);
    std::vector<uint32_t> words(count);
    const double made = cpu_seconds([&] {
      PERLANE(job.is_points ? perlane_gpu_points(&noise, job.dims, NULL, words.data(), count)
                            : perlane_gpu_tables(&noise, &grid, words.data(), count));
    });
    CUDA(cudaMalloc(&words_memory, 4 * count));
    CUDA(cudaMemcpy(words_memory, words.data(), 4 * count, cudaMemcpyHostToDevice));
    const dim3 blocks((words[2] + 127) / 128, (words[3] + 7) / 8, words[4] ? words[4] : 1);
    const double gpu = gpu_seconds([&] {
      if (job.is_points)
        points<<<SAMPLES / 128, 128>>>(words_memory, out, coords_memory, SAMPLES);
      else
        fill<<<blocks, 128>>>(words_memory, out);
    });
    const auto evaluate = [&](float *to, size_t first, size_t n) {
      perlane_list list = {};
      list.dims = job.dims;
      list.count = n;
      for (int a = 0; a < job.dims; a++)
        list.coords[a] = coords.data() + size_t{SAMPLES} * a + first;
      PERLANE(perlane_points(&noise, &list, to + first, NULL));
    };
    const double one = cpu_seconds([&] {
      if (job.is_points)
        evaluate(expected.data(), 0, SAMPLES);
      else
        PERLANE(perlane_fill(&noise, &grid, expected.data()));
    });
    const double all = cpu_seconds([&] {
      if (job.is_points) {
#pragma omp parallel for
        for (int part = 0; part < 1024; part++)
          evaluate(computed.data(), size_t{SAMPLES / 1024} * part, SAMPLES / 1024);
      } else {
        PERLANE(perlane_fill_parallel(&noise, &grid, computed.data(), 0));
      }
    });
    check(std::memcmp(expected.data(), computed.data(), sizeof(float) * SAMPLES) == 0,
          "threads agree");
    CUDA(cudaMemcpy(computed.data(), out, sizeof(float) * SAMPLES, cudaMemcpyDeviceToHost));
    CUDA(cudaFree(words_memory));
    std::printf("| %s | %.0f | %.0f | %.0f | %.0f | %.2f |\n", job.name, 1e-6 * SAMPLES / gpu,
                1e-6 * SAMPLES / one, 1e-6 * SAMPLES / all, 4e-3 * count, 1e3 * made);
    std::fflush(stdout);
    check(std::memcmp(expected.data(), computed.data(), sizeof(float) * SAMPLES) == 0,
          "the device agrees");
  }
}
