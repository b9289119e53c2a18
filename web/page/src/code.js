// SPDX-License-Identifier: MIT
//
// Code that makes the shown map again, bit for bit. A map: { text, first, size, step, z }.

const quote = (text) => `'${text}'`; // a text form has no quotes

const COMMENT = (map) => `${map.size[0]} x ${map.size[1]} samples from index ${map.first[0]}, ${map.first[1]}, ${map.step} apart${map.z === null ? "" : `, at z = ${map.z}`}`;
const slices = (map) => (map.z === null ? 0 : 1);

/** A map's size, first sample, step and origin as the command's options have them. */
export function words({ size, first, step, z }) {
  if (z === null) return { size: size.join("x"), first: first.join(","), step: String(step) };
  return { size: `${size.join("x")}x1`, first: `${first.join(",")},0`, step: `${step},${step},1`, origin: `0,0,${z}` };
}

/** more: options of a picture. */
export function command(map, file = "map.r32", more = "") {
  const { size, first, step, origin } = words(map);
  const parts = ["perlane fill -o", file, `--size ${size}`, `--first ${first}`];
  if (more) parts.push(more);
  if (step !== "1") parts.push(`--step ${step}`);
  if (origin) parts.push(`--origin ${origin}`);
  if (map.text) parts.push(`--field ${quote(map.text)}`);
  return parts.join(" ");
}

// INT64_MIN cannot be written as one literal, but no map begins there.
const int64 = (value) => (value > 2147483647n || value < -2147483648n ? `INT64_C(${value})` : String(value));

export function c(map) {
  const [w, h] = map.size;
  const [x, y] = map.first;
  return `/* ${COMMENT(map)}. Writes them as floats to map.r32. */
#include <perlane.h>
#include <stdio.h>

int main(void) {
  static float value[${h}][${w}];
  perlane_noise noise;
  perlane_grid grid = perlane_grid_make(${w}, ${h}, ${slices(map)}, 0);
  grid.first[0] = ${int64(x)};
  grid.first[1] = ${int64(y)};
  grid.step[0] = grid.step[1] = ${map.step};${map.z === null ? "" : `\n  grid.origin[2] = ${map.z};`}
  const char *field = "${map.text}";
  if (perlane_init_text(&noise, field) || perlane_fill(&noise, &grid, value[0]))
    return 1;
  FILE *file = fopen("map.r32", "wb");
  if (!file || fwrite(value, sizeof value, 1, file) != 1 || fclose(file))
    return 1;
}
`;
}

export function cpp(map) {
  const [w, h] = map.size;
  const [x, y] = map.first;
  return `// ${COMMENT(map)}. Writes them as floats to map.r32.
#include <perlane.h>

#include <fstream>
#include <vector>

int main() {
  perlane_noise noise;
  const char *field = "${map.text}";
  if (perlane_init_text(&noise, field))
    return 1;
  perlane_grid grid = perlane_grid_make(${w}, ${h}, ${slices(map)}, 0);
  grid.first[0] = ${int64(x)};
  grid.first[1] = ${int64(y)};
  grid.step[0] = grid.step[1] = ${map.step};${map.z === null ? "" : `\n  grid.origin[2] = ${map.z};`}
  std::vector<float> value(${w} * ${h});
  if (perlane_fill(&noise, &grid, value.data()))
    return 1;
  std::ofstream file("map.r32", std::ios::binary);
  file.write(reinterpret_cast<const char *>(value.data()), sizeof(float) * value.size());
  return file.good() ? 0 : 1;
}
`;
}

export function python(map) {
  const [w, h] = map.size;
  const [x, y] = map.first;
  return `# ${COMMENT(map)}: value[${map.z === null ? "" : "0, "}y, x].
import perlane

field = perlane.Field("${map.text}")
value = field.fill(${map.z === null ? `(${h}, ${w}), first=(${y}, ${x}), step=${map.step}` : `(1, ${h}, ${w}), first=(0, ${y}, ${x}), step=(1, ${map.step}, ${map.step}), origin=(${map.z}, 0, 0)`})
print(value.shape, value.min(), value.max())
`;
}

export function javascript(map) {
  const [x, y] = map.first;
  return `// ${COMMENT(map)}: values[y * ${map.size[0]} + x].
import { field, init } from "perlane";

await init();
const values = field(${JSON.stringify(map.text)}).fill({
  size: [${map.size.join(", ")}${map.z === null ? "" : ", 1"}],
  first: [${x}n, ${y}n${map.z === null ? "" : ", 0n"}],
  step: ${map.z === null ? map.step : `[${map.step}, ${map.step}, 1],\n  origin: [0, 0, ${map.z}]`},
});
console.log(values[0]);
`;
}
