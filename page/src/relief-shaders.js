// SPDX-License-Identifier: MIT
//
// Shaders of the relief. BAKE writes the surface's colour with all of its light, once per change;
// the others draw frames, which then are cheap. World: y is up, the map's upper edge is at -z.

const HEIGHTS = `
uniform sampler2D heights;
uniform vec2 texels, extent;
float at(ivec2 i) { return texelFetch(heights, clamp(i, ivec2(0), ivec2(texels) - 1), 0).r; }
float heightAt(vec2 place) {
  vec2 q = place * texels - 0.5;
  ivec2 i = ivec2(floor(q));
  vec2 f = q - vec2(i);
  return mix(mix(at(i), at(i + ivec2(1, 0)), f.x), mix(at(i + ivec2(0, 1)), at(i + ivec2(1, 1)), f.x), f.y);
}`;

const SKY = `
uniform vec3 zenith, horizon;
vec3 sky(float height) { return mix(horizon, zenith, pow(clamp(height * 1.6, 0.0, 1.0), 0.6)); }
vec3 srgb(vec3 c) { return mix(12.92 * c, 1.055 * pow(max(c, vec3(1e-5)), vec3(1.0 / 2.4)) - 0.055, step(0.0031308, c)); }`;

/** The whole screen, or the whole of a texture. */
export const SCREEN = `
out vec2 place;
void main() {
  place = vec2(float((gl_VertexID & 1) * 2), float(gl_VertexID & 2));
  gl_Position = vec4(place * 2.0 - 1.0, 1.0, 1.0);
}`;

export const BAKE = `
${HEIGHTS}
uniform sampler2D palette;
uniform float lift, plain, reach, water, low, high;
uniform bool coast, flooded, rocky;
uniform vec3 sun, rock;
uniform vec2 steep;
in vec2 place;
out vec4 colour;
vec3 ground(float v) {
  float end = v < 0.0 ? -low : high; // of the water, or of the land
  float share = coast ? (end > 0.0 ? 0.5 + 0.5 * v / end : 0.5) : (v - low) / (high - low);
  int entry = int(clamp(share * 4096.0, 0.0, 4095.0));
  return texelFetch(palette, ivec2(entry & 63, entry >> 6), 0).rgb;
}
void main() {
  ivec2 i = ivec2(gl_FragCoord.xy);
  vec2 texel = extent / texels;
  float v = at(i);
  float depth = flooded ? water - v : -1.0;
  vec2 slope = vec2(at(i + ivec2(1, 0)) - at(i - ivec2(1, 0)), at(i + ivec2(0, 1)) - at(i - ivec2(0, 1))) / (2.0 * texel);
  vec3 base = ground(coast && flooded ? v - water : v);
  if (rocky) base = mix(base, rock, clamp((plain * plain * dot(slope, slope) - steep.x) / (steep.y - steep.x), 0.0, 1.0) * step(depth, 0.0));
  slope *= lift;
  if (depth > 0.0) {
    if (!coast) base = mix(base * 0.5, mix(vec3(0.09, 0.32, 0.36), vec3(0.008, 0.045, 0.095), 1.0 - exp(-7.0 * depth)), 1.0 - exp(-26.0 * depth));
    slope *= 0.12;
  }
  float from = (depth > 0.0 ? water : v) * lift;

  // Towards the sun, as far as the highest point can throw a shadow.
  float open = 1.0;
  float far = reach / max(sun.y, 0.08);
  for (int k = 1; k <= 40; k++) {
    float t = far * pow(float(k) / 40.0, 1.7);
    float clear = from + sun.y * t - heightAt(place + sun.xz * t / extent) * lift;
    open = min(open, 1.0 + 14.0 * clear / (t + 0.004));
  }
  open = clamp(open, 0.0, 1.0);
  open = open * open * (3.0 - 2.0 * open);

  // What of the sky the surroundings hide.
  float hidden = 0.0;
  for (int k = 0; k < 16; k++) {
    float angle = float(k) * 2.39996;
    float r = 0.006 + 0.0042 * float(k);
    hidden += clamp((heightAt(place + r * vec2(cos(angle), sin(angle)) / extent) * lift - from) / r, 0.0, 1.2);
  }
  float bright = 1.0 - 0.5 * clamp(hidden / 10.0, 0.0, 1.0);

  vec3 normal = normalize(vec3(-slope.x, 1.0, -slope.y));
  float lit = max(dot(normal, sun), 0.0) * open / max(sun.y, 0.5);
  vec3 light = vec3(1.0, 0.94, 0.84) * lit * 0.95 + vec3(0.62, 0.74, 0.92) * (0.22 + 0.24 * normal.y) * bright;
  colour = vec4(min(base * light, vec3(1.0)), clamp(depth * 40.0, 0.0, 1.0));
}`;

/** The surface and its sides, which go down to y = 0: vertices count through a grid, or its border. */
export const LIFT = `
${HEIGHTS}
uniform mat4 view;
uniform float lift, middle, water;
uniform bool flooded, side;
uniform vec2 squares;
out vec2 place;
out vec3 world;
out float surface;
vec2 gridPlace(int i) { return vec2(float(i % (int(squares.x) + 1)), float(i / (int(squares.x) + 1))) / squares; }
vec2 borderPlace(int i) {
  vec2 n = squares;
  float j = float(i);
  if (j < n.x) return vec2(j / n.x, 0.0);
  if (j < n.x + n.y) return vec2(1.0, (j - n.x) / n.y);
  if (j < 2.0 * n.x + n.y) return vec2(1.0 - (j - n.x - n.y) / n.x, 1.0);
  return vec2(0.0, 1.0 - (j - 2.0 * n.x - n.y) / n.y);
}
void main() {
  place = side ? borderPlace(gl_VertexID / 2) : gridPlace(gl_VertexID);
  float value = at(ivec2(place * (texels - 1.0) + 0.5));
  float top = ((flooded ? max(value, water) : value) - middle) * lift + 0.13;
  surface = (value - middle) * lift + 0.13;
  world = vec3((place.x - 0.5) * extent.x, side && (gl_VertexID & 1) == 1 ? 0.0 : top, (place.y - 0.5) * extent.y);
  gl_Position = view * vec4(world, 1.0);
}`;

export const LAND = `
${SKY}
uniform sampler2D baked;
uniform vec3 sun, eye;
uniform bool side;
in vec2 place;
in vec3 world;
in float surface;
out vec4 colour;
void main() {
  vec3 shown;
  if (side) {
    float layer = 0.5 + 0.5 * sin(world.y * 60.0 + 2.0 * sin(world.x * 3.0 + world.z * 2.0));
    shown = mix(vec3(0.085, 0.068, 0.056), vec3(0.115, 0.094, 0.078), layer) * (0.6 + 1.4 * world.y);
    if (world.y > surface + 0.0005) shown = vec3(0.03, 0.15, 0.23);
    vec2 outwards = place.x <= 0.0 ? vec2(-1.0, 0.0) : place.x >= 1.0 ? vec2(1.0, 0.0) : place.y <= 0.0 ? vec2(0.0, -1.0) : vec2(0.0, 1.0);
    shown *= 0.75 + 0.5 * max(dot(outwards, sun.xz), 0.0) + 0.25 * abs(outwards.x);
  } else {
    vec4 texel = texture(baked, place);
    vec3 towards = normalize(eye - world);
    float mirror = texel.a * (0.02 + 0.75 * pow(1.0 - max(towards.y, 0.0), 5.0));
    vec3 glint = normalize(towards + sun);
    shown = mix(texel.rgb, sky(0.45), mirror) + texel.a * 0.35 * pow(max(glint.y, 0.0), 260.0);
  }
  float haze = clamp((length(eye - world) - length(eye) + 0.2) * 0.14, 0.0, 0.35);
  colour = vec4(srgb(min(mix(shown, horizon, haze), vec3(1.0))), 1.0);
}`;

export const PLANE = `
uniform mat4 view;
out vec3 world;
void main() {
  vec2 corner = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1)) * 2.0 - 1.0;
  world = vec3(corner.x * 24.0, 0.0, corner.y * 24.0);
  gl_Position = view * vec4(world, 1.0);
}`;

/** The block's shadow on the ground: how dark it is. */
export const SHADOW = `
uniform vec2 extent;
uniform float tall;
uniform vec3 sun;
in vec3 world;
out vec4 colour;
float box(vec2 p) {
  vec2 d = abs(p) - 0.5 * extent;
  return length(max(d, vec2(0.0))) + min(max(d.x, d.y), 0.0);
}
void main() {
  float shade = 0.0;
  vec2 away = -sun.xz / max(sun.y, 0.2) * tall;
  for (int k = 0; k <= 40; k++) {
    float share = float(k) / 40.0;
    float blur = 0.02 + 0.25 * share;
    shade = max(shade, (1.0 - 0.4 * share) * (1.0 - smoothstep(-blur, blur, box(world.xz - away * share))));
  }
  float near = exp(-7.0 * max(box(world.xz), 0.0));
  colour = vec4(0.0, 0.0, 0.0, 1.0 - (1.0 - 0.42 * shade) * (1.0 - 0.3 * near));
}`;

/** Behind everything: the ground, which becomes the sky, whatever the camera looks at. */
export const HEAVEN = `
${SKY}
uniform vec3 stone;
in vec2 place;
out vec4 colour;
void main() {
  float noise = fract(sin(dot(gl_FragCoord.xy, vec2(12.9898, 78.233))) * 43758.5453) / 255.0; // against bands
  colour = vec4(srgb(mix(stone, sky(place.y - 0.55), smoothstep(0.1, 0.6, place.y))) + noise, 1.0);
}`;
