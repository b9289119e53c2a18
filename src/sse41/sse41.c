/* SPDX-License-Identifier: MIT */
#define LANES_ID sse41
#include "../lane_kernels.h"
