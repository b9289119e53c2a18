/* SPDX-License-Identifier: MIT
 *
 * Filling a 1D grid: there are no rows to share work between, so each sample is the edge between
 * its two lattice points, a block at a time.
 */

enum { LINE_BLOCK = 256 };

static void fill_line(const perlane_noise *noise, const perlane_grid *grid, float *out) {
  _Alignas(64) float memory[AXIS_FLOATS(LINE_BLOCK)], sum[LINE_BLOCK];
  const struct axis_arrays columns = axis_arrays_in(memory, LINE_BLOCK, 0);
  const struct gradient_tables tables = gradient_tables(1);
  for (size_t start = 0; start < grid->count[0]; start += LINE_BLOCK) {
    const size_t left = grid->count[0] - start, n = left < LINE_BLOCK ? left : LINE_BLOCK;
    for (int k = 0; k < noise->params.octaves; k++) {
      const struct perlane_octave *octave = &noise->octave[k];
      const vi y = word_of_the_line(octave);
      axis_pass_grid(&columns, grid, 0, start, n, octave);
      for (size_t i = 0; i < n; i += LANES) {
        const struct axis_lanes x = axis_load(&columns, i);
        const vf v = row_edge(1, &tables, &x, y, y).value;
        f_store(sum + i, k == 0 ? v : f_add(f_load(sum + i), v));
      }
    }
    float *to = out + (ptrdiff_t)start * grid->stride[0];
    if (grid->stride[0] == 1)
      memcpy(to, sum, n * sizeof(float));
    else
      for (size_t i = 0; i < n; i++)
        to[(ptrdiff_t)i * grid->stride[0]] = sum[i];
  }
}
