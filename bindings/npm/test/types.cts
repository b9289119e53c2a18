// SPDX-License-Identifier: MIT

import perlane = require("perlane");
import noise = require("perlane/noise");
import sync = require("perlane/sync");

const value: number =
  perlane.field({ octaves: 4 }).at(1, 2) + sync.noise2D()(1, 2) + noise.noise2D()(1, 2);
console.log(value);
