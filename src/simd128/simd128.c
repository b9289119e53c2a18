/* SPDX-License-Identifier: MIT */
#define LANES_ID simd128
#include "../lane_kernels.h"
