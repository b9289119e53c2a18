/* SPDX-License-Identifier: MIT */
#define LANES_ID avx512
#include "../lane_kernels.h"
