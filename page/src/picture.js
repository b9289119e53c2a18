// SPDX-License-Identifier: MIT
//
// How the map's pictures are drawn: as settings of field.picture, and as the command's options.

import { boundsOf } from "./source.js";

const STYLES = { shaded: { shade: true }, flat: {}, normals: { normalMap: true } };

/** The members of the state that pictures depend on, besides the field and the place. */
export const LOOK = ["style", "palette", "low", "high", "light", "altitude", "rise", "relief"];

export const lookOf = (state) => Object.fromEntries(LOOK.map((name) => [name, state[name]]));

/**
 * Returns the settings for samples `step` apart. A field without slopes, such as white noise, is
 * drawn flat.
 */
export function settingsOf(field, look, dims, step) {
  const { style, palette, light, altitude, rise, relief } = look;
  const kind = STYLES[style];
  const range = boundsOf(field, dims);
  const low = look.low ?? range[0];
  const high = look.high ?? range[1];
  const settings = {
    ...kind,
    palette,
    low,
    high: high === low ? low + 1 : high,
    light: [light, altitude],
  };
  if (style !== "flat") {
    const reliefOf = (wanted) =>
      field.picture({ low: 0, high: 1, ...wanted, size: new Array(dims).fill(1), step }).relief;
    try {
      if (rise !== null) settings.relief = (rise / step) * relief;
      else if (relief !== 1) settings.relief = reliefOf(kind) * relief;
      reliefOf(settings); // finds out whether there are slopes
    } catch (error) {
      if (!["shade", "normalMap"].includes(error.option)) throw error;
      return settingsOf(field, { ...look, style: "flat" }, dims, step);
    }
  }
  return settings;
}

/** Returns the command's options for the same picture. */
export function optionsOf(field, look, dims, step) {
  const { shade, normalMap, palette, low, high, light, relief } = settingsOf(
    field,
    look,
    dims,
    step,
  );
  const height = (name) => (relief === undefined ? "" : ` --${name} ${relief}`);
  if (normalMap) return `--bits 8 --normal-map${height("relief")}`;
  return `--bits 8 --palette ${palette} --range=${low},${high}${shade ? ` --shade --light ${light}${height("relief")}` : ""}`;
}
