/* SPDX-License-Identifier: MIT */
#include "mask.h"

#include <math.h>

/* Returns the angle of a slope in degrees. Three times half the angle has a tangent below 0.2,
 * whose series is short; atan is not the same on every machine. */
static double degrees(double slope) {
  const double steepest = 1e9;
  double tangent = slope < steepest ? slope : steepest, series = 0;
  for (int i = 0; i < 3; i++)
    tangent /= 1 + sqrt(1 + tangent * tangent);
  for (int k = 19; k > 0; k -= 2)
    series = 1.0 / k - series * tangent * tangent;
  return tangent * series * (8 * 180 / 3.14159265358979323846);
}

static double slope_at(const perlane_mask *mask, const float *height, ptrdiff_t row) {
  const double x = ((double)height[1] - height[-1]) / (2 * mask->spacing[0]);
  const double y = ((double)height[row] - height[-row]) / (2 * mask->spacing[1]);
  return degrees(sqrt(x * x + y * y));
}

void perlane_mask_draw(const perlane_mask *mask, size_t width, size_t rows, const float *heights,
                       void *levels) {
  const double to_whole = 4503599627370496; /* 2^52: sums are rounded to whole numbers */
  const size_t row = width + 2;
  for (size_t y = 0; y < rows; y++)
    for (size_t x = 0; x < width; x++) {
      const float *height = heights + (y + 1) * row + x + 1;
      const double v = mask->is_slope ? slope_at(mask, height, (ptrdiff_t)row) : (double)*height;
      const double part = (v - mask->low) / (mask->high - mask->low);
      const double t = part < 0 ? 0 : part > 1 ? 1 : part, share = t * t * (3 - 2 * t);
      const double level = share * (mask->bits == 8 ? 255 : 65535) + to_whole - to_whole;
      if (mask->bits == 8)
        ((uint8_t *)levels)[y * width + x] = (uint8_t)level;
      else
        ((uint16_t *)levels)[y * width + x] = (uint16_t)level;
    }
}
