// SPDX-License-Identifier: MIT

/** Options of a field; "perlane" describes them, and has more. */
export interface NoiseOptions {
  /** A whole number of up to 64 bits, from 2^53 on a BigInt. Default: 1337. */
  seed?: number | bigint | string;
  /** Cells per unit of position in the first octave. Default: 0.01. */
  frequency?: number;
  /** From 1 to 32. Default: 1. */
  octaves?: number;
  /** Factor of the frequency from each octave to the next. Default: 2. */
  lacunarity?: number;
  /** Factor of the amplitude from each octave to the next. Default: 0.5. */
  gain?: number;
  /** Default: "perlin". */
  basis?: "perlin" | "simplex";
}

/** Returns a field as a function of a position's coordinates; NaN outside the domain. */
export declare function noise2D(options?: string | NoiseOptions): (x: number, y: number) => number;
export declare function noise3D(
  options?: string | NoiseOptions,
): (x: number, y: number, z: number) => number;
