/* SPDX-License-Identifier: MIT */
#define LANES_ID sse
#include "../lane_kernels.h"
