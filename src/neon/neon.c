/* SPDX-License-Identifier: MIT */
#define LANES_ID neon
#include "../lane_kernels.h"
