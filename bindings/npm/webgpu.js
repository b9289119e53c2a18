// SPDX-License-Identifier: MIT
//
// Grids on a WebGPU device, with the bits of field.fill. WGSL has no exact arithmetic to ask for, so
// each device first computes the self-tests.

import { fill, functions } from "./wgsl.js";

export { functions };

// Of what `fill` itself has computed: a compiler may treat another entry point differently.
const total = `
@group(0) @binding(3) var<storage, read_write> digest_of_samples: atomic<u32>;
@compute @workgroup_size(64)
fn total(@builtin(global_invocation_id) at: vec3<u32>) {
  if (at.x < perlane_words[2]) {
    for (var j = PERLANE_ROWS * at.y; j < min(PERLANE_ROWS * (at.y + 1), perlane_words[3]); j++) {
      let i = index_of(at.x, j, at.z);
      atomicAdd(&digest_of_samples, perlane_digest(i, samples[i]));
    }
  }
}
`;

/**
 * Returns the functions of a WebGPU device, once it has computed the self-tests.
 *
 * @param perlane the package, or an instance of it
 */
export async function openWebGPU(device, perlane) {
  const module = device.createShaderModule({ code: fill + total + functions });
  const pipelineOf = (entryPoint) =>
    device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint } });
  const [samplesOf, totalOf] = await Promise.all(["fill", "total"].map(pipelineOf));
  const STORAGE = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;

  /** Runs a shader over a grid, 8 rows at a time; `buffers` are by their bindings. */
  function run(pipeline, words, buffers) {
    const entries = Object.entries(buffers).map(([binding, buffer]) => ({
      binding: Number(binding),
      resource: { buffer },
    }));
    const commands = device.createCommandEncoder();
    const pass = commands.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(
      0,
      device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries }),
    );
    pass.dispatchWorkgroups(Math.ceil(words[2] / 64), Math.ceil(words[3] / 8), words[4] || 1);
    pass.end();
    device.queue.submit([commands.finish()]);
  }

  /** Copies a buffer to memory, and frees it. */
  async function read(buffer) {
    const copy = device.createBuffer({
      size: buffer.size,
      usage: GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST,
    });
    const commands = device.createCommandEncoder();
    commands.copyBufferToBuffer(buffer, 0, copy, 0, buffer.size);
    device.queue.submit([commands.finish()]);
    await copy.mapAsync(GPUMapMode.READ);
    const bytes = copy.getMappedRange().slice();
    copy.destroy();
    buffer.destroy();
    return bytes;
  }

  /** Returns a buffer of a grid's samples, after use(words, samples), which may run a shader on them. */
  function compute(words, use) {
    const { maxBufferSize, maxComputeWorkgroupsPerDimension, maxStorageBufferBindingSize } =
      device.limits;
    const limit = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    const bytes = 4 * words[2] * words[3] * (words[4] || 1);
    const size = Math.max(bytes, words.byteLength);
    if (size > limit)
      throw new RangeError(`this grid needs a buffer of ${size} bytes; the device has ${limit}`);
    const most = maxComputeWorkgroupsPerDimension;
    if (Math.max(words[2] / 64, words[3] / 8, words[4]) > most)
      throw new RangeError(
        `this grid has more than ${64 * most} columns, ${8 * most} rows or ${most} planes`,
      );
    const input = device.createBuffer({
      size: words.byteLength,
      usage: GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST,
    });
    const samples = device.createBuffer({ size: bytes, usage: STORAGE });
    device.queue.writeBuffer(input, 0, words);
    run(samplesOf, words, { 0: input, 1: samples });
    use?.(input, samples);
    input.destroy(); // once the queue has used it
    return samples;
  }

  for (const { words, digest } of perlane.gpuSelftests()) {
    const sum = device.createBuffer({ size: 4, usage: STORAGE });
    compute(words, (input, samples) =>
      run(totalOf, words, { 0: input, 1: samples, 3: sum }),
    ).destroy();
    if (new Uint32Array(await read(sum))[0] !== digest)
      throw new Error("this device does not compute the samples that perlane promises");
  }
  const fillBuffer = (field, grid) => compute(field.gpuWords(grid));
  return {
    fillBuffer,
    fill: async (field, grid) => new Float32Array(await read(fillBuffer(field, grid))),
  };
}
