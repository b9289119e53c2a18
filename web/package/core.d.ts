// SPDX-License-Identifier: MIT

import type { Look, Options } from "./options.js";

export type { Look, Options, Preset } from "./options.js";

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
   * field. For coarse levels of detail: see `octavesFor`. Default: 0, all.
   */
  octaves?: number;
}

export interface FloatGrid extends Grid {
  dtype?: "float32";
  /** Receives the samples, x fastest; a new array unless given. */
  out?: Float32Array;
}

/** Integers: `low` becomes 0, and `high` the largest integer. */
export interface Levels {
  /** Default: the smallest value that the field can have. */
  low?: number;
  /** Default: the largest value that the field can have. */
  high?: number;
}

export interface Uint16Grid extends Grid, Levels {
  dtype: "uint16";
  out?: Uint16Array;
}

export interface Uint8Grid extends Grid, Levels {
  dtype: "uint8";
  out?: Uint8Array | Uint8ClampedArray;
}

export interface GradientGrid extends Grid {
  out?: Float32Array;
  /** Receive the derivatives, an array for each axis; new ones unless given. */
  gradient?: readonly Float32Array[];
}

/** Cells of cellular noise, an array of each. */
export interface Cells {
  /** Number of the cell of the nearest point, which all samples of its region share. */
  id: Uint32Array;
  /** Vector to the nearest point: an array for each axis, in units of position. */
  offset: Float32Array[];
  /** Distance to the nearest point, in cells. */
  f1: Float32Array;
  /** Distance to the second nearest point, in cells. */
  f2: Float32Array;
  /** Distance to the border of the nearest point's region, in cells; only if asked for. */
  edge?: Float32Array;
}

/** Values, and their derivatives along each axis, in value per unit of position. */
export interface ValuesAndGradient {
  values: Float32Array;
  gradient: Float32Array[];
}

export interface PointSettings {
  /** Added to every position, in double; with Float32Arrays only. Default: 0. */
  origin?: PerAxis<number>;
  /** Receives the values. It may be one of the coordinates' arrays, but not overlap one otherwise. */
  out?: Float32Array;
}

export interface PointGradientSettings extends PointSettings {
  gradient?: readonly Float32Array[];
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
  /** Fills a grid. */
  fill(grid: Uint16Grid): Uint16Array;
  fill<T extends Uint8Array | Uint8ClampedArray = Uint8Array>(grid: Uint8Grid & { out?: T }): T;
  fill(grid: FloatGrid): Float32Array;
  fill(grid: FloatGrid | Uint16Grid | Uint8Grid): Float32Array | Uint16Array | Uint8Array | Uint8ClampedArray;
  /** Fills a grid, and finds the smallest and the largest value. */
  fillExtremes(grid: FloatGrid): { values: Float32Array; smallest: number; largest: number };
  /** Fills a grid with values and derivatives. */
  fillGradient(grid: GradientGrid): ValuesAndGradient;
  /** Fills a grid with the cells of a field whose basis is cellular. */
  fillCells(grid: Grid & { edge?: boolean }): Cells;
  /** Evaluates many positions. Values outside the domain are NaN. */
  points(coords: Coordinates, settings?: PointSettings): Float32Array;
  pointsGradient(coords: Coordinates, settings?: PointGradientSettings): ValuesAndGradient;
  /** Returns the words of a grid for shaders: "perlane/webgpu" fills grids with them. */
  gpuWords(grid: Grid & { out?: Uint32Array }): Uint32Array;
  /** Returns the words of points around an origin, for perlane_point in shaders of your own. */
  gpuPointWords(dims: number, settings?: { origin?: PerAxis<number>; out?: Uint32Array }): Uint32Array;
  /** Evaluates one position, of 1 to 4 coordinates; use fill or points for more than a few. */
  at(...position: number[]): number;
  at(position: ArrayLike<number>): number;
  /** Evaluates one position with the derivatives. */
  gradient(...position: number[]): { value: number; gradient: Float32Array };
  gradient(position: ArrayLike<number>): { value: number; gradient: Float32Array };
  /** Returns bounds of the values in so many dimensions: no sample is outside. */
  range(dims: number): [low: number, high: number];
  /** Returns how many octaves samples `step` apart can show; those beyond would only be noise. */
  octavesFor(step: number): number;
  /** Changes the seed, faster than a new field. Returns the field. */
  reseed(seed: number | bigint | string): this;
  /** Frees the field's memory now, instead of when it is no longer reachable. */
  free(): void;
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
  /** The `--palette` of the command. */
  readonly palette: string;
  /** Height of a value difference of 1 as part of the map's width; 0: no shading. */
  readonly relief: number;
  /** Of the light, in degrees: clockwise from the top of the picture. */
  readonly azimuth: number;
  /** Of the light, in degrees above the horizon. */
  readonly altitude: number;
}

/** The functions of one instance of the module. */
export interface Perlane {
  /** Makes a field from options, as a text or an object; the default field without any. */
  field(options?: string | Options): Field;
  /** Returns a field as a function of a position's coordinates; NaN outside the domain. */
  noise2D(options?: string | Options): (x: number, y: number) => number;
  noise3D(options?: string | Options): (x: number, y: number, z: number) => number;
  /** The library's description of every option. */
  readonly options: readonly Option[];
  /** Names of presets: the fields of other noise libraries. */
  readonly presets: readonly string[];
  /** Looks: fields by what they show. */
  readonly looks: readonly LookRecord[];
  /** The library's version. */
  readonly version: string;
  /** Names of the kernels in this module: "scalar", "simd128". The choice affects speed, never results. */
  readonly isas: readonly string[];
  /** Returns the name of the kernels in use. */
  currentIsa(): string;
  /** Sets the kernels for all later calls; "auto" for the best ones. */
  forceIsa(name?: string): void;
  /** Computes a digest of many fields' bits, and whether it is the one that every build has. */
  selftest(isa?: string): { ok: boolean; digest: bigint };
  /** Returns the words of fields that a GPU must compute first, and the digests of their samples. */
  gpuSelftests(): { words: Uint32Array; digest: number }[];
}

/** What a module is made from. */
export type Source = WebAssembly.Module | BufferSource | Response;

/** Instantiates the module again, with memory of its own. */
export declare function instantiate(source: Source | PromiseLike<Source>): Promise<Perlane>;

/** Instantiates it at once. Browsers may refuse to compile bytes on a page's main thread so. */
export declare function instantiateSync(source: WebAssembly.Module | BufferSource): Perlane;
