// SPDX-License-Identifier: MIT
//
// perlane for one WebAssembly instance: instantiate() returns the functions that perlane.js and
// sync.js export. The module allocates nothing, so this file divides its memory. Names, bounds and
// sizes come from the module: there is no list of options here.

const DBL_MAX = Number.MAX_VALUE;

// Samples of a grid, or points, that one call of the module evaluates before they are copied to the
// caller's array: their outputs stay in a CPU's caches, and memory stays small.
const MAX_PIECE_SAMPLES = 1 << 20;
const MAX_PIECE_POINTS = 1 << 14;
const MIN_WORK_SAMPLES = 1 << 12; // of grids that get work memory

const FORMATS = {
  float32: { array: Float32Array, fill: "perlane_fill" },
  uint16: { array: Uint16Array, fill: "perlane_fill_u16" },
  uint8: { array: Uint8Array, fill: "perlane_fill_u8" },
};

const ARRAYS = [Float32Array, Uint32Array, Uint16Array, Uint8Array, Uint8ClampedArray];

/** An invalid option or argument: `option` has its name, `status` the library's number. */
export class PerlaneError extends Error {
  constructor(message, option, status) {
    super(message);
    this.name = "PerlaneError";
    this.option = option;
    this.status = status;
  }
}

function wrong(option, message) {
  return new PerlaneError(`${option}: ${message}`, option);
}

function needWebAssembly() {
  if (typeof WebAssembly === "undefined")
    throw new PerlaneError(
      "perlane computes with WebAssembly, which this host lacks or has switched off, as Lockdown Mode does; switch it on",
    );
}

// ---- UTF-8: Jest's jsdom has neither TextEncoder nor TextDecoder ----

function encode(text) {
  const whole = text.replace(/[\ud800-\udfff]/gu, "\ufffd"); // halves of pairs have no code
  const codes = encodeURIComponent(whole).match(/%..|./g) ?? [];
  return Uint8Array.from(codes, (each) =>
    each[1] ? parseInt(each.slice(1), 16) : each.charCodeAt(0),
  );
}

function decode(bytes) {
  const code = (byte) =>
    byte < 128 && byte !== 37 ? String.fromCharCode(byte) : `%${byte.toString(16)}`;
  try {
    return decodeURIComponent(Array.from(bytes, code).join(""));
  } catch {
    return Array.from(bytes, (byte) => (byte < 128 ? String.fromCharCode(byte) : "\ufffd")).join(
      "",
    );
  }
}

// ---- Memory ----

const ALIGNMENT = 64;
const PAGE = 65536;
const MAX_EXACT = 32768; // bytes of the largest temporary block that is as large as was asked for

/**
 * Divides the module's memory from `start` on. Each size has a list of free blocks, so that neither
 * taking nor releasing one takes longer where there are many.
 */
class Heap {
  constructor(memory, start) {
    this.memory = memory;
    this.end = Math.ceil(start / ALIGNMENT) * ALIGNMENT;
    this.free = new Map(); // bytes -> blocks
    this.refresh();
  }

  /** Makes new views of the memory: when it grows, those made before become empty. */
  refresh() {
    this.data = new DataView(this.memory.buffer);
    this.bytes = new Uint8Array(this.memory.buffer);
  }

  /** Returns a block, which has an address. */
  allocate(bytes) {
    const size = Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
    const block = this.free.get(size)?.pop();
    if (block !== undefined) return block;
    this.grow(this.end + size - this.bytes.length);
    this.end += size;
    return { address: this.end - size, size };
  }

  /** Returns a block that is released soon: sizes of large ones are powers of two, so that there are few. */
  borrow(bytes) {
    return this.allocate(bytes > MAX_EXACT ? 2 ** Math.ceil(Math.log2(bytes)) : bytes);
  }

  release(block) {
    const blocks = this.free.get(block.size);
    if (blocks === undefined) this.free.set(block.size, [block]);
    else blocks.push(block);
  }

  /** Adds at least the missing bytes, and doubles the memory if the engine allows it. */
  grow(missing) {
    if (missing <= 0) return;
    const pages = Math.ceil(missing / PAGE);
    try {
      this.memory.grow(Math.max(pages, this.bytes.length / PAGE));
    } catch {
      try {
        this.memory.grow(pages);
      } catch {
        throw new PerlaneError(
          "no memory is left; free() fields and expressions that are no longer used",
        );
      }
    }
    this.refresh();
  }
}

/**
 * Instantiates the module and returns the package's functions for it.
 *
 * @param source a WebAssembly.Module, its bytes, a Response, or a promise of one of these
 */
export async function instantiate(source) {
  needWebAssembly();
  const given = await source;
  let module = given;
  if (typeof Response !== "undefined" && given instanceof Response) {
    if (!given.ok) throw new Error(`perlane.wasm: ${given.status} ${given.statusText}`);
    module = await given.arrayBuffer(); // whatever type the server gives it
  }
  if (!(module instanceof WebAssembly.Module)) module = await WebAssembly.compile(module);
  const { exports } = await WebAssembly.instantiate(module, {});
  return bind(exports);
}

/** Instantiates a module, or its bytes, at once. */
export function instantiateSync(source) {
  needWebAssembly();
  const module = source instanceof WebAssembly.Module ? source : new WebAssembly.Module(source);
  return bind(new WebAssembly.Instance(module, {}).exports);
}

function bind(wasm) {
  const { memory, perlane_web_at: evaluate } = wasm;
  const heap = new Heap(memory, wasm.__heap_base.value);

  const view = () => heap.data;
  const bytes = () => heap.bytes;
  const pointerAt = (address) => view().getUint32(address, true);

  function textAt(address) {
    const from = bytes();
    return decode(from.subarray(address, from.indexOf(0, address)));
  }

  /** Calls use(address) with memory that is free again afterwards. */
  function withMemory(size, use) {
    const block = heap.borrow(size);
    try {
      return use(block.address);
    } finally {
      heap.release(block);
    }
  }

  function withText(text, use) {
    const encoded = encode(text);
    return withMemory(encoded.length + 1, (address) => {
      bytes().set(encoded, address);
      bytes()[address + encoded.length] = 0;
      return use(address);
    });
  }

  /** A text without zeros, which would end it. */
  const unbroken = (text) => text.replaceAll("\0", "\ufffd");

  /** The text that print(buffer, size) writes, of any length. */
  function printed(print) {
    const length = print(0, 0);
    return withMemory(length + 1, (buffer) => {
      print(buffer, length + 1);
      return textAt(buffer);
    });
  }

  // ---- What the module says about itself ----

  const entries = [];
  for (let at = wasm.perlane_web_layout(); pointerAt(at) !== 0; at += 8)
    entries.push([textAt(pointerAt(at)), view().getInt32(at + 4, true)]);
  const layout = Object.fromEntries(entries); // sizes of structures, offsets of members, statuses

  const kinds = [];
  const argumentOf = new Map(); // status -> the argument that it is about
  for (const [name, value] of entries) {
    if (name.startsWith("kind ")) kinds[value] = name.slice(5);
    if (name.startsWith("argument ")) argumentOf.set(value, name.slice(9));
  }

  const presets = [];
  for (let i = 0, name; (name = wasm.perlane_preset_name(i)) !== 0; i++) presets.push(textAt(name));
  const palettes = [];
  for (let i = 0, name; (name = wasm.perlane_palette_name(i)) !== 0; i++)
    palettes.push(textAt(name));
  const looks = [];
  for (let i = 0, look; (look = wasm.perlane_look_at(i)) !== 0; i++) {
    const offset = (member) => look + layout[`perlane_look_record.${member}`];
    const text = (member) => textAt(pointerAt(offset(member)));
    const real = (member) => view().getFloat64(offset(member), true);
    looks.push(
      Object.freeze({
        name: text("name"),
        summary: text("summary"),
        palette: palettes[view().getInt32(offset("palette"), true)],
        relief: real("relief"),
        azimuth: real("azimuth"),
        altitude: real("altitude"),
        width: real("width"),
        height: real("height"),
      }),
    );
  }

  const dimensions = (mask) => [1, 2, 3, 4].filter((d) => mask & (1 << (d - 1)));

  function recordAt(address) {
    const from = view();
    const offset = (member) => address + layout[`perlane_option.${member}`];
    const int = (member) => from.getInt32(offset(member), true);
    const real = (member) => from.getFloat64(offset(member), true);
    const text = (member) => textAt(from.getUint32(offset(member), true));
    const choices = [];
    for (let i = 0; i < int("choice_count"); i++) {
      const choice = from.getUint32(offset("choices"), true) + i * layout.perlane_choice;
      choices.push(
        Object.freeze({
          name: textAt(pointerAt(choice + layout["perlane_choice.name"])),
          summary: textAt(pointerAt(choice + layout["perlane_choice.summary"])),
          dims: dimensions(from.getInt32(choice + layout["perlane_choice.dims"], true)),
        }),
      );
    }
    const kind = kinds[int("kind")];
    let value = real("default_value");
    if (kind === "choice") value = choices[value].name;
    if (kind === "axes") value = [value, value, value, value];
    if (kind === "curve") value = "none";
    const min = real("min");
    const max = real("max");
    return Object.freeze({
      name: text("name"),
      heading: text("heading"),
      summary: text("summary"),
      kind,
      min: min === -DBL_MAX ? -Infinity : min,
      max: max === DBL_MAX ? Infinity : max,
      minIsOpen: min === -DBL_MAX || int("min_is_open") !== 0,
      maxIsOpen: max === DBL_MAX || int("max_is_open") !== 0,
      excludesZero: int("excludes_zero") !== 0,
      default: value,
      dims: dimensions(int("dims")),
      choices,
      expected: printed((buffer, size) => wasm.perlane_option_expected(address, buffer, size)),
    });
  }

  const options = [];
  for (let i = 0; i < wasm.perlane_option_count(); i++)
    options.push(recordAt(wasm.perlane_option_at(i)));
  Object.freeze(options);
  const optionOf = new Map(options.map((option) => [option.name, option]));

  const STARTS = ["preset", "look", "width"]; // what an object of options begins from
  const TABLES = ["hash_table", "gradient_table", "gradient_grid"];

  /**
   * Throws an error for a status other than PERLANE_OK. explain(buffer, size) writes the library's
   * sentence, if there is one; the first option that it names is the one at fault.
   */
  function check(status, name, explain) {
    if (status === 0) return;
    const sentence = (explain && printed(explain)) || textAt(wasm.perlane_status_string(status));
    const words = sentence.match(/[a-z_0-9]+/g) ?? [];
    const option =
      name ??
      argumentOf.get(status) ??
      words.find((word) => optionOf.has(word) || TABLES.includes(word));
    const named = explain || option === undefined || sentence.includes(option);
    throw new PerlaneError(named ? sentence : `${option}: ${sentence}`, option, status);
  }

  // ---- Parameters ----

  function numberText(value, kind) {
    if (kind === "seed" && Number.isFinite(value) && Math.abs(value) >= 2 ** 53)
      throw wrong(
        "seed",
        `numbers from 2^53 on are not exact; use a BigInt, ${BigInt(Math.trunc(value))}n`,
      );
    return Object.is(value, -0) ? "-0" : String(value);
  }

  /** An option's value as text that the module reads. */
  function valueText(value, kind) {
    if (typeof value === "boolean") return value ? "on" : "off";
    if (kind === "curve" && value === null) return "none";
    if (kind === "curve" && typeof value !== "string")
      return Array.from(value, (point) => Array.from(point, numberText).join(":")).join(",");
    if (kind === "axes" && typeof value === "object")
      return Array.from(value, numberText).join(",");
    return numberText(value, kind);
  }

  function setOption(params, given, value) {
    const name = given.replaceAll("-", "_");
    const text = valueText(value, optionOf.get(name)?.kind);
    const valid = !/[\s\0]/.test(text);
    withText(name, (nameAt) =>
      withText(valid ? text : "", (textAt) =>
        check(wasm.perlane_params_set(params, nameAt, textAt), given, (buffer, size) =>
          wasm.perlane_explain_text(nameAt, textAt, buffer, size),
        ),
      ),
    );
  }

  function parse(params, text) {
    withMemory(4, (where) =>
      withText(unbroken(text), (address) => {
        const status = wasm.perlane_params_parse(params, address, where);
        if (status === 0) return;
        const rest = decode(encode(text).subarray(pointerAt(where)));
        check(status, rest.split(/[=\s]/, 1)[0] || undefined, (buffer, size) =>
          wasm.perlane_explain_text(0, address, buffer, size),
        );
      }),
    );
  }

  function valueOf(params, name) {
    return withText(name, (address) =>
      printed((buffer, size) => wasm.perlane_params_get(params, address, buffer, size)),
    );
  }

  /** Selects what uses the tables, unless the options do; throws if they select something else. */
  function selectUsers(params, given) {
    const hash = given.hash_table?.length === 1024 ? "primes" : "table";
    const users = [
      ["hash_table", "hash", hash],
      ["gradient_table", "gradients", "table"],
      ["gradient_grid", "hash", "grid"],
    ].filter(([table]) => given[table] != null);
    for (const [, option, value] of users)
      if (given[option] === undefined && !["primes", "grid"].includes(valueOf(params, option)))
        setOption(params, option, value);
    for (const [table, option, value] of users)
      if (valueOf(params, option) !== value) throw wrong(table, `needs ${option}: "${value}"`);
  }

  /** Sets tables, in memory that the field keeps or that is temporary: perlane_init copies these. */
  function setTables(params, given, kept, temporary) {
    const put = (member, address) =>
      view().setUint32(params + layout[`perlane_params.${member}`], address, true);
    const store = (array, blocks) => {
      const block =
        blocks === temporary ? heap.borrow(array.byteLength) : heap.allocate(array.byteLength);
      blocks.push(block);
      new array.constructor(memory.buffer, block.address, array.length).set(array);
      return block.address;
    };
    if (given.hash_table != null) {
      const table = Array.from(given.hash_table);
      if (
        (table.length !== 256 && table.length !== 1024) ||
        table.some((each) => each !== (each | 0))
      )
        throw wrong("hash_table", "expected 256 or 1024 whole numbers");
      put("hash_table", store(Int32Array.from(table), temporary));
    }
    if (given.gradient_table != null) {
      const vectors = Array.from(given.gradient_table, (vector) => Array.from(vector));
      const dims = vectors[0]?.length ?? 0;
      if (vectors.some((vector) => vector.length !== dims))
        throw wrong("gradient_table", "expected vectors with the same number of components");
      put("gradient_table", store(Float32Array.from(vectors.flat()), temporary));
      put("gradient_dims", dims);
      put("gradient_count", vectors.length);
    }
    if (given.gradient_grid == null) return;
    const [nx, ny] = Array.from(given.gradient_grid.size ?? []);
    const values = Float32Array.from(given.gradient_grid.vectors ?? []);
    if (!(
      Number.isInteger(nx) &&
      nx >= 1 &&
      Number.isInteger(ny) &&
      ny >= 1 &&
      values.length === 2 * nx * ny
    ))
      throw wrong("gradient_grid", "expected size, [nx, ny], and 2 * nx * ny numbers in vectors");
    put("gradient_grid", store(values, kept));
    put("gradient_grid_count", nx);
    view().setInt32(params + layout["perlane_params.gradient_grid_count"] + 4, ny, true);
  }

  /** Returns a text without its tables, and these, which are lists: hash_table=[0,1,...]. */
  function splitTables(text) {
    const tables = {};
    const rest = text.replace(
      /(?<!\S)(hash[_-]table|gradient[_-](?:table|grid))=(\[\S*)/g,
      (_, word, list) => {
        const name = word.replace("-", "_");
        let value;
        try {
          value = JSON.parse(list);
        } catch {
          throw wrong(name, "expected a list of numbers without blanks, such as [0,1]");
        }
        const size = [value[0]?.length, value.length];
        tables[name] = name === "gradient_grid" ? { size, vectors: value.flat(2) } : value;
        return "";
      },
    );
    return [rest, tables];
  }

  /** Makes params those of a look. */
  function parseLook(params, look, width) {
    const names = looks.map(({ name }) => name);
    if (!names.includes(look)) throw wrong("look", `expected one of ${names.join(", ")}`);
    if (withText(look, (name) => wasm.perlane_look(params, name, Number(width))) !== 0)
      throw wrong("width", "expected a number from 1 to 2^53");
  }

  /** Makes a field from options: { owned, params, noise }, where owned is what `share` and `release` take. */
  function make(given) {
    const owned = {
      users: 1,
      blocks: [heap.allocate(layout.perlane_params + ALIGNMENT + noiseSize)],
      others: [],
    };
    const temporary = [];
    const params = owned.blocks[0].address;
    const noise = aligned(params + layout.perlane_params);
    try {
      check(wasm.perlane_params_init(params));
      if (typeof given === "string") {
        const [text, tables] = splitTables(given);
        parse(params, text);
        setTables(params, tables, owned.blocks, temporary);
        selectUsers(params, tables);
      } else if (typeof given === "object" && given !== null) {
        if (given.preset != null)
          parse(params, `preset=${String(given.preset).replace(/\s/g, "?")}`);
        if (given.look != null) parseLook(params, given.look, given.width ?? 1024);
        for (const [name, value] of Object.entries(given))
          if (value !== undefined && ![...STARTS, ...TABLES].includes(name))
            setOption(params, name, value);
        setTables(params, given, owned.blocks, temporary);
        selectUsers(params, given);
      } else {
        throw new TypeError("expected a text or an object of options");
      }
      check(wasm.perlane_init(noise, params), undefined, (buffer, size) =>
        wasm.perlane_explain_params(params, buffer, size),
      );
      return { owned, params, noise };
    } catch (error) {
      release(owned);
      throw error;
    } finally {
      temporary.forEach((block) => heap.release(block));
    }
  }

  const noiseSize = layout.perlane_noise;
  const aligned = (address) => Math.ceil(address / ALIGNMENT) * ALIGNMENT;

  /** Releases the memory of a field, and what it shares with others, when no field uses it any more. */
  function release(owned) {
    if (--owned.users > 0) return;
    owned.blocks.forEach((block) => heap.release(block));
    owned.others.forEach(release);
  }

  function share(owned) {
    owned.users++;
    return owned;
  }

  const registry =
    typeof FinalizationRegistry === "undefined" ? undefined : new FinalizationRegistry(release);

  // ---- Expressions ----

  /**
   * Makes an expression from its text, as `make` does. Its fields are copies of `fields`, an array of
   * { name, noise, owned }, or made from the text if there are none.
   */
  function makeExpression(text, fields) {
    // Each definition ends with one of these characters.
    const ends = text.match(/[;\n]/g)?.length ?? 0;
    const room = fields.length || Math.min(ends, layout.PERLANE_MAX_EXPRESSION_FIELDS);
    const others = fields.map(({ owned }) => share(owned)); // which have the tables
    const owned = { users: 1, blocks: [heap.allocate(ALIGNMENT + (1 + room) * noiseSize)], others };
    const noise = aligned(owned.blocks[0].address);
    const copyOf = (i) => noise + (1 + i) * noiseSize;
    const option = ["expression", ...fields.map(({ name }) => name)].join(" ");
    const explain = (buffer, size) =>
      withText(option, (at) =>
        withText(unbroken(text), (address) => wasm.perlane_explain_text(at, address, buffer, size)),
      );
    const call = (names, pointers) =>
      withText(unbroken(text), (address) =>
        check(
          names === 0
            ? wasm.perlane_expression_init_text(noise, address, room, copyOf(0), 0)
            : wasm.perlane_expression_init(noise, address, room, names, pointers),
          "expression",
          explain,
        ),
      );
    try {
      if (fields.length === 0) call(0, 0);
      else
        withText(fields.map(({ name }) => name).join("\0"), (name) =>
          withMemory(8 * room, (pointers) => {
            fields.forEach((field, i) => {
              bytes().copyWithin(copyOf(i), field.noise, field.noise + noiseSize);
              view().setUint32(pointers + 4 * i, name, true);
              view().setUint32(pointers + 4 * (room + i), copyOf(i), true);
              name += encode(field.name).length + 1;
            });
            call(pointers, pointers + 4 * room);
          }),
        );
      return { owned, params: 0, noise };
    } catch (error) {
      release(owned);
      throw error;
    }
  }

  // ---- Arguments ----

  /** One value for each axis, from an array or from one value for all axes. */
  function perAxis(name, value, dims, usual, convert) {
    if (value === undefined) value = usual;
    if (typeof value === "object" && value !== null) {
      if (value.length !== dims) throw wrong(name, `expected ${dims} values, one for each axis`);
      return Array.from(value, (each) => convert(name, each));
    }
    return new Array(dims).fill(convert(name, value));
  }

  function toCount(name, value) {
    const count = typeof value === "bigint" ? Number(value) : value;
    if (!Number.isSafeInteger(count) || count < 1)
      throw wrong(name, "expected whole numbers of samples, at least 1");
    return count;
  }

  function toIndex(name, value) {
    if (typeof value === "number" && Number.isSafeInteger(value)) return BigInt(value);
    if (typeof value === "bigint" && BigInt.asIntN(64, value) === value) return value;
    throw wrong(name, "expected whole numbers below 2^53 in magnitude, or BigInts of 64 bits");
  }

  function toReal(name, value) {
    if (typeof value !== "number") throw wrong(name, "expected numbers");
    return value;
  }

  function toOctaves(value) {
    if (value === "shown") return -1;
    if (Number.isInteger(value) && value >= 0 && value <= 32) return value;
    throw wrong("octaves", 'expected a whole number from 0 to 32, or "shown"');
  }

  function checkSettings(given, names) {
    for (const name of Object.keys(given))
      if (!names.includes(name))
        throw wrong(name, `there is no such setting; expected one of ${names.join(", ")}`);
  }

  const GRID = ["size", "first", "step", "origin", "octaves"];

  /** Reads a grid; `more` has the names of other settings that the call takes. */
  function gridOf(spec, more) {
    if (typeof spec !== "object" || spec === null)
      throw new TypeError("expected an object with the size of the grid");
    checkSettings(spec, [...GRID, ...more]);
    if (spec.size === undefined) throw wrong("size", "expected the number of samples of each axis");
    const size =
      typeof spec.size === "object" && spec.size !== null ? Array.from(spec.size) : [spec.size];
    const dims = size.length;
    if (dims < 1 || dims > 4) throw wrong("size", "expected 1 to 4 axes");
    return {
      dims,
      count: size.map((each) => toCount("size", each)),
      first: perAxis("first", spec.first, dims, 0, toIndex),
      origin: perAxis("origin", spec.origin, dims, 0, toReal),
      step: perAxis("step", spec.step, dims, 1, toReal),
      octaves: toOctaves(spec.octaves ?? 0),
    };
  }

  // Work memory of fills, made for the first grid of many samples.
  let work = 0;

  function workMemory() {
    try {
      work ||= heap.allocate(layout.PERLANE_WORK_BYTES).address;
    } catch {
      return 0; // fills only take longer without it
    }
    return work;
  }

  const gridMember = (name) => layout[`perlane_grid.${name}`];

  function writeGrid(address, grid) {
    const to = view();
    bytes().fill(0, address, address + layout.perlane_grid);
    to.setInt32(address + gridMember("dims"), grid.dims, true);
    for (let a = 0; a < grid.dims; a++) {
      to.setBigInt64(address + gridMember("first") + 8 * a, grid.first[a], true);
      to.setBigUint64(address + gridMember("count") + 8 * a, BigInt(grid.count[a]), true);
      to.setFloat64(address + gridMember("origin") + 8 * a, grid.origin[a], true);
      to.setFloat64(address + gridMember("step") + 8 * a, grid.step[a], true);
    }
    to.setInt32(address + gridMember("octaves"), grid.octaves, true);
  }

  /** Calls use(piece, offset, samples) for pieces of a grid that are contiguous in a packed array. */
  function forEachPiece(grid, use) {
    withMemory(2 * layout.perlane_grid + 40, (whole) => {
      const piece = whole + layout.perlane_grid;
      const units = piece + layout.perlane_grid;
      const number = units + 32;
      const total = grid.count.reduce((a, b) => a * b, 1);
      // Pieces of an axis differ by 1 in length: twice as many as would do if all were alike.
      const wanted = BigInt(Math.ceil((2 * total) / MAX_PIECE_SAMPLES));
      writeGrid(whole, grid);
      for (let a = 0; a < grid.dims; a++) view().setBigUint64(units + 8 * a, 1n, true);
      check(wasm.perlane_grid_cut(whole, units, wanted, number));
      const pieces = view().getBigUint64(number, true);
      for (let i = 0n; i < pieces; i++) {
        check(wasm.perlane_grid_piece(whole, units, pieces, i, piece, number));
        let samples = 1;
        for (let a = 0; a < grid.dims; a++)
          samples *= Number(view().getBigUint64(piece + gridMember("count") + 8 * a, true));
        const work = samples >= MIN_WORK_SAMPLES ? workMemory() : 0;
        view().setUint32(piece + gridMember("work"), work, true);
        view().setUint32(piece + gridMember("work_bytes"), work && layout.PERLANE_WORK_BYTES, true);
        use(piece, Number(view().getBigInt64(number, true)), samples);
      }
    });
  }

  function outputOf(name, out, array, n) {
    if (out === undefined || out === null) return new array(n);
    const fits = array === Uint8Array ? out instanceof Uint8ClampedArray : false;
    if (!(out instanceof array) && !fits) throw wrong(name, `expected a ${array.name}`);
    if (out.length !== n) throw wrong(name, `expected ${n} elements, not ${out.length}`);
    return out;
  }

  function formatOf(spec) {
    let name = spec.dtype;
    if (name === undefined)
      name =
        spec.out instanceof Uint16Array
          ? "uint16"
          : spec.out instanceof Uint8Array || spec.out instanceof Uint8ClampedArray
            ? "uint8"
            : "float32";
    if (!Object.hasOwn(FORMATS, name))
      throw wrong("dtype", `expected one of ${Object.keys(FORMATS).join(", ")}`);
    return FORMATS[name];
  }

  /** The outputs of a gradient: arrays of the caller's, or new ones. */
  function gradientOutput(out, dims, n) {
    const given = out ?? new Array(dims).fill(undefined);
    if (given.length !== dims)
      throw wrong("gradient", `expected ${dims} arrays, one for each axis`);
    return Array.from(given, (each) => outputOf("gradient", each, Float32Array, n));
  }

  const overlap = (a, b) =>
    a.buffer === b.buffer &&
    a.byteOffset < b.byteOffset + b.byteLength &&
    b.byteOffset < a.byteOffset + a.byteLength;

  /** Throws if outputs overlap each other or coordinates; an output may be one of the coordinates. */
  function checkOverlaps(outputs, coords = []) {
    const isPlace = (a, b) => a.byteOffset === b.byteOffset && a.byteLength === b.byteLength;
    outputs.forEach((out, i) => {
      const others = [...outputs.slice(0, i), ...coords.filter((each) => !isPlace(each, out))];
      if (others.some((each) => overlap(out, each)))
        throw wrong(i === 0 ? "out" : "gradient", "overlaps another array");
    });
  }

  /** The words that write(address) writes, at most `count`; the others are 0. */
  function wordsOf(count, write, out) {
    return withMemory(4 * count, (address) => {
      bytes().fill(0, address, address + 4 * count);
      write(address);
      const words = outputOf("out", out, Uint32Array, count);
      words.set(new Uint32Array(memory.buffer, address, count));
      return words;
    });
  }

  // ---- Pictures ----

  const PICTURE = [
    "palette",
    "shade",
    "normalMap",
    "normalY",
    "low",
    "high",
    "light",
    "relief",
    "samples",
  ];
  const SLOPES = ["none", "gradient", "differences"]; // as in perlane_slopes
  const [COLOURS, SHADED, NORMALS, NORMALS_DOWN] = [0, 1, 2, 3]; // as in perlane_picture_kind

  function paletteIndex(name) {
    const index = palettes.indexOf(name);
    if (index < 0) throw wrong("palette", `expected one of ${palettes.join(", ")}`);
    return index;
  }

  /** Reads the settings of a picture as members of perlane_picture; `range` is the field's. */
  function pictureOf(spec, range) {
    const { normalY = "up", light = [315, 45] } = spec;
    const [azimuth, altitude] = perAxis("light", light, 2, 0, toReal);
    if (normalY !== "up" && normalY !== "down") throw wrong("normalY", 'expected "up" or "down"');
    const normals = normalY === "down" ? NORMALS_DOWN : NORMALS;
    return {
      kind: spec.normalMap ? normals : spec.shade ? SHADED : COLOURS,
      palette: paletteIndex(spec.palette ?? "grey"),
      low: toReal("low", spec.low ?? range[0]),
      high: toReal("high", spec.high ?? range[1]),
      azimuth,
      altitude,
      relief: spec.relief === undefined ? NaN : toReal("relief", spec.relief),
    };
  }

  function writePicture(address, picture) {
    check(wasm.perlane_picture_init(address));
    for (const [name, value] of Object.entries(picture)) {
      const to = address + layout[`perlane_picture.${name}`];
      if (name === "kind" || name === "palette") view().setInt32(to, value, true);
      else view().setFloat64(to, value, true);
    }
  }

  const slopesAt = heap.allocate(16).address; // the derivatives of one position

  /** The coordinates of a position, which are arguments or in an array. */
  function positionOf(position) {
    const given = position.length === 1 && typeof position[0] === "object" ? position[0] : position;
    const dims = given?.length;
    if (!(dims >= 1 && dims <= 4)) throw wrong("position", "expected 1 to 4 coordinates");
    for (let a = 0; a < dims; a++) toReal("position", given[a]);
    return given;
  }

  // ---- Fields ----

  class Field {
    #owned;
    #params;
    #noise;
    #plan; // of the last picture: { block, key }

    constructor(made) {
      this.#owned = made.owned;
      this.#params = made.params;
      this.#noise = made.noise;
      registry?.register(this, this.#owned, this.#owned);
    }

    // A copy by structuredClone() or postMessage() would be empty: a symbol makes them throw, with its words.
    uncloneable = Symbol("a field, whose text can be sent instead:");

    /** What an expression needs of a field that it names. */
    static partOf(name, field) {
      const word = unbroken(name).replaceAll(" ", "\\x20"); // a blank would end it
      return { name: word, noise: field.#use(), owned: field.#owned };
    }

    // at() without checks of the arguments, as a function that keeps its field.
    static noise2D(given = "") {
      const field = new Field(make(given));
      field.range(2); // throws where the field does not exist
      return (x, y) => evaluate(field.#noise, 2, x, y, 0, 0, 0);
    }

    static noise3D(given = "") {
      const field = new Field(make(given));
      field.range(3);
      return (x, y, z) => evaluate(field.#noise, 3, x, y, z, 0, 0);
    }

    #use() {
      if (this.#owned === undefined) throw new PerlaneError("this field was freed");
      return this.#noise;
    }

    get text() {
      const noise = this.#use();
      return printed((buffer, size) =>
        this.#params
          ? wasm.perlane_params_print(this.#params, buffer, size)
          : wasm.perlane_expression_text(noise, buffer, size),
      );
    }

    toString() {
      return this.text;
    }

    toJSON() {
      return this.text;
    }

    [Symbol.for("nodejs.util.inspect.custom")]() {
      return `${this.constructor.name} "${this.text}"`;
    }

    get(name) {
      this.#use();
      if (!optionOf.has(String(name).replaceAll("-", "_")))
        check(layout.ERROR_OPTION, String(name));
      return valueOf(this.#params, name);
    }

    reseed(seed) {
      const noise = this.#use();
      setOption(this.#params, "seed", seed);
      check(wasm.perlane_reseed(noise, BigInt.asUintN(64, BigInt(this.get("seed")))));
      if (this.#plan) this.#plan.key = undefined; // its slopes are measured
      return this;
    }

    free() {
      if (this.#owned === undefined) return;
      registry?.unregister(this.#owned);
      release(this.#owned);
      this.#owned = undefined;
    }

    range(of) {
      const noise = this.#use();
      const grid = typeof of === "object" ? gridOf(of, []) : undefined;
      return withMemory(8 + layout.perlane_grid, (low) => {
        const address = low + 8;
        if (grid) {
          writeGrid(address, grid);
          check(wasm.perlane_range_in(noise, address, low, low + 4));
        } else check(wasm.perlane_range(noise, of, low, low + 4));
        return [view().getFloat32(low, true), view().getFloat32(low + 4, true)];
      });
    }

    /** The value at a position; writes its derivatives to the address `slopes` unless that is 0. */
    #at(given, slopes) {
      const dims = given.length;
      const y = dims > 1 ? given[1] : 0;
      const z = dims > 2 ? given[2] : 0;
      const w = dims > 3 ? given[3] : 0;
      return evaluate(this.#use(), dims, given[0], y, z, w, slopes);
    }

    at(...position) {
      const given = positionOf(position);
      const value = this.#at(given, 0);
      if (Number.isNaN(value)) this.range(given.length); // throws where the field does not exist
      return value;
    }

    gradient(...position) {
      const given = positionOf(position);
      const value = this.#at(given, slopesAt);
      if (Number.isNaN(value))
        // throws where the field has no gradient
        this.pointsGradient(Array.from(given, (each) => Float64Array.of(each)));
      return { value, gradient: new Float32Array(memory.buffer, slopesAt, given.length).slice() };
    }

    /** Checks the whole grid before anything is written. Returns the number of samples. */
    #check(grid) {
      const noise = this.#use();
      withMemory(layout.perlane_grid, (address) => {
        writeGrid(address, grid);
        check(wasm.perlane_grid_check(noise, address), undefined, (buffer, size) =>
          wasm.perlane_explain_grid(noise, address, buffer, size),
        );
      });
      return grid.count.reduce((a, b) => a * b, 1);
    }

    /**
     * Computes a grid by pieces: compute(piece, addresses, more) writes one output to each address
     * and returns a status; `more` is the address of so many more bytes.
     */
    #pieces(grid, outs, extra, compute) {
      const room = Math.min(outs[0].length, MAX_PIECE_SAMPLES) * 4;
      withMemory(room * outs.length + extra, (to) => {
        const at = outs.map((_, i) => to + room * i);
        forEachPiece(grid, (piece, offset, n) => {
          check(compute(piece, at, to + room * outs.length));
          outs.forEach((out, i) => {
            const type = ARRAYS.find((each) => out instanceof each);
            out.set(new type(memory.buffer, at[i], n), offset);
          });
        });
      });
    }

    fill(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, ["out", "dtype", "low", "high"]);
      const samples = this.#check(grid);
      const { array, fill } = formatOf(spec);
      let levels = [];
      if (array !== Float32Array) {
        const range = this.range(grid.dims);
        levels = [toReal("low", spec.low ?? range[0]), toReal("high", spec.high ?? range[1])];
      } else if (spec.low !== undefined || spec.high !== undefined) {
        throw wrong(
          spec.low !== undefined ? "low" : "high",
          "has no effect on floats; give dtype, too",
        );
      }
      const out = outputOf("out", spec.out, array, samples);
      this.#pieces(grid, [out], 0, (piece, [to]) => wasm[fill](noise, piece, ...levels, to));
      return out;
    }

    fillExtremes(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, ["out"]);
      const values = outputOf("out", spec.out, Float32Array, this.#check(grid));
      let smallest = Infinity;
      let largest = -Infinity;
      this.#pieces(grid, [values], 8, (piece, [to], ends) => {
        const status = wasm.perlane_fill_extremes(noise, piece, to, ends, ends + 4);
        const [low, high] = [view().getFloat32(ends, true), view().getFloat32(ends + 4, true)];
        if (low <= high) {
          // there are numbers
          smallest = Math.min(smallest, low);
          largest = Math.max(largest, high);
        }
        return status;
      });
      if (smallest > largest) smallest = largest = NaN;
      return { values, smallest, largest };
    }

    fillGradient(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, ["out", "gradient"]);
      const samples = this.#check(grid);
      const values = outputOf("out", spec.out, Float32Array, samples);
      const gradient = gradientOutput(spec.gradient, grid.dims, samples);
      checkOverlaps([values, ...gradient]);
      this.#pieces(grid, [values, ...gradient], 16, (piece, [to, ...slopes], pointers) => {
        slopes.forEach((each, a) => view().setUint32(pointers + 4 * a, each, true));
        return wasm.perlane_fill_gradient(noise, piece, to, pointers);
      });
      return { values, gradient };
    }

    /** Returns the address of the plan of a picture, which is made again only for another one. */
    #planOf(picture, grid) {
      const key = [...Object.values(picture), grid.dims, ...grid.step].join();
      if (!this.#plan) {
        this.#plan = { block: heap.allocate(layout.perlane_picture_plan) };
        this.#owned.blocks.push(this.#plan.block);
      }
      const plan = this.#plan.block.address;
      if (this.#plan.key === key) return plan;
      this.#plan.key = undefined;
      withMemory(layout.perlane_grid + layout.perlane_picture, (address) => {
        const record = address + layout.perlane_grid;
        writeGrid(address, grid);
        writePicture(record, picture);
        const status = wasm.perlane_picture_prepare(plan, record, this.#noise, address);
        const kind = picture.kind === SHADED ? "shade" : "normalMap";
        check(status, argumentOf.has(status) ? undefined : kind);
      });
      this.#plan.key = key;
      return plan;
    }

    picture(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, PICTURE);
      if (grid.dims < 2 || grid.count.slice(2).some((each) => each > 1))
        throw wrong("size", "expected two axes, or one sample along each other axis");
      if (spec.samples !== undefined && !(spec.samples instanceof Float32Array))
        throw wrong("samples", "expected a Float32Array");
      const pixels = new Uint8ClampedArray(4 * this.#check(grid));
      const plan = this.#planOf(pictureOf(spec, this.range(grid.dims)), grid);
      const rooms = []; // floats of each piece
      forEachPiece(grid, (address) => rooms.push(wasm.perlane_picture_scratch(plan, address)));
      const total = rooms.reduce((a, b) => a + b, 0);
      const given = spec.samples?.length === total;
      const samples = given ? spec.samples : new Float32Array(total);
      const room = Math.ceil(Math.max(...rooms) / 4) * 16;
      let from = 0;
      withMemory(
        room +
          4 *
            Math.min(
              grid.count.reduce((a, b) => a * b, 1),
              MAX_PIECE_SAMPLES,
            ),
        (scratch) =>
          forEachPiece(grid, (address, offset, n) => {
            const to = scratch + room;
            const floats = rooms.shift();
            const part = samples.subarray(from, (from += floats));
            if (given) new Float32Array(memory.buffer, scratch, floats).set(part);
            else check(wasm.perlane_picture_sample(plan, noise, address, scratch));
            check(wasm.perlane_picture_draw(plan, address, scratch, to + n));
            wasm.perlane_web_rgba(to, n);
            if (!given) part.set(new Float32Array(memory.buffer, scratch, floats));
            pixels.set(new Uint8Array(memory.buffer, to, 4 * n), 4 * offset);
          }),
      );
      const slopes = SLOPES[view().getInt32(plan + layout["perlane_picture_plan.slopes"], true)];
      const relief = view().getFloat64(plan + layout["perlane_picture_plan.relief"], true);
      return { pixels, samples, slopes, relief };
    }

    fillCells(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, ["edge"]);
      const samples = this.#check(grid);
      const dims = grid.dims;
      const arrays = [new Uint32Array(samples)];
      for (let i = 0; i < dims + (spec.edge ? 3 : 2); i++) arrays.push(new Float32Array(samples));
      // perlane_cells: id, offset of four axes, f1, f2, edge, two reserved.
      const places = [0, ...[1, 2, 3].slice(0, dims), 5, 6, ...(spec.edge ? [7] : [])];
      this.#pieces(grid, arrays, 40, (piece, at, cells) => {
        bytes().fill(0, cells, cells + 40);
        places.forEach((place, i) => view().setUint32(cells + 4 * place, at[i], true));
        return wasm.perlane_fill_cells(noise, piece, cells);
      });
      const [id, ...rest] = arrays;
      const [f1, f2, edge] = rest.slice(dims);
      return { id, offset: rest.slice(0, dims), f1, f2, ...(edge && { edge }) };
    }

    scatter(low, high) {
      const noise = this.#use();
      const dims = low?.length;
      if (!(dims >= 1 && dims <= 3) || high?.length !== dims)
        throw new PerlaneError("low and high must be arrays of as many coordinates, 1 to 3");
      if (![...low, ...high].every(Number.isFinite))
        throw new PerlaneError("low and high must be arrays of finite numbers");
      // Corners, the number of points, addresses of the axes.
      return withMemory(72, (memory) => {
        [...low, ...high].forEach((end, i) =>
          view().setFloat64(memory + 8 * (i < dims ? i : i - dims + 3), end, true),
        );
        const find = (...to) =>
          check(wasm.perlane_scatter(noise, dims, memory, memory + 24, ...to, memory + 48));
        find(0n, 0, 0, 0);
        const count = Number(view().getBigUint64(memory + 48, true));
        return withMemory(count * (8 * dims + 8), (arrays) => {
          const places = [...low].map((_, i) => arrays + 8 * count * i);
          const ids = arrays + 8 * count * dims;
          places.forEach((place, i) => view().setUint32(memory + 56 + 4 * i, place, true));
          find(BigInt(count), memory + 56, ids, ids + 4 * count);
          const copy = (Type, at) =>
            new Type(view().buffer.slice(at, at + count * Type.BYTES_PER_ELEMENT));
          return {
            position: places.map((place) => copy(Float64Array, place)),
            id: copy(Uint32Array, ids),
            number: copy(Float32Array, ids + 4 * count),
          };
        });
      });
    }

    gpuWords(spec) {
      const noise = this.#use();
      const grid = gridOf(spec, ["out"]);
      this.#check(grid);
      return withMemory(layout.perlane_grid, (address) => {
        writeGrid(address, grid);
        const count = wasm.perlane_gpu_words(noise, address);
        const write = (to) => wasm.perlane_gpu_tables(noise, address, to, count);
        return this.#words(write, count, address, spec.out);
      });
    }

    gpuPointWords(dims, settings = {}) {
      const noise = this.#use();
      checkSettings(settings, ["origin", "out"]);
      const { origin, out } = settings;
      this.range(dims); // throws where the field does not exist
      const at = perAxis("origin", origin, dims, 0, toReal);
      return withMemory(layout.perlane_grid + 32, (address) => {
        const start = address + layout.perlane_grid;
        writeGrid(address, gridOf({ size: new Array(dims).fill(1) }, []));
        at.forEach((each, a) => view().setFloat64(start + 8 * a, each, true));
        const write = (to) =>
          wasm.perlane_gpu_points(noise, dims, start, to, layout.PERLANE_GPU_POINT_WORDS);
        return this.#words(write, layout.PERLANE_GPU_POINT_WORDS, address, out);
      });
    }

    /** The words for shaders that write(address) writes, about a grid in memory. */
    #words(write, count, grid, out) {
      return wordsOf(
        count,
        (to) => {
          check(write(to), undefined, (buffer, size) =>
            wasm.perlane_explain_gpu(this.#noise, grid, buffer, size),
          );
        },
        out,
      );
    }

    points(coords, settings = {}) {
      return this.#points(coords, settings, false).values;
    }

    pointsGradient(coords, settings = {}) {
      return this.#points(coords, settings, true);
    }

    #points(coords, settings, sloped) {
      const noise = this.#use();
      checkSettings(settings, sloped ? ["origin", "out", "gradient"] : ["origin", "out"]);
      const axes = Array.from(coords);
      const dims = axes.length;
      const type = axes[0] instanceof Float64Array ? Float64Array : Float32Array;
      if (dims < 1 || dims > 4) throw wrong("coords", "expected 1 to 4 arrays, one for each axis");
      if (!axes.every((each) => each instanceof type))
        throw wrong("coords", "expected arrays of one type, Float32Array or Float64Array");
      const n = axes[0].length;
      if (!axes.every((each) => each.length === n))
        throw wrong("coords", "expected arrays of one length");
      const double = type === Float64Array;
      if (double && settings.origin !== undefined)
        throw wrong("origin", "goes with coordinates in Float32Arrays only; add it to these");
      const origin = perAxis("origin", settings.origin, dims, 0, toReal);
      const values = outputOf("out", settings.out, Float32Array, n);
      const gradient = sloped ? gradientOutput(settings.gradient, dims, n) : [];
      checkOverlaps([values, ...gradient], axes);
      const room = Math.min(n, MAX_PIECE_POINTS) * 8;
      // Outputs, coordinates, pointers to the gradient, the origin, the list.
      withMemory(room * (1 + 2 * dims) + 48 + layout.perlane_list, (to) => {
        const slopes = to + room * (1 + 2 * dims);
        const start = slopes + 16;
        const list = start + 32;
        const member = (name) => list + layout[`perlane_list.${name}`];
        new Uint8Array(memory.buffer, list, layout.perlane_list).fill(0);
        view().setInt32(member("dims"), dims, true);
        if (!double) view().setUint32(member("origin"), start, true);
        for (let a = 0; a < dims; a++) {
          view().setUint32(slopes + 4 * a, to + room * (1 + a), true);
          view().setUint32(
            member(double ? "coords64" : "coords") + 4 * a,
            to + room * (1 + dims + a),
            true,
          );
          view().setFloat64(start + 8 * a, origin[a], true);
        }
        const call = (count) => {
          view().setBigUint64(member("count"), BigInt(count), true);
          return wasm.perlane_points(noise, list, to, sloped ? slopes : 0);
        };
        check(call(0)); // before anything is written
        for (let i = 0; i < n; i += MAX_PIECE_POINTS) {
          const count = Math.min(MAX_PIECE_POINTS, n - i);
          axes.forEach((each, a) =>
            new type(memory.buffer, to + room * (1 + dims + a), count).set(
              each.subarray(i, i + count),
            ),
          );
          check(call(count));
          [values, ...gradient].forEach((out, k) =>
            out.set(new Float32Array(memory.buffer, to + room * k, count), i),
          );
        }
      });
      return { values, gradient };
    }
  }

  const field = (given = "") => new Field(make(given));

  class Expression extends Field {
    constructor(text, fields = {}) {
      if (typeof text !== "string") throw new TypeError("expected the text of an expression");
      const made = []; // for this expression alone
      try {
        const parts = Object.entries(fields).map(([name, given]) => {
          if (given instanceof Expression)
            throw wrong(name, "expected a field; an expression cannot be a part of another");
          if (given instanceof Field) return Field.partOf(name, given);
          if (given?.fill) throw wrong(name, "expected a field of the same instance of the module");
          made.push(field(given));
          return Field.partOf(name, made.at(-1));
        });
        super(makeExpression(text, parts));
      } finally {
        made.forEach((each) => each.free());
      }
    }

    get(name) {
      throw wrong(String(name), "an expression has no options; its fields have them");
    }

    reseed() {
      throw wrong("seed", "an expression has no seed; its fields have seeds");
    }
  }

  return {
    field,
    Expression,
    noise2D: Field.noise2D,
    noise3D: Field.noise3D,
    Field,
    options,
    presets: Object.freeze(presets),
    looks: Object.freeze(looks),
    palettes: Object.freeze(palettes),
    palette(name) {
      const index = paletteIndex(name);
      return withMemory(layout.perlane_colours, (address) => {
        check(wasm.perlane_palette_make(address, index));
        const offset = (member) => address + layout[`perlane_colours.${member}`];
        const floats = (member, count) =>
          new Float32Array(memory.buffer, offset(member), count).slice();
        return {
          colours: floats("colour", 3 * layout.PERLANE_COLOURS),
          coast: view().getInt32(offset("has_coast"), true) !== 0,
          rock: [...floats("rock", 3)],
          slopes: ["steep", "steepest"].map((member) => view().getFloat64(offset(member), true)),
        };
      });
    },
    version: textAt(wasm.perlane_version()),
    selftest() {
      return withMemory(8, (address) => {
        const status = wasm.perlane_selftest(0, address); // of the kernels in use
        const expected = BigInt.asUintN(64, wasm.perlane_web_digest());
        return { ok: status === 0, digest: view().getBigUint64(address, true), expected };
      });
    },
    gpuSelftests: () =>
      withMemory(4, (digest) =>
        Array.from({ length: layout.PERLANE_GPU_SELFTESTS }, (_, i) => ({
          words: wordsOf(layout.PERLANE_GPU_SELFTEST_WORDS, (to) =>
            check(wasm.perlane_gpu_selftest(i, to, digest)),
          ),
          digest: pointerAt(digest),
        })),
      ),
  };
}
