# SPDX-License-Identifier: MIT
"""Small faults, as a slip of the hand makes them, which the tests must find.

Each has a name, a description, the test to run first, and edits: file, text, replacement. The text
must be in the file exactly once.
"""

X86 = "x86"  # faults of code that other machines do not compile
SSE41 = "sse41"  # faults of code for vectors of four, or of SSE4.1 alone

FAULTS = [
    # ---- The lattice: hash, gradients, periods ----
    ("hash-shift", "the lanes' hash leaves a word out", "golden", [
        ("src/noise/lattice/hash.h", "return i_xor(i_dot16(v, i_set(0x2C1B3C6D)), v);",
         "return i_dot16(v, i_set(0x2C1B3C6D));")]),
    ("hash-everywhere", "the reference and the lanes agree on another hash", "golden", [
        ("src/noise/lattice/hash.h", "i_set(0x2C1B3C6D)", "i_set(0x2C1B3C6B)"),
        ("src/scalar/scalar.c", "dot(v, 0x2C1B3C6Du)", "dot(v, 0x2C1B3C6Bu)")]),
    ("hash-1d", "the lanes' 1D index leaves out that the word is mixed with itself", "golden", [
        ("src/noise/lattice/lattice.h", "i_dot16(i_xor(at.x, i_shift_right(at.x, 15)), i_set(0x2C1B3C6D))",
         "i_dot16(at.x, i_set(0x2C1B3C6D))")]),
    ("hash-1d-alone", "the reference shifts the word of 1D by another number of bits", "golden", [
        ("src/scalar/scalar.c", "word[0] ^ word[0] >> 15", "word[0] ^ word[0] >> 16")]),
    ("hash-1d-everywhere", "the reference and the lanes agree on another hash in 1D", "golden", [
        ("src/noise/lattice/lattice.h", "i_shift_right(at.x, 15)", "i_shift_right(at.x, 16)"),
        ("src/scalar/scalar.c", "word[0] ^ word[0] >> 15", "word[0] ^ word[0] >> 16")]),
    ("points-next-plane", "tiles of several planes of points are all in the first plane", "parity", [
        ("src/noise/points/producer.h", "a == 2 ? space->z + z :", "a == 2 ? space->z :")]),
    ("points-last-vector", "rows copied as they are stored leave out lanes of the last vector", "joints", [
        ("src/noise/points/producer.h",
         "for (size_t i = done; i < done + run && is_whole; i += LANES)",
         "for (size_t i = done; i + LANES <= done + run && is_whole; i += LANES)")]),
    ("land-halves", "land whose tile is too large for a network has that of its first half twice", "joints", [
        ("src/noise/valleys/producer.h", "land_half(samples, i);\n    cover_samples",
         "land_half(samples, i && samples->columns > 4);\n    cover_samples")]),
    ("cells-line", "lines of cells have no positions of columns", "cells", [
        ("src/noise/points/producer.h", "!is_warped(fill->space.field) && !fill->cells;",
         "!is_warped(fill->space.field);")]),
    ("gradient-swapped", "two of the lanes' 3D gradients change places", "golden", [
        ("src/noise/lattice/gradients.h", "edges12_x[16] = {P, N, P, N, P, N, P, N, O,",
         "edges12_x[16] = {P, N, P, N, P, N, N, P, O,")]),
    ("gradient-swapped-4d", "two of the 4D gradients change places", "golden", [
        ("src/noise/lattice/gradients.h", "edges32_z[16] = {P, P, O, P, P, P, O, P,",
         "edges32_z[16] = {P, P, P, O, P, P, O, P,")]),
    ("period-next", "the cell after a period's last one is not its first", "periods", [
        ("src/noise/lattice/split.h", "return i_select(i_equal(next, period->word), i_set(0), next);",
         "return next;")]),
    ("octaves-share", "octaves share a lattice whatever octaves_share is", "golden", [
        ("src/field.c", "    if (params->octaves_share)\n      stream = start;", "    stream = start;")]),
    ("keys-low-bits", "keys are the lower bits of their numbers", "golden", [
        ("src/field.c", "octave->key[a] = (uint32_t)(word >> 32);", "octave->key[a] = (uint32_t)word;")]),
    ("keys-of-seeds", "keys come from the stream that the seed itself starts", "golden", [
        ("src/field.c", "const uint64_t start = perlane_splitmix64(&state);",
         "const uint64_t start = state;")]),
    ("key-axis", "the lanes take the key of the axis before", "parity", [
        ("src/noise/lattice/split.h", "axis->key = i_set(octave->key[axis->number]);",
         "axis->key = i_set(octave->key[axis->number > 0 ? axis->number - 1 : 0]);")]),
    ("shifts-shared", "tables are shifted by the key though octaves share a lattice", "systems", [
        ("src/field.c", "(params->octaves_share ? 0 : octave->key[a])", "octave->key[a]")]),
    ("hash-high", "the cell after 2^31 has the upper half of the one before", "joints", [
        ("src/noise/lattice/split.h", ": o > 0 ? i_add(cell.high, beyond)", ": o > 0 ? cell.high")]),
    ("index-bit", "sets of 256 take their index from bit 13", "parity", [
        ("src/noise/lattice/lattice.h", "lattice->index_shift = by_hundreds ? 12 : 13;",
         "lattice->index_shift = 13;")]),
    ("runs-merged", "cells with equal lower words are taken for one", "parity", [
        ("src/noise/lattice/spread.h",
         "if (i == 0 || columns->word[i] != columns->word[i - 1] ||\n"
         "        columns->next[i] != columns->next[i - 1])",
         "if (i == 0 || columns->word[i] != columns->word[i - 1])")]),
    # ---- Octaves ----
    ("octaves-all", "a fill of the first octaves ends with all of them", "parity", [
        ("src/noise/field.h", "octaves < noise->octaves && !is_land ? octaves : noise->octaves,",
         "noise->octaves,")]),
    ("octaves-range", "the range of the first octaves is that of all", "range", [
        ("src/range.c", "sum = k == 0 ? partial", "sum = k >= 0 ? partial")]),
    ("octaves-bare", "a weighted first octave alone has no strength", "parity", [
        ("src/noise/driver/driver.h",
         "field->shaped && space->sink.finish.shape == PERLANE_FRACTAL_FBM;",
         "field->shaped && field->params->fractal != PERLANE_FRACTAL_FBM &&\n"
         "                  space->sink.finish.shape == PERLANE_FRACTAL_FBM;")]),
    # ---- Places ----
    ("near-limit", "the near path is taken twice as far as it is exact", "joints", [
        ("src/thresholds.h", "#define NEAR_CELLS (0x1p27 - 1)", "#define NEAR_CELLS 0x1p27")]),
    ("near-one-end", "whether a grid is near is decided by its first sample alone", "joints", [
        ("src/noise/lattice/split.h", "return is_sample_near(grid, axis, first, frequency) &&\n         is_sample_near(grid, axis, last, frequency);",
         "(void)last;\n  return is_sample_near(grid, axis, first, frequency);")]),
    ("near-units", "whether a sample is near is decided in units of position, not in cells", "joints", [
        ("src/noise/lattice/split.h", "is_near((grid->origin[axis] + offset) * frequency)",
         "is_near(grid->origin[axis] * frequency + offset)")]),
    ("phase-missing", "axes have no phase in the lanes", "parity", [
        ("src/noise/lattice/split.h", "return ROUNDING_TERM + octave->phase[number] * 0x1p-24;",
         "(void)octave, (void)number;\n  return ROUNDING_TERM;")]),
    ("phase-missing-far", "far positions have no phase in the lanes", "joints", [
        ("src/noise/lattice/split.h", "rounded = without_units(d_add(d_sub(cells, aside), start));",
         "rounded = units(d_sub(cells, aside));\n  (void)start;")]),
    ("phase-axis", "the lanes take the phase of x along all axes", "parity", [
        ("src/noise/lattice/split.h", "octave->phase[number] * 0x1p-24", "octave->phase[0] * 0x1p-24")]),
    ("phase-twice", "the phase is added once more, before the rounding", "parity", [
        ("src/noise/lattice/split.h", "return d_add(d_mul(position, axis->frequency), axis->start);",
         "return d_add(d_add(d_mul(position, axis->frequency), d_sub(axis->start, d_set(ROUNDING_TERM))), axis->start);")]),
    ("phase-nowhere", "no field has phases", "golden", [
        ("src/field.c",
         "phased ? (uint32_t)word & 0xFFFFFF : 0;", "0;\n    (void)phased;")]),
    ("phase-always", "fields without phases have some", "systems", [
        ("src/field.c",
         "phased ? (uint32_t)word & 0xFFFFFF : 0;",
         "(uint32_t)word & 0xFFFFFF;\n    (void)phased;")]),
    ("phase-tie", "the reference rounds ties before it adds the phase", "parity", [
        ("src/scalar/scalar.c", "if ((error == 0.5 || error == -0.5) && t % 2 != 0)",
         "if (0)")]),
    ("index-in-double", "sample indices beyond 2^53 are rounded twice", "joints", [
        ("src/noise/lattice/axis.h", "const int64_t rest = first & 0xFFFFF;",
         "const int64_t rest = 0;")]),
    # ---- Rows that are kept ----
    ("row-not-held", "a row of edges counts as kept though it was dropped", "parity", [
        ("src/noise/grid/lattice_rows.h",
         "while (j < 2 && !(slot->valid[j] && slot->word[j] == words[corner]))",
         "while (j < 2 && slot->word[j] != words[corner])")]),
    ("row-swapped", "the row evaluated last is taken for the lower one", "parity", [
        ("src/noise/grid/lattice_rows.h", "above ? ABOVE_LAST : BELOW_LAST);", "ABOVE_LAST);")]),
    ("slot-of-another-row", "a slot keeps its edges at another word along y", "parity", [
        ("src/noise/grid/lattice_rows.h", "if (slot->y_word != y_word || n >= octave->slots)",
         "if (n >= octave->slots)")]),
    ("slot-shared", "the slot that octaves share keeps edges", "golden", [
        ("src/noise/grid/lattice_rows.h", "if (slot->y_word != y_word || n >= octave->slots)",
         "if (slot->y_word != y_word)")]),
    ("volume-kept", "edges are kept from one w to the next", "parity", [
        ("src/noise/grid/lattice_rows.h",
         "    fill->strip.slot[s].valid[0] = fill->strip.slot[s].valid[1] = 0;\n    fill->strip.slot[s].y_word = 0;",
         "    (void)s;")]),
    ("small-planes-kept", "small grids keep the edges of a plane in another layer of cells", "parity", [
        ("src/noise/grid/small.h", "if (plane == 0 || held[slot] != words[corner])",
         "if (plane == 0)")]),
    ("small-row-found", "small grids take a lattice row for the one before", "parity", [
        ("src/noise/grid/small.h", "return (uint16_t)(i - 1);", "return (uint16_t)(n - 1);")]),
    ("small-tail", "the last columns of small grids begin after the row", "parity", [
        ("src/noise/grid/small.h", "start + LANES < last ? start + LANES : last;", "start + LANES;")]),
    ("small-far", "small grids far from the origin take the way of near ones", "dispatch", [
        ("src/noise/grid/small.h", "farthest <= 0x1p52 && is_near(reach * frequency);",
         "farthest <= 0x1p52;")]),
    # ---- Emission and delivery ----
    ("fused", "the compiler may fuse a multiplication and an addition in AVX2's kernels", "parity", [
        ("src/strict.h", '#pragma GCC optimize("fp-contract=off")',
         '#pragma GCC optimize("O2", "fp-contract=fast")'),
        ("src/avx2/lanes.h", 'PERLANE_TARGET_BEGIN("avx2")', 'PERLANE_TARGET_BEGIN("avx2,fma")')],
     X86),
    ("tail-short", "the last sample of a row's tail is not written", "parity", [
        ("src/avx2/lanes.h", "_mm256_set1_epi32((int)n), lane", "_mm256_set1_epi32((int)n - 1), lane")],
     X86),
    ("tail-long", "a row's tail is a sample too long", "parity", [
        ("src/sse/lanes.h", "memcpy(to, lane, n * sizeof(float));",
         "memcpy(to, lane, (n + 1) * sizeof(float));")], X86, SSE41),
    ("word-signed", "AVX2's i_max_unsigned compares signed words", "words_avx2", [
        ("src/x86/words.h", "MM(max_epu32)", "MM(max_epi32)")], X86),
    ("word-quarters", "AVX2's integers of 16 bits are stored in another order", "words_avx2", [
        ("src/avx2/lanes.h", "_mm256_packus_epi32(a, b), 0xD8", "_mm256_packus_epi32(a, b), 0xE4")], X86),
    ("tail-beside", "a row's last vector begins a sample late", "parity", [
        ("src/noise/grid/emission.h", "y, out, sum, local.columns - LANES);",
         "y, out, sum, local.columns - LANES + 1);")]),
    ("tile-apart", "a packed tile's rows keep their distance", "parity", [
        ("src/noise/driver/driver.h", "f_store(row + r * count, f_load(row + r * pitch));",
         "f_store(row + r * pitch, f_load(row + r * pitch));")]),
    ("white-planes", "all planes of white noise are the first one", "parity", [
        ("src/noise/grid/white.h", "octave->z[fill->space.z % LANES] + octave->w[0]", "octave->z[0] + octave->w[0]")]),
    ("white-tiny", "white noise of tiny amplitudes loses bits", "parity", [
        ("src/noise/grid/white.h", "if (is_tiny ||", "if (")]),
    ("white-zero", "zeros keep their sign where equal numbers are interpolated", "parity", [
        ("src/noise/grid/white.h", "f_add(f_mul(number, amplitude), zero)", "f_mul(number, amplitude)")]),
    ("stream-head", "lines of two sample rows are joined though the rows are apart", "parity", [
        ("src/noise/output/store.h", "line->start + (offset - line->begin) == out;",
         "line->start != NULL;")]),
    ("stream-tail", "what is before or after a streamed row's whole lines ends a byte early", "parity", [
        ("src/noise/output/store.h", "line->end = offset + (unsigned)n;",
         "line->end = offset + (unsigned)n - 1;")]),
    ("smallest", "the smallest value is the larger one in each lane", "parity", [
        ("src/noise/output/sink.h", "extremes->smallest = f_min(extremes->smallest, v);",
         "extremes->smallest = f_max(extremes->smallest, v);")]),
    ("largest-of-lanes", "the largest value is that of the first lane", "parity", [
        ("src/noise/output/sink.h", "high[0] = high[l] > high[0] ? high[l] : high[0];", "(void)high;")]),
    ("extremes-of-zero", "a zero's sign is reported", "parity", [
        ("src/noise/output/sink.h", "output->extremes[0] = low[0] + 0.0f;",
         "output->extremes[0] = low[0];")]),
    ("half-up", "integers are rounded half up", "dispatch", [
        ("src/noise/output/store.h", "return i_from_f(f_min(level, f_set(max)));",
         "return i_from_f(f_floor(f_add(f_min(level, f_set(max)), f_set(0.5f))));")]),
    ("integers-not-held", "integers above the largest are not held there", "dispatch", [
        ("src/noise/output/store.h", "return i_from_f(f_min(level, f_set(max)));",
         "(void)max;\n  return i_from_f(level);")]),
    # ---- Derivatives ----
    ("slope-sign", "a sign in the derivative of the upper corner's weight", "parity", [
        ("src/noise/lattice/axis.h", "f_add(fade, f_mul(f_sub(t, one), by_t))",
         "f_add(fade, f_mul(f_sub(one, t), by_t))")]),
    ("slope-everywhere", "the reference and the lanes agree on a wrong derivative", "gradients", [
        ("src/noise/lattice/axis.h", "{2, 6, 0, 0, 30}, {2, 0, 0, 6, 0}",
         "{2, 6, 0, -2, 30}, {2, 0, 0, 4, 0}"),
        ("src/scalar/scalar.c", "d1[PERLANE_FADE_COUNT] = {0, 6, 0}",
         "d1[PERLANE_FADE_COUNT] = {-2, 4, 0}")]),
    # ---- Points ----
    ("points-outside", "points outside the domain have values", "cases", [
        ("src/noise/points/evaluation.h",
         "i_select(i_equal(i_load(inside + i), outside), not_a_number, value);",
         "i_select(i_equal(i_load(inside + i), outside), value, value);\n    (void)not_a_number;")]),
    ("points-limit", "the domain of points ends a cell early", "parity", [
        ("src/noise/points/evaluation.h", "(perlane_magnitude(position[a][l] * frequency) <= 0x1p53)",
         "(perlane_magnitude(position[a][l] * frequency) < 0x1p53)")]),
    ("points-in-place", "blocks with points outside the domain are not masked", "parity", [
        ("src/noise/points/evaluation.h", "const int unbuffered = near && n % LANES == 0 &&",
         "const int unbuffered = n % LANES == 0 &&")]),
    ("origin-axis", "the origin of x counts along all axes", "parity", [
        ("src/noise/points/evaluation.h", "list->origin ? list->origin[a] : NO_ORIGIN",
         "list->origin ? list->origin[0] : NO_ORIGIN")]),
    ("origin-in-float", "the origin is rounded to a float", "parity", [
        ("src/noise/points/evaluation.h", "d_add(d_set(coords->origin[a]), vector[a])",
         "d_add(d_set((double)(float)coords->origin[a]), vector[a])")]),
    ("origin-near", "whether points are near is decided without their origin", "parity", [
        ("src/noise/points/lists.h", "aside += perlane_magnitude(list->origin[a]);",
         "aside += 0 * perlane_magnitude(list->origin[a]);")]),
    ("origin-near-any", "whether points of other fields are near is decided without their origin", "parity", [
        ("src/noise/points/evaluation.h", "source[a].coords ? perlane_magnitude(source[a].origin) : 0;",
         "0;")]),
    ("doubles-rounded", "coordinates in double are rounded to 2^-32", "parity", [
        ("src/noise/points/evaluation.h", "const vd v = d_load(coords + i);",
         "const vd v = d_sub(d_add(d_load(coords + i), d_set(0x1p20)), d_set(0x1p20));")]),
    ("points-tail", "the last points of a list are read as those of the first block", "parity", [
        ("src/noise/points/evaluation.h", "whole_vectors(list->coords[a] + first, list->stride,",
         "whole_vectors(list->coords[a] + (n % LANES ? 0 : first), list->stride,")]),
    ("points-largest", "a vector of points says how far it is, not all of a block", "parity", [
        ("src/noise/points/evaluation.h", "largest = larger_magnitude(largest, f_load(coords + i));",
         "largest = i_bits(magnitude_of(f_load(coords + i)));")]),
    ("list-stride", "the coordinates of a list follow each other", "parity", [
        ("src/perlane.c", ".stride = (ptrdiff_t)stride,", ".stride = 1,")]),
    ("list-octaves", "a list has all octaves", "parity", [
        ("src/perlane.c", "perlane_field_octaves(noise, list->octaves)", "perlane_field_octaves(noise, 0)")]),
    ("plain-period", "periods are ignored with the lattice hash", "periods", [
        ("src/noise/lattice/split.h", "axis->hash == PERLANE_HASH_LATTICE && !axis->is_periodic;",
         "axis->hash == PERLANE_HASH_LATTICE;")]),
    ("work-shared", "pieces keep the work memory of the whole grid", "pieces", [
        ("src/pieces.c", "  made.work = NULL; /* pieces are filled on several threads */\n", "")]),
    ("work-unaligned", "work memory is used from its first byte on", "parity", [
        ("src/perlane.c", "(unsigned char *)grid->work + skipped", "(unsigned char *)grid->work")],
     X86, SSE41),
    ("lookup-stale", "points in the same column of cells share gradients", "parity", [
        ("src/noise/lattice/combine.h", "for (int a = 1; a < dims; a++)\n    same = m_and(same,",
         "for (int a = 1; a < 1; a++)\n    same = m_and(same,")]),
    ("warp-rows", "rows of a warp's tile all have the first one's y", "parity", [
        ("src/noise/points/warp.h", "grid_position(runs->region, 1, r);",
         "grid_position(runs->region, 1, 0);")]),
    ("single-weights", "the weights of single values do not multiply", "parity", [
        ("src/noise/points/one_value.h", "weight *= share[k];", "weight = share[k];")]),
    ("plain-octaves", "lists of many octaves lose all but the last", "parity", [
        ("src/noise/points/evaluation.h", "lattice_octave(1, evaluation, memory, k, n, 1, k > 0, sums);",
         "lattice_octave(1, evaluation, memory, k, n, 1, 0, sums);")]),
    ("single-corner", "white noise of points has another number at the upper corner", "parity", [
        ("src/noise/lattice/split.h", "i_set(of->single ? 0 : of->multiplier)", "i_set(of->multiplier)")]),
    # ---- Warps, erosion, cells, curves and terraces ----
    ("lanes-stretch", "the lanes' derivatives of displaced positions add 1 everywhere", "parity", [
        ("src/noise/points/warp.h", "a == b ? f_add(one, product) : product", "f_add(one, product)")]),
    ("lanes-erosion", "the lanes ignore erosion's strength", "parity", [
        ("src/noise/octaves/octaves.h", "f_mul(erosion, q)", "q")]),
    ("lanes-curve", "the lanes choose a curve's piece by values beyond its ends", "parity", [
        ("src/noise/octaves/finish.h", "f_not_above(next, c)", "f_not_above(c, next)")]),
    ("lanes-falloff", "the lanes lower the falloff's derivatives twice across a square", "dispatch", [
        ("src/noise/octaves/finish.h", "local.is_square && b != a", "local.is_square")]),
    ("falloff-range", "the range leaves out the falloff", "range", [
        ("src/range.c", "falloff > 0 ? v.low - falloff : v.low,", "v.low,")]),
    ("warp-steepness", "a warp's derivatives are bounded after warp_amplitude multiplies them", "cases", [
        ("src/range.c", "if (!(frequency <= LIMIT))", "if (0)"),
        ("src/range.c", "if (!(slope <= LIMIT))", "if (0)")]),
    ("lowered-block", "blocks of warped fields with a falloff write where they still read", "parity", [
        ("src/noise/points/evaluation.h", "near && n % LANES == 0 && !is_read_again;",
         "near && n % LANES == 0;\n  (void)is_read_again;")]),
    ("lowered-displaced", "the falloff of a warped field is that of the displaced position", "golden", [
        ("src/noise/points/evaluation.h", "if (source.displacement) {", "if (0) {")]),
    ("lowered-row", "all rows of a tile are lowered by the first one's position", "golden", [
        ("src/noise/driver/driver.h", "grid_position(grid, 1, space->y + r)", "grid_position(grid, 1, space->y)")]),
    ("lowered-planes", "all planes of a tile are lowered by the first one's position", "cases", [
        ("src/noise/driver/driver.h", "lower_rows(space, &rows, space->z + p);", "lower_rows(space, &rows, space->z);")]),
    ("lowered-shape", "a single octave's shape is taken after the falloff", "golden", [
        ("src/noise/output/sink.h", "sink->arrays == 1 && !is_lowered &&", "sink->arrays == 1 &&")]),
    ("tiny-limit", "limits of near positions that are 0 as floats count", "joints", [
        ("src/noise/lattice/split.h", "!(limit >= 2 * (double)FLT_MIN)", "!(limit >= 0)")]),
    ("spread-as-sum", "spread divides by the sum of the amplitudes", "golden", [
        ("src/field.c", "? perlane_root(squares)", "? total")]),
    ("amplitude-size", "a normalized field depends on the amplitude's magnitude", "cases", [
        ("src/field.c", "is_raw ? params->amplitude : params->amplitude < 0 ? -1 : 1", "params->amplitude")]),
    ("range-subnormals", "the range leaves out that subnormal amplitudes round", "range", [
        ("src/range.c", "SUBNORMALS = 0x1p-118", "SUBNORMALS = 0")]),
    ("curve-floats-meet", "points of a curve may have the same x as floats", "options", [
        ("src/options.c", " && (float)x > (float)before", "")]),
    ("warp-rounds-alike", "all rounds of a warp have the same displacement", "golden", [
        ("src/field.c", "(uint64_t)(PERLANE_MAX_DIMS * round + axis)",
         "(uint64_t)(0 * round + axis)")]),
    ("warp-axes-alike", "all axes have the same displacement", "golden", [
        ("src/field.c", "(uint64_t)(PERLANE_MAX_DIMS * round + axis)",
         "(uint64_t)(PERLANE_MAX_DIMS * round + 0 * axis)")]),
    ("warp-endless", "displacements have no period", "periods", [
        ("src/field.c", "    warp->period[a] = (int32_t)whole;\n", "    (void)warp;\n")]),
    ("warp-period-misfit", "periods that the displacements do not share are accepted", "cases", [
        ("src/field.c", "if (!(perlane_magnitude(cells - whole) <= whole * 0x1p-40))", "if (0)")]),
    ("warp-from-before", "a round displaces where the one before has left off", "golden", [
        ("src/scalar/scalar.c", "next[a] = p[a] + added[a];",
         "next[a] = q[a] + added[a];")]),
    ("warp-first-jacobian", "derivatives of a second round leave out the first one's", "gradients", [
        ("src/scalar/scalar.c", "if (r > 1) {", "if (r > 9) {")]),
    ("warp-domain", "grids are accepted whose displaced samples leave the domain", "cases", [
        ("src/perlane.c", "perlane_magnitude(position) + noise->params.warp_amplitude;",
         "perlane_magnitude(position);")]),
    ("erosion-late", "octaves are damped by the slopes of those before", "golden", [
        ("src/scalar/scalar.c", "      q = square_of(field->dims, g);\n    }", "    }"),
        ("src/scalar/scalar.c", "    sum = k == 0 ? n : sum_of(sum, n);",
         "    sum = k == 0 ? n : sum_of(sum, n);\n    q = is_eroded ? square_of(field->dims, g) : 0;")]),
    ("simplex-skew-together", "the reference skews the sum of the coordinates", "golden", [
        ("src/scalar/scalar.c", "    S[a] = to_units(U[a] * F);\n  }",
         "    S[a] = a == 0 ? to_units((U[0] + to_units(x_k[1])) * F) : 0;\n  }")]),
    ("simplex-backwards", "rows of simplex noise may run backwards, to cells below 0", "parity", [
        ("src/noise/simplex/producer.h", "return step > 0 &&", "return")]),
    ("simplex-second-row", "all rows of a tile of simplex noise are its first", "golden", [
        ("src/noise/simplex/producer.h", "const double position = grid_position(space->grid, a, a == 1 ? space->y + r : space->z);",
         "const double position = grid_position(space->grid, a, a == 1 ? space->y : space->z);")]),
    ("simplex-terms", "the keys of simplex noise in 3D take away as many terms as in 2D", "dispatch", [
        ("src/noise/simplex/simplex.h", "(uint32_t)dims + 2;", "4;")]),
    ("simplex-far-half", "far from the origin, carries of fractions are lost", "dispatch", [
        ("src/noise/lattice/split.h", "halves_of(d_add(sum->low, carry), sum->high);",
         "halves_of(sum->low, sum->high);")]),
    ("simplex-period", "simplex noise takes periods, which do nothing", "cases", [
        ("src/field.c", "if (params->period[a] != 0 && !basis->has_periods)", "if (0)")]),
    ("erosion-of-cells", "eroded cells are accepted", "cases", [
        ("src/field.c", "if (params->fractal == PERLANE_FRACTAL_ERODED && !basis->can_be_eroded)",
         "if (0)")]),
    ("cells-near-only", "the nearest point is searched in the next cells", "cells", [
        ("src/scalar/scalar.c", "PERLANE_CELL_METRIC_MANHATTAN ? 3\n                                                                         : 2;",
         "PERLANE_CELL_METRIC_MANHATTAN ? 3\n                                                                         : 1;")]),
    ("edge-metric", "borders are accepted with other metrics", "cases", [
        ("src/field.c", "      params->cell_metric != PERLANE_CELL_METRIC_EUCLIDEAN)", "      0)")]),
    ("edge-range", "distances to borders have the range of those to points", "range", [
        ("src/field.c", "PERLANE_CELL_OUTPUT_EDGE ? 0.5 * distance : distance;",
         "PERLANE_CELL_OUTPUT_EDGE ? distance : distance;")]),
    ("edge-near-only", "borders with the points of the next cells only", "cells", [
        ("src/scalar/scalar.c", "    if (memcmp(c.o, n->o, sizeof c.o) == 0)",
         "    if (memcmp(c.o, n->o, sizeof c.o) == 0 || x * x > 3 || y * y > 3 || z * z > 3)")]),
    ("edge-dropped", "neighbours of a box are dropped too early", "dispatch", [
        ("src/noise/cells/candidates.h", "lead = f_max(lead, least);",
         "lead = f_max(lead, f_add(least, f_set(0.05f)));")]),
    ("edge-skipped", "a search skips rows of cells too early", "parity", [
        ("src/noise/cells/search.h", "f_set(1 - 0x1p-13f)))))", "f_set(1.5f)))))")]),
    ("cells-bound", "the second nearest point has the first one's bound", "range", [
        ("src/field.c", "const int first = params->cell_output == PERLANE_CELL_OUTPUT_F1;",
         "const int first = params->cell_output != PERLANE_CELL_OUTPUT_VALUE;")]),
    ("cells-of-last-octave", "ids are those of the last octave", "golden", [
        ("src/scalar/scalar.c", "  const struct field field = field_of(noise, 1, dims, 0);",
         "  struct field field = field_of(noise, 1, dims, 0);\n  field.octave += noise->octaves - 1;")]),
    ("cells-before-warp", "offsets of warped cells leave out the warp", "cells", [
        ("src/noise/points/each_cell.h", "vd reach = d_set(source->reach);",
         "vd reach = d_set(0 * source->reach);")]),
    ("cells-slope-towards", "the gradient of a distance points to the point", "gradients", [
        ("src/noise/cells/search.h", "f_div(minus_one, f_sqrt(distance))", "f_div(one, f_sqrt(distance))")]),
    ("cells-slope-second", "the second nearest point is not the one that was the nearest", "parity", [
        ("src/noise/cells/search.h", "distance, found->both.first, found->nearest[t],\n",
         "distance, found->both.first, found->next[t],\n")]),
    ("cells-slope-at-point", "the gradient at a point is not a number", "gradients", [
        ("src/noise/cells/search.h", "f_select_below(none, distance, f_div(minus_one, f_sqrt(distance)), none)",
         "f_div(minus_one, f_sqrt(distance))")]),
    ("cells-slope-brick", "bricks take the distance along x for that along every axis", "golden", [
        ("src/noise/cells/producer.h", "    part->along = j;", "    part->along = 0;")]),
    ("cells-slope-unit", "derivatives of cells are per cell", "golden", [
        ("src/noise/cells/search.h", "slope[a], cells->steepness)", "slope[a], cells->amplitude)")]),
    ("cells-octaves-bias", "all octaves of a position have the first one's bias", "parity", [
        ("src/noise/cells/cells.h", "bias[i] = octave_from(field, k + i)->bias;",
         "bias[i] = octave_from(field, k)->bias;")]),
    ("curve-overshoots", "smooth curves rise beyond their points", "golden", [
        ("src/field.c", "  if (perlane_magnitude(before) < slope)\n    slope = perlane_magnitude(before);\n",
         "")]),
    ("curve-range-ends", "the range of a curve is that of its ends", "range", [
        ("src/range.c", "if ((double)pieces->start[i] >= v.low && (double)pieces->start[i] <= v.high) {",
         "if (0) {")]),
    ("curve-range-piece", "the range leaves out that pieces end beside the next point", "range", [
        ("src/range.c", "range.low = smaller(smaller(range.low, before.low), (double)pieces->c0[i]);",
         "(void)before;\n      range.low = smaller(range.low, (double)pieces->c0[i]);")]),
    ("curve-points-meet", "points of a curve may have the same x", "options", [
        ("src/options.c", ">= PERLANE_MIN_CURVE_STEP", ">= 0")]),
    ("curve-of-one", "a curve of one point is accepted", "options", [
        ("src/options.c", "curve->count < 0 || curve->count == 1 ||", "curve->count < 0 ||")]),
    ("curve-slope-outside", "the gradient goes on beyond a curve's ends", "gradients", [
        ("src/scalar/scalar.c", "v.slope[a] = is_inside ? slope * v.slope[a] : 0.0f;",
         "v.slope[a] = slope * v.slope[a];\n  (void)is_inside;")]),
    ("terraces-range", "the range of terraces is that of the values before", "range", [
        ("src/range.c", "return border / half - 1.0f;", "return v;")]),
    ("terraces-range-exact", "the range of terraces is not rounded as they are", "range", [
        ("src/range.c", "return border / half - 1.0f;",
         "return (float)((double)border / (double)half - 1);")]),
    ("terraces-slope", "the gradient of terraces is that of their middle", "gradients", [
        ("src/scalar/scalar.c", "const float slope = (C + 1.0f) / (b * b);",
         "const float slope = C + 1.0f;")]),
    # ---- Shaders (tests/gpu/devices.py removes `precise`, which matters on devices alone) ----
    ("valleys-covered", "lists find the network of their first point only", "parity", [
        ("src/noise/valleys/land.h",
         "if (!is_in_box(&network->covered, (int32_t)points.x[first], (int32_t)points.y[first]))",
         "if (first == 0)")]),
    ("valleys-margin", "candidates for the lowest wedge have no margin", "parity", [
        ("src/noise/valleys/channels.h", "const vf slack = f_add(f_mul(reach, radius), margin);", "const vf slack = f_set(0);")]),
    ("valleys-order", "of equal wedges the last counts", "golden", [
        ("src/noise/valleys/network.h", "f_select_below(best, fall, f_bits(other), f_bits(found))", "f_select_below(fall, best, f_bits(found), f_bits(other))")]),
    ("valleys-limited", "a noise that loses octaves keeps its side valleys", "joints", [
        ("src/field.c", "octaves > noise->octaves ? octaves - noise->octaves : 0;", "noise->valley_octaves;")]),
    ("valleys-range", "the range leaves out the hillsides", "range", [
        ("src/range.c", "const double rise = 1.75 * (double)valleys.slope;", "const double rise = 0;")]),
    ("valleys-period", "side valleys have the period of the main ones", "periods", [
        ("src/noise/valleys/network.h", "(int64_t)network->constants.period[axis] << level", "(int64_t)network->constants.period[axis]")]),
    ("gpu-carry", "products of two words lose the carry of their lower halves", "gpu_exact", [
        ("src/shaders/perlane_points.h", "(b & 0xFFFFu) + (middle & 0xFFFFu);", "(b & 0xFFFFu);")]),
    ("gpu-sticky", "sums of doubles forget the bits that are shifted out", "gpu_exact", [
        ("src/shaders/perlane_points.h", "part.lo = part.lo | PERLANE_SELECT(", "part.hi = part.hi | 0u * PERLANE_SELECT(")]),
    ("gpu-quotient", "quotients are not corrected after the last estimate", "gpu_exact", [
        ("src/shaders/perlane_core.h", "  q += under;\n  rest -= under * d;\n", "")]),
    ("gpu-tie", "points round ties before they add the phase", "gpu", [
        ("src/shaders/perlane_points.h", "(units.lo + phase) & 1u", "units.lo & 1u")]),
    ("gpu-reordered", "shaders add the squares of slopes from right to left", "gpu", [
        ("src/shaders/perlane_core.h", "float xy = xx + yy;", "float xy = yy + zz;"),
        ("src/shaders/perlane_core.h", "float q = xy + zz;", "float q = xx + xy;")]),
    ("expression-min", "the lanes' min of an expression takes b where the two are equal to a", "expression", [
        ("src/expression/operations.h", "return f_select_below(a, b, a, b);", "return f_select_below(b, a, b, a);")]),
    ("expression-shared", "results that samples share are read as if each had its own", "expression", [
        ("src/expression/evaluate.h", "  if (is_shared)\n    operand->mask = operand->slope_mask = 0;\n", "")]),
    ("expression-columns", "a fill goes on with the columns of another strip", "expression", [
        ("src/noise/grid/producer.h", "part->first[0] != kept->part.first[0] || ", "")]),
    ("expression-axes", "fields of fewer axes are filled for the first tile only", "expression", [
        ("src/expression/fill.h", "if (fill->run.input[s].axes & fill->moved)", "if (fill->run.input[s].axes & fill->moved & 1)")]),
    ("expression-planes", "what depends on x and y alone is evaluated for each plane", "planes", [
        ("src/expression/evaluate.h", "is_costly && axes[x] >> 2 == 0", "is_costly && axes[x] >> 2 == 0 && 0")]),
    ("expression-plane-tiles", "and again for each tile of planes", "planes", [
        ("src/expression/fill.h", "(fill->moved & 3) != 0", "(fill->moved & 15) != 0")]),
    ("expression-nan", "ranges forget that an operand is no number in places", "cases", [
        ("src/expression/expression.c", "(which == 3 && a.nan)", "(which == 3 && a.nan && 0)")]),
    ("expression-margin", "the range of mix forgets roundings", "expression", [
        ("src/expression/expression.c", "largest_magnitude(x[1]) * largest_magnitude(x[2]);",
         "largest_magnitude(x[1]) * largest_magnitude(x[2]);\n    scale = 0;")]),
    ("expression-same", "operations with the same first operand are equal", "expression", [
        ("src/expression/parse.c", "sizeof node->operand)", "sizeof *node->operand)")]),
    ("expression-flip", "at() does not flip the sign of what follows a coordinate and '-'", "golden", [
        ("src/expression/parse.c", ": operator_node(reader, OP_NEGATE, more, NO_NODE);", ": more;")]),
    ("expression-text", "what a repeated result pops is a step of its own", "expression", [
        ("src/expression/expression.h", "step->operation == OP_RESULT ? stack[step->operand] : (unsigned char)i",
         "(unsigned char)i")]),
    ("gpu-word-order", "the upper word of a frequency comes first", "gpu", [
        ("src/gpu/gpu.c", "    put_double(&next[2], octave->frequency);",
         "    put_double(&next[2], octave->frequency);\n"
         "    const uint32_t low = next[2];\n    next[2] = next[3];\n    next[3] = low;")]),
    ("gpu-falloff", "fields with a falloff are accepted for shaders", "gpu", [
        ("src/gpu/gpu.c", "params->falloff != 0, params,", "0, params,")]),
    ("gpu-subnormal", "amplitudes are accepted whose products are subnormal", "gpu", [
        ("src/gpu/gpu.c", "#define MIN_AMPLITUDE 0x1p-30f", "#define MIN_AMPLITUDE 0x1p-126f")]),
    ("gpu-detail", "a grid of the first octaves has the words of all", "gpu", [
        ("src/gpu/gpu.c", "return perlane_field_octaves_of(noise, grid->octaves, grid->dims, grid->step);",
         "return grid ? noise->octaves : 0;")]),
    ("gpu-root", "roots are not rounded up", "gpu_exact", [
        ("src/shaders/perlane_core.h", "root + ((q + 1u) >> 1u)", "root + (q >> 1u)")]),
    ("gpu-cell-period", "the cell after a period's last one is not its first", "gpu", [
        ("src/shaders/perlane_cells.h", "(next.cell.lo == along.S)", "(next.cell.hi == along.S)")]),
    ("gpu-faces", "the lower face of a cell is always the upper one of the cell before", "gpu", [
        ("src/shaders/perlane_fields.h", "(r == 0u) || (y.word0 != word1)) {", "r == 0u) {")]),
    ("gpu-simplex-order", "shaders add the parts of triangles in the order of corners", "gpu", [
        ("src/shaders/perlane_simplex.h", "is_volume == 1u, i, 3u - i)", "is_volume == 1u, i, i)")]),
    ("gpu-simplex-far", "lattice coordinates beyond 2^28 are rounded to even units", "gpu", [
        ("src/shaders/perlane_simplex.h", "perlane_exponent(v) > 1050u", "perlane_exponent(v) > 1051u")]),
    ("gpu-warp-from", "a round displaces where the one before has left off", "gpu", [
        ("src/shaders/perlane_fields.h", "next.y = perlane_double_sum(p.y, added);",
         "next.y = perlane_double_sum(q.y, added);")]),
    ("gpu-warp-words", "all axes of a round have the displacement of x", "gpu", [
        ("src/gpu/gpu.c", "perlane_field_displacement(noise, i / dims, i % dims, octave);",
         "perlane_field_displacement(noise, i / dims, 0, octave);")]),
    ("gpu-jitter", "jitter is accepted that makes subnormal squares", "gpu", [
        ("src/gpu/gpu.c", "(float)params->jitter, MIN_JITTER);", "1, MIN_JITTER);")]),
    # ---- The interface ----
    ("shown-half", "octaves of two samples in a cell are not shown", "cases", [
        ("src/field.c", "octave[octaves - 1].frequency <= 0.5))", "octave[octaves - 1].frequency < 0.5))")]),
    ("shown-axis", "steps along y, z and w do not count for the octaves that are shown", "range", [
        ("src/field.c", "longest = perlane_magnitude(step[a]) > longest ?",
         "longest = a == 0 && perlane_magnitude(step[a]) > longest ?")]),
    ("scatter-margin", "points are looked for in the box's own cells only", "cells", [
        ("src/scatter.c", "MARGIN = 3 ", "MARGIN = 0 ")]),
    ("scatter-end", "a box has the points at its upper sides", "cells", [
        ("src/scatter.c", "position[a] < box->high[a]", "position[a] <= box->high[a]")]),
    ("scatter-capacity", "one point more than the capacity is written", "cells", [
        ("src/scatter.c", "if (found < to->capacity)", "if (found <= to->capacity && to->capacity)")]),
    ("domain-end", "2^53 cells from the origin are refused", "cases", [
        ("src/perlane.c", "return farthest * perlane_field_highest_frequency(noise) <= 0x1p53;",
         "return farthest * perlane_field_highest_frequency(noise) < 0x1p53;")]),
    ("domain-end-late", "the double after 2^53 cells is accepted", "cases", [
        ("src/perlane.c", "return farthest * perlane_field_highest_frequency(noise) <= 0x1p53;",
         "return farthest * perlane_field_highest_frequency(noise) <= 0x1.0000000000001p53;")]),
    ("overlap", "strides that let two samples share a place are accepted", "cases", [
        ("src/perlane.c", "if (stride < span)", "if (stride + 1 < span)")]),
    ("value-unsaid", "a refusal does not say which value it refuses", "cases", [
        ("src/options.c", "  print_must_be(problem, option);\n  print_value(problem, option, value);",
         "  print_must_be(problem, option);")]),
    ("range-unsaid", "values beyond the range of float are refused without a sentence", "cases", [
        ("src/field.c", "        status = refuse_values(params, problem);",
         "        status = PERLANE_ERROR_PARAMETER;")]),
    ("fill-writes", "a fill that fails writes a byte", "cases", [
        ("src/perlane.c", "  else if (status == PERLANE_OK)\n    fill_region(noise, &region, output, cells);",
         "  else if (status == PERLANE_OK)\n    fill_region(noise, &region, output, cells);\n"
         "  else if (output && output->value)\n    *(unsigned char *)output->value ^= 1;")]),
    ("init-writes", "perlane_init writes though it fails", "cases", [
        ("src/field.c", "  if (status != PERLANE_OK || !noise)\n    return status;",
         "  if (!noise)\n    return status;")]),
    ("reseed-phases", "perlane_reseed keeps the phases", "parity", [
        ("src/field.c", "  params->seed = seed;\n  make_keys(noise);",
         "  params->seed = seed;\n  const perlane_noise old = *noise;\n  make_keys(noise);\n"
         "  for (int k = 0; k < noise->octaves; k++)\n"
         "    memcpy(noise->octave[k].phase, old.octave[k].phase, sizeof old.octave[k].phase);")]),
    ("reseed-first", "perlane_reseed changes the first octave only", "parity", [
        ("src/field.c", "  params->seed = seed;\n  make_keys(noise);",
         "  params->seed = seed;\n  const perlane_noise old = *noise;\n  make_keys(noise);\n"
         "  for (int k = 1; k < noise->octaves; k++)\n"
         "    noise->octave[k] = old.octave[k];")]),
    ("reseed-table", "perlane_reseed keeps the table", "parity", [
        ("src/field.c", "  perlane_table_reseed(params, noise->table);\n", "")]),
    ("reseed-sphere", "perlane_reseed keeps the unit vectors", "parity", [
        ("src/field.c",
         "if (perlane_vectors_are_used(params) && params->gradients == PERLANE_GRADIENTS_SPHERE) {",
         "if (0) {")]),
    ("reseed-params", "perlane_reseed does not store the seed", "parity", [
        ("src/field.c", "  params->seed = seed;\n  make_keys(noise);",
         "  const uint64_t before = params->seed;\n  params->seed = seed;\n  make_keys(noise);\n"
         "  params->seed = before;")]),
    ("extremes-written", "extremes are written though the fill fails", "errors", [
        ("src/perlane.c", "  if (status == PERLANE_OK) {\n    *smallest = extremes[0];",
         "  {\n    *smallest = extremes[0];")]),
    ("control-kept", "the caller's control word is not restored", "environment", [
        ("src/strict.h", "    perlane_fp_write(caller);", "    (void)caller;")],
     X86),
    ("points-environment", "words of points are computed under the caller's control word", "environment", [
        ("src/gpu/gpu.c", "  status = write_points(words, noise, dims, origin, room);\n  perlane_fp_leave(caller);",
         "  perlane_fp_leave(caller);\n  status = write_points(words, noise, dims, origin, room);")]),
    ("picture-tile", "slopes at the left border of a tile are those of the pixel beside it", "picture", [
        ("src/picture/draw.c", "const float *at = value + x;", "const float *at = value + x + (x == 0);")]),
    ("picture-slopes", "a picture's slopes along y take the place of those along x", "picture", [
        ("src/picture/plan.c", "memory + (ptrdiff_t)a * PLACES);", "memory);")]),
    ("picture-coast", "land begins a colour below the coast", "picture", [
        ("src/picture/draw.c", "plan->below > 0 ? half - 1 : 2 * half - 1;", "2 * half - 1;")]),
    ("flushed", "flush-to-zero is left as the caller has it", "environment", [
        ("src/strict.h", "PERLANE_FP_DEFAULT)\n    perlane_fp_write(PERLANE_FP_DEFAULT);",
         "(PERLANE_FP_DEFAULT | (caller & 0x8040u)))\n    perlane_fp_write(PERLANE_FP_DEFAULT);")], X86),
    ("level-without-ymm", "AVX2 is chosen where the system does not save its registers", "dispatch", [
        ("src/dispatch.c", "#define XCR0_YMM 0x6", "#define XCR0_YMM 0x2")], X86),
    ("level-without-zmm", "AVX-512 is chosen where the system saves half of ZMM", "dispatch", [
        ("src/dispatch.c", "#define XCR0_ZMM 0xE6", "#define XCR0_ZMM 0xA6")], X86),
]
