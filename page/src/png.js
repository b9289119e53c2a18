// SPDX-License-Identifier: MIT
//
// Writes a grey PNG of 16 bits from rows that are already filtered. The browser packs them.

const TABLE = Uint32Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0xedb88320 ^ (n >>> 1) : n >>> 1;
  return n;
});

function crc(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) value = TABLE[(value ^ byte) & 255] ^ (value >>> 8);
  return ~value >>> 0;
}

const latin = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

/** A chunk: its length, name, data, and the checksum of name and data. */
function chunk(name, data) {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set(latin(name), 4);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

/** Returns the parts of the file; text is stored under the keyword "perlane", rows is a blob. */
export async function png([width, height], text, rows, signal) {
  const head = new Uint8Array(13);
  new DataView(head.buffer).setUint32(0, width);
  new DataView(head.buffer).setUint32(4, height);
  head.set([16, 0, 0, 0, 0], 8); // bits, grey, deflate, filters, not interlaced
  const signature = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
  const parts = [signature, chunk("IHDR", head), chunk("tEXt", latin(`perlane\0${text}`))];
  const write = (bytes) => void parts.push(chunk("IDAT", bytes));
  const packed = rows.stream().pipeThrough(new CompressionStream("deflate"));
  await packed.pipeTo(new WritableStream({ write }), { signal });
  return [...parts, chunk("IEND", new Uint8Array(0))];
}
