// SPDX-License-Identifier: MIT

import type { Look, Options, Palette } from "./options.js";

export type { Look, Options, Palette, Preset } from "./options.js";

// New arrays, whose buffer is an ArrayBuffer: TypeScript knows that from version 5.7 on.
type Floats = ReturnType<Float32ArrayConstructor["from"]>;
type Uint16s = ReturnType<Uint16ArrayConstructor["from"]>;
type Uint32s = ReturnType<Uint32ArrayConstructor["from"]>;
type Bytes = ReturnType<Uint8ArrayConstructor["from"]>;
type ClampedBytes = ReturnType<Uint8ClampedArrayConstructor["from"]>;

/** One value for each axis, or one for all axes. */
export type PerAxis<T> = T | readonly T[];

/** A grid of samples: sample i of an axis is at origin + (first + i) * step. x is the first axis. */
export interface Grid {
  /** Number of samples of each axis, 1 to 4 of them; a number is the length of a line. */
  size: PerAxis<number | bigint>;
  /** Index of the first sample, exact in 64 bits. Default: 0. */
  first?: PerAxis<number | bigint>;
  /** Distance between samples. Default: 1. */
  step?: PerAxis<number>;
  /** Coordinate of index 0. Default: 0. */
  origin?: PerAxis<number>;
  /**
   * Number of octaves, from the first on, that samples are the sum of, scaled as in the whole
   * field; "shown" for those that the longest step shows, in coarse levels of detail: up to half a
   * cell per sample. Default: 0, all.
   */
  octaves?: number | "shown";
}

/** Integers: `low` becomes 0, and `high` the largest integer. */
export interface Levels {
  /** Default: the smallest value that the field can have. */
  low?: number;
  /** Default: the largest value that the field can have. */
  high?: number;
}

/** A grid of samples of a type: that of `dtype`, or of the array `out`, which receives them, x fastest. */
export type Typed<Name extends string, Out> =
  { dtype: Name; out?: Out } | { dtype?: Name; out: Out };
export type FloatGrid<Out = Float32Array> = Grid & { dtype?: "float32"; out?: Out };
export type Uint16Grid<Out = Uint16Array> = Grid & Levels & Typed<"uint16", Out>;
export type Uint8Grid<Out = Uint8Array | Uint8ClampedArray> = Grid & Levels & Typed<"uint8", Out>;

export interface GradientGrid<Out = Float32Array, Slopes = Float32Array> extends Grid {
  out?: Out;
  /** Receive the derivatives, an array for each axis; new ones unless given. */
  gradient?: readonly Slopes[];
}

/** A grid in 2D, or a plane in 3D, and how a picture of it is drawn: as the command does. */
export interface PictureGrid extends Grid {
  /** Default: "grey". */
  palette?: Palette;
  /** Values of the first and the last colour. Default: the smallest and the largest that there can be. */
  low?: number;
  high?: number;
  /** Whether colours are lit as a surface whose heights are the values. */
  shade?: boolean;
  /** The light's azimuth, clockwise from the top, and altitude, in degrees. Default: [315, 45]. */
  light?: readonly [azimuth: number, altitude: number];
  /** Whether pixels are the surface's normals in tangent space, instead of colours. */
  normalMap?: boolean;
  /** The direction of green in a normal map. Default: "up". */
  normalY?: "up" | "down";
  /** Height of a value difference of 1, in pixels. Default: one that suits the field. */
  relief?: number;
  /** The samples of an earlier picture of this grid: if they do, only the pixels are computed. */
  samples?: Float32Array;
}

export interface Picture {
  /** Red, green, blue and alpha of each pixel, for an ImageData. */
  pixels: ClampedBytes;
  /** What pixels are drawn from: the values; then the derivatives, or around them a border of one sample. */
  samples: Floats;
  /** The source of slopes, and so the layout of the samples. */
  slopes: "none" | "gradient" | "differences";
  /** Height of a value difference of 1, in pixels; 0 without slopes. */
  relief: number;
}

/** Colours of a palette in linear light, from 0 to 1. */
export interface PaletteRecord {
  /** Red, green and blue of each colour, from that of the lowest value on. */
  colours: Floats;
  /** Whether water ends, and land begins, at the value 0, in the middle of the colours. */
  coast: boolean;
  /** Colour of steep ground. */
  rock: number[];
  /** Slopes from which there is some rock, and only rock; 0 without any. */
  slopes: number[];
}

/** Cells of cellular noise, an array of each. */
export interface Cells {
  /** Number of the cell of the nearest point, which all samples of its region share. */
  id: Uint32s;
  /** Vector to the nearest point: an array for each axis, in units of position. */
  offset: Floats[];
  /** Distance to the nearest point, in cells. */
  f1: Floats;
  /** Distance to the second nearest point, in cells. */
  f2: Floats;
  /** Distance to the border of the nearest point's region, in cells; only if asked for. */
  edge?: Floats;
}

/** Points of cellular noise, an array of each. */
export interface Scattered {
  /** The points' coordinates: an array for each axis. */
  position: Float64Array[];
  /** Number of the point's cell, as Cells.id. */
  id: Uint32s;
  /** Another, evenly distributed in -1 .. 1: where it is below a field's value, keep the point. */
  number: Floats;
}

/** Values, and their derivatives along each axis, in value per unit of position. */
export interface ValuesAndGradient<Out = Floats, Slopes = Floats> {
  values: Out;
  gradient: Slopes[];
}

export interface PointSettings<Out = Float32Array> {
  /** Added to every position, in double; with Float32Arrays only. Default: 0. */
  origin?: PerAxis<number>;
  /** Receives the values. It may be one of the coordinates' arrays, but not overlap one otherwise. */
  out?: Out;
}

export interface PointGradientSettings<
  Out = Float32Array,
  Slopes = Float32Array,
> extends PointSettings<Out> {
  gradient?: readonly Slopes[];
}

/** Coordinates of points: an array for each axis. */
export type Coordinates = readonly Float32Array[] | readonly Float64Array[];

/** A field: a function from a position to one float. */
export interface Field {
  /** The options that differ from the default, as text that `field` reads back. */
  readonly text: string;
  toString(): string;
  /** Returns one option's value as text. */
  get(name: string): string;
  /** Fills a grid: `out` if it is given, a new array otherwise. */
  fill<Out extends Float32Array = Floats>(grid: FloatGrid<Out>): Out;
  fill<Out extends Uint16Array = Uint16s>(grid: Uint16Grid<Out>): Out;
  fill<Out extends Uint8Array | Uint8ClampedArray = Bytes>(grid: Uint8Grid<Out>): Out;
  fill(
    grid: Grid & Levels & { dtype: "float32" | "uint16" | "uint8"; out?: undefined },
  ): Floats | Uint16s | Bytes;
  fill(
    grid: FloatGrid | Uint16Grid | Uint8Grid,
  ): Float32Array | Uint16Array | Uint8Array | Uint8ClampedArray;
  /** Fills a grid, and finds the smallest and the largest value; NaN if there are no numbers. */
  fillExtremes<Out extends Float32Array = Floats>(
    grid: Grid & { out?: Out },
  ): { values: Out; smallest: number; largest: number };
  /** Fills a grid with values and derivatives. */
  fillGradient<Out extends Float32Array = Floats, Slopes extends Float32Array = Floats>(
    grid: GradientGrid<Out, Slopes>,
  ): ValuesAndGradient<Out, Slopes>;
  /** Fills a grid with the cells of a field whose basis is cellular. */
  fillCells(grid: Grid & { edge?: boolean }): Cells;
  /**
   * Finds the points of cellular noise in a box, to place things at: those from `low` up to, but
   * without, `high`, so that boxes side by side have each point once.
   */
  scatter(low: readonly number[], high: readonly number[]): Scattered;
  /** Draws a grid, with the pixels of the command's picture. */
  picture(grid: PictureGrid): Picture;
  /** Evaluates many positions. Values outside the domain are NaN. */
  points<Out extends Float32Array = Floats>(
    coords: Coordinates,
    settings?: PointSettings<Out>,
  ): Out;
  pointsGradient<Out extends Float32Array = Floats, Slopes extends Float32Array = Floats>(
    coords: Coordinates,
    settings?: PointGradientSettings<Out, Slopes>,
  ): ValuesAndGradient<Out, Slopes>;
  /** Returns the words of a grid for shaders: "perlane/webgpu" fills grids with them. */
  gpuWords<Out extends Uint32Array = Uint32s>(grid: Grid & { out?: Out }): Out;
  /** Returns the words of points around an origin, for perlane_point in shaders of your own. */
  gpuPointWords<Out extends Uint32Array = Uint32s>(
    dims: number,
    settings?: { origin?: PerAxis<number>; out?: Out },
  ): Out;
  /** Evaluates one position, of 1 to 4 coordinates; use fill or points for more than a few. */
  at(...position: number[]): number;
  at(position: ArrayLike<number>): number;
  /** Evaluates one position with the derivatives. */
  gradient(...position: number[]): { value: number; gradient: Floats };
  gradient(position: ArrayLike<number>): { value: number; gradient: Floats };
  /** Returns bounds of the values in so many dimensions, or in a grid: no sample is outside. */
  range(of: number | Grid): [low: number, high: number];
  /** Changes the seed, faster than a new field. Returns the field. */
  reseed(seed: number | bigint | string): this;
  /** Frees the field's memory now, instead of when it is no longer reachable. */
  free(): void;
}

/** Fields combined in one text. Its range is infinite where a coordinate or a quotient has no bound. */
export interface Expression extends Omit<
  Field,
  "get" | "reseed" | "fillCells" | "gpuWords" | "gpuPointWords"
> {
  /** The text with the definitions of all fields, which `Expression` reads back. */
  readonly text: string;
}

/** One value of an option of kind "choice". */
export interface Choice {
  readonly name: string;
  /** One phrase. */
  readonly summary: string;
  /** Numbers of dimensions that it exists in. */
  readonly dims: readonly number[];
}

/** The library's description of an option. */
export interface Option {
  readonly name: string;
  /** Group in the documentation. */
  readonly heading: string;
  /** One sentence. */
  readonly summary: string;
  readonly kind: "seed" | "real" | "integer" | "choice" | "axes" | "curve";
  /** Bounds of the value, or of the index of a choice; infinite where it only has to be finite. */
  readonly min: number;
  readonly max: number;
  /** Whether the bound itself is not a valid value. */
  readonly minIsOpen: boolean;
  readonly maxIsOpen: boolean;
  readonly excludesZero: boolean;
  readonly default: number | string | readonly number[];
  /** Numbers of dimensions in which it has an effect. */
  readonly dims: readonly number[];
  /** Empty unless kind is "choice". */
  readonly choices: readonly Choice[];
  /** The valid values, as a phrase: "a whole number from 1 to 32". */
  readonly expected: string;
}

/** An invalid option or argument. */
export declare class PerlaneError extends Error {
  /** Its name: "octaves", "size". */
  readonly option: string | undefined;
  /** The library's status (perlane_status); undefined for errors that JavaScript found. */
  readonly status: number | undefined;
}

/** A field by what it shows, and how a picture of it is drawn. */
export interface LookRecord {
  readonly name: Look;
  /** One sentence. */
  readonly summary: string;
  readonly palette: Palette;
  /** Height of a value difference of 1 as part of the map's width; 0: no shading. */
  readonly relief: number;
  /** Of the light, in degrees: clockwise from the top of the picture. */
  readonly azimuth: number;
  /** Of the light, in degrees above the horizon. */
  readonly altitude: number;
  /** Metres that the map is wide in nature, and the height in metres of a value difference of 1. */
  readonly width: number;
  readonly height: number;
}

/** The functions of one instance of the module. */
export interface Perlane {
  /** Makes a field from options, as a text or an object; the default field without any. */
  field(options?: string | Options): Field;
  /**
   * Makes an expression. Names in the text stand for `fields`, which are copied; without any, the
   * text defines its fields itself.
   */
  readonly Expression: new (
    text: string,
    fields?: Readonly<Record<string, string | Options | Field>>,
  ) => Expression;
  /** Returns a field as a function of a position's coordinates; NaN outside the domain. */
  noise2D(options?: string | Options): (x: number, y: number) => number;
  noise3D(options?: string | Options): (x: number, y: number, z: number) => number;
  /** The library's description of every option. */
  readonly options: readonly Option[];
  /** Names of presets: the fields of other noise libraries. */
  readonly presets: readonly string[];
  /** Looks: fields by what they show. */
  readonly looks: readonly LookRecord[];
  /** Names of palettes. */
  readonly palettes: readonly Palette[];
  /** Returns a palette's colours. */
  palette(name: Palette): PaletteRecord;
  /** The library's version. */
  readonly version: string;
  /** Computes a digest of many fields' bits, and whether it is the one that every build has. */
  selftest(): { ok: boolean; digest: bigint; expected: bigint };
  /** Returns the words of fields that a GPU must compute first, and the digests of their samples. */
  gpuSelftests(): { words: Uint32s; digest: number }[];
}

/** What a module is made from. */
export type Source = WebAssembly.Module | BufferSource | Response;

/** Instantiates the module again, with memory of its own. */
export declare function instantiate(source: Source | PromiseLike<Source>): Promise<Perlane>;

/** Instantiates it at once. Browsers may refuse to compile bytes on a page's main thread so. */
export declare function instantiateSync(source: WebAssembly.Module | BufferSource): Perlane;
