// SPDX-License-Identifier: MIT
//
// Reads sw.js and prints it with the names of the page's files, but for the documentation, and a
// digest of their contents.
// page/build runs it: offline.js FOLDER.

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2];
const files = readdirSync(folder, { recursive: true })
  .filter((file) => statSync(join(folder, file)).isFile() && !/^(sw\.js|docs\/)/.test(file))
  .sort();
const digest = createHash("sha256");
for (const file of files) digest.update(readFileSync(join(folder, file)));
const text = readFileSync(0, "utf8")
  .replace("/* files */", ["./", ...files].map((file) => JSON.stringify(file)).join(", "))
  .replace("/* digest */", digest.digest("hex").slice(0, 16));
process.stdout.write(text);
