/* SPDX-License-Identifier: MIT */
#define LANES_ID avx2
#include "../lane_kernels.h"
