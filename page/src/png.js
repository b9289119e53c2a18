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

/** A chunk: its length, name, data, and the checksum of name and data. */
function chunk(name, data) {
  const bytes = new Uint8Array(data.length + 12);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  for (let i = 0; i < 4; i++) bytes[4 + i] = name.charCodeAt(i);
  bytes.set(data, 8);
  view.setUint32(8 + data.length, crc(bytes.subarray(4, 8 + data.length)));
  return bytes;
}

const latin = (text) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));

export class PngWriter {
  #write;
  #packer = new CompressionStream("deflate");
  #input = this.#packer.writable.getWriter();
  #output;

  /** write(bytes) receives the file; text is stored under the keyword "perlane". */
  constructor(width, height, text, write) {
    this.#write = write;
    const head = new Uint8Array(13);
    const view = new DataView(head.buffer);
    view.setUint32(0, width);
    view.setUint32(4, height);
    head.set([16, 0, 0, 0, 0], 8); // bits, grey, deflate, filters, not interlaced
    write(Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10));
    write(chunk("IHDR", head));
    write(chunk("tEXt", latin(`perlane\0${text}`)));
    this.#output = this.#pump();
    this.#output.catch(() => {}); // finish() reports it
  }

  async #pump() {
    const reader = this.#packer.readable.getReader();
    for (;;) {
      const { value, done } = await reader.read();
      if (done) return;
      if (value.length) this.#write(chunk("IDAT", value));
    }
  }

  async rows(bytes) {
    await this.#input.ready;
    await this.#input.write(bytes);
  }

  async finish() {
    await this.#input.close();
    await this.#output;
    this.#write(chunk("IEND", new Uint8Array(0)));
  }
}
