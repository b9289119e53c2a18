// SPDX-License-Identifier: MIT
//
// The worker that writes a file: it receives rows in order, packs them, and returns a blob, which
// the browser may keep on disk.

import { PngWriter } from "./png.js";

const GATHER = 1 << 22; // bytes of a part of the blob

let parts = [];
let pending = [];
let size = 0;
let png;
let last = Promise.resolve();

function write(bytes) {
  pending.push(bytes);
  size += bytes.length;
  if (size >= GATHER) gather();
}

function gather() {
  parts.push(new Blob(pending));
  pending = [];
  size = 0;
}

const WORK = {
  start({ format, width, height, text }) {
    if (format === "png") png = new PngWriter(width, height, text, write);
  },
  async rows({ bytes }) {
    if (png) await png.rows(bytes);
    else write(bytes);
    postMessage({ taken: true });
  },
  async finish({ type }) {
    await png?.finish();
    gather();
    postMessage({ blob: new Blob(parts, { type }) });
  },
};

onmessage = ({ data }) => {
  last = last
    .then(() => WORK[data.kind](data))
    .catch((error) => postMessage({ error: String(error.message ?? error) }));
};
