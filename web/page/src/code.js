// SPDX-License-Identifier: MIT
//
// Code that makes the shown map again, bit for bit. A map: { text, first, size, step }.

const quote = (text) => `'${text}'`; // a text form has no quotes

const COMMENT = (map) => `${map.size[0]} x ${map.size[1]} samples from index ${map.first[0]}, ${map.first[1]}, ${map.step} apart`;

export function command(map, file = "map.r32") {
  const parts = ["perlane fill -o", file, `--size ${map.size[0]}x${map.size[1]}`, `--first ${map.first.join(",")}`];
  if (map.step !== 1) parts.push(`--step ${map.step}`);
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
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  perlane_grid grid = perlane_grid_make(${w}, ${h}, 0, 0);
  grid.first[0] = ${int64(x)};
  grid.first[1] = ${int64(y)};
  grid.step[0] = grid.step[1] = ${map.step};
  const char *field = "${map.text}";
  if (perlane_params_parse(&params, field, NULL) || perlane_init(&noise, &params) ||
      perlane_fill(&noise, &grid, value[0]))
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
  perlane_params params = perlane_params_default();
  perlane_noise noise;
  const char *field = "${map.text}";
  if (perlane_params_parse(&params, field, nullptr) || perlane_init(&noise, &params))
    return 1;
  perlane_grid grid = perlane_grid_make(${w}, ${h}, 0, 0);
  grid.first[0] = ${int64(x)};
  grid.first[1] = ${int64(y)};
  grid.step[0] = grid.step[1] = ${map.step};
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
  return `# ${COMMENT(map)}: value[y, x].
import perlane

field = perlane.Field("${map.text}")
value = field.fill((${h}, ${w}), first=(${y}, ${x}), step=${map.step})
print(value.shape, value.min(), value.max())
`;
}

export function javascript(map) {
  const [x, y] = map.first;
  return `// ${COMMENT(map)}: values[y * ${map.size[0]} + x].
import { field, init } from "perlane";

await init();
const values = field(${JSON.stringify(map.text)}).fill({
  size: [${map.size.join(", ")}],
  first: [${x}n, ${y}n],
  step: ${map.step},
});
console.log(values[0]);
`;
}
