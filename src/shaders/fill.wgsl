// SPDX-License-Identifier: MIT
//
// Compute shaders with an invocation for each 8 samples along y: dispatch (nx + 63) / 64,
// (ny + 7) / 8, nz groups, nz being 1 in 2D. samples is packed, x fastest. wgsl.py prints the
// functions, to be put after this.
@group(0) @binding(0) var<storage, read> perlane_words: array<u32>;
@group(0) @binding(1) var<storage, read_write> samples: array<f32>;
@group(0) @binding(1) var<storage, read_write> digest: atomic<u32>;
@group(0) @binding(2) var<storage, read> coords: array<f32>;

fn index_of(i: u32, j: u32, k: u32) -> u32 {
  return i + perlane_words[2] * (j + perlane_words[3] * k);
}

@compute @workgroup_size(64)
fn fill(@builtin(global_invocation_id) at: vec3<u32>) {
  if (at.x < perlane_words[2]) {
    let j = PERLANE_ROWS * at.y;
    var column = perlane_column(at.x, j, at.z);
    for (var r = 0u; r < PERLANE_ROWS && j + r < perlane_words[3]; r++) {
      samples[index_of(at.x, j + r, at.z)] = column.value[r];
    }
  }
}

@compute @workgroup_size(64)
fn selftest(@builtin(global_invocation_id) at: vec3<u32>) {
  if (at.x < perlane_words[2]) {
    let j = PERLANE_ROWS * at.y;
    var column = perlane_column(at.x, j, at.z);
    for (var r = 0u; r < PERLANE_ROWS && j + r < perlane_words[3]; r++) {
      atomicAdd(&digest, perlane_digest(index_of(at.x, j + r, at.z), column.value[r]));
    }
  }
}

// Point i is (coords[i], coords[n + i], coords[2 n + i]); dispatch (n + 63) / 64 groups.
@compute @workgroup_size(64)
fn points(@builtin(global_invocation_id) at: vec3<u32>) {
  let n = arrayLength(&coords) / perlane_words[1];
  if (at.x < n) {
    var z = 0.0;
    if (perlane_words[1] == 3u) {
      z = coords[n + n + at.x];
    }
    samples[at.x] = perlane_point(coords[at.x], coords[n + at.x], z);
  }
}
