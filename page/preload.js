// SPDX-License-Identifier: MIT
//
// Reads index.html and prints it with a modulepreload link for each module that main.js imports
// statically, directly or not. page/build runs it: preload.js FOLDER.

import { readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const folder = process.argv[2];
const found = new Set();

function visit(file) {
  if (found.has(file)) return;
  found.add(file);
  const text = readFileSync(file, "utf8");
  for (const [, name] of text.matchAll(/^(?:import|export) [^;]*?from "(\.[^"]+)";/gm))
    visit(join(dirname(file), name));
}

visit(join(folder, "src/main.js"));
visit(join(folder, "src/relief.js")); // the first part
visit(join(folder, "src/worker.js")); // its own link loads nothing twice: workers share the cache
const links = [...found].map(
  (file) => `<link rel="modulepreload" href="${relative(folder, file)}">`,
);
process.stdout.write(readFileSync(0, "utf8").replace("<!-- modules -->", links.join("\n")));
