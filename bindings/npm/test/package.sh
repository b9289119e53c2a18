#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The npm package: package.sh SOURCE WORK CLANG NODE CHROMIUM TSC. Its own tests, then a copy that npm packs
# and installs into an empty folder, used from node, from TypeScript, and from a page without a bundler.
set -eu
source=$1 work=$2 clang=$3 node=$4 browser=$5 tsc=$6
rm -rf "$work"
mkdir -p "$work/app"
. "$source/tests/embedding/checks.sh"

has_the_version() { grep -q "\"version\": \"$version\"" "$work/package/package.json"; }
runs_the_cases() { "$node" "$source/bindings/npm/test/cases.mjs" "$work/package" >"$work/log" || ! cat "$work/log"; }
runs_its_tests() { (cd "$work/package" && "$node" --test test/perlane.test.js) >"$work/log" 2>&1 || ! cat "$work/log"; }
packs() { (cd "$work/package" && npm pack --silent --pack-destination "$work" >"$work/log"); }
installs() {
    (cd "$work/app" && echo '{ "type": "module" }' >package.json &&
        npm install --silent --offline --no-audit --no-fund "$work/perlane-$version.tgz")
}
# The files that the package must have, and no others.
has_its_files() {
    (cd "$work/app/node_modules/perlane" && ls | tr '\n' ' ') >"$work/files"
    grep -qx 'LICENSE README.md core.d.cts core.d.ts core.js noise.cjs noise.d.cts noise.d.ts noise.js noise.wasm noise.workerd.js options.d.cts options.d.ts package.json perlane.d.ts perlane.js perlane.wasm perlane.wasm.d.ts sync.cjs sync.d.cts sync.d.ts sync.js sync.workerd.js webgpu.d.ts webgpu.js wgsl.js ' "$work/files"
}
# The first example of the README.
cat >"$work/app/main.js" <<'END'
import { field, init, selftest } from "perlane";

await init();
const terrain = field("octaves=8 frequency=0.002 fractal=ridged");
const heights = terrain.fill({ size: [512, 256] });
console.log(heights.length, heights[0] === terrain.at(0, 0), selftest().ok);
END
cat >"$work/app/main.cjs" <<'END'
for (const name of ["perlane", "perlane/sync"]) {
  const { field, noise2D, selftest } = require(name);
  console.log(selftest().ok, noise2D("seed=7")(1.5, 2.5) === field("seed=7").at(1.5, 2.5));
}
END
cat >"$work/app/index.html" <<'END'
<!doctype html>
<title>perlane</title>
<script type="module">
  import { field, init, selftest } from "./node_modules/perlane/perlane.js";

  await init();
  const terrain = field("octaves=8 frequency=0.002 fractal=ridged");
  const heights = terrain.fill({ size: [512, 256] });
  const text = `${heights.length} ${heights[0] === terrain.at(0, 0)} ${selftest().ok}`;
  const worker = new Worker("worker.js", { type: "module" });
  worker.onmessage = ({ data }) => (document.body.textContent = `${text}; in a worker: ${data}`);
</script>
<body></body>
END
cat >"$work/app/worker.js" <<'END'
import { selftest } from "./node_modules/perlane/sync.js";

postMessage(selftest().ok);
END
runs_in_node() { (cd "$work/app" && [ "$("$node" main.js)" = "131072 true true" ]); }
runs_in_commonjs() { (cd "$work/app" && [ "$("$node" main.cjs)" = "$(printf 'true true\ntrue true')" ]); }
has_types() {
    cp "$source/bindings/npm/test/types.ts" "$source/bindings/npm/test/types.cts" "$work/app/"
    (cd "$work/app" && "$node" "$tsc" --noEmit --strict --target es2022 --lib es2022,dom --module nodenext types.ts types.cts)
}
runs_in_a_page() {
    "$node" "$source/bindings/npm/test/page.mjs" "$work/app" "$browser" >"$work/log" 2>&1 &&
        grep -qx '131072 true true; in a worker: true' "$work/log" || ! cat "$work/log"
}
# Each device first proves that it computes the bits: one with a wrong shader is refused.
fills_on_a_gpu() {
    grep -q '^not run: ' "$work/log" ||
        { grep -qx 'on a GPU 0 samples differ' "$work/log" && grep -q 'does not compute the samples' "$work/log"; }
}

check "builds" env CLANG="$clang" "$source/bindings/npm/build" "$work"
check "has the library's version" has_the_version
check "runs its tests" runs_its_tests
grep -E '^# (pass|fail) ' "$work/log" || true
check "has the results of tests/cases.txt" runs_the_cases
tail -n 1 "$work/log"
check "packs" packs
check "installs into an empty folder" installs
check "has its files" has_its_files
check "runs in node" runs_in_node
check "runs in CommonJS" runs_in_commonjs
check "has types" has_types
check "runs in a page and in its worker, without a bundler" runs_in_a_page
check "fills a grid on a GPU, or says that the device is wrong" fills_on_a_gpu
grep '^not run: ' "$work/log" | sort -u || true

total
