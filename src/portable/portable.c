/* SPDX-License-Identifier: MIT */
#define LANES_ID portable
#include "../lane_kernels.h"
