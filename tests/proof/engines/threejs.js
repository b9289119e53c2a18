// SPDX-License-Identifier: MIT
//
// Opens examples/threejs in Chromium, compares its heights and writes a picture: threejs.js FOLDER FILE

import assert from "node:assert/strict";

import { chromium } from "playwright-core";

import { serve } from "./serve.js";

const [folder, file] = process.argv.slice(2);
const server = await serve(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({ viewport: { width: 1000, height: 600 } });
page.on("pageerror", (error) => console.error(error));
await page.goto(`http://127.0.0.1:${server.address().port}/`);
const found = await (await page.waitForFunction(() => window.found)).jsonValue();
for (const { mesh, field } of found) assert.ok(Math.abs(mesh - field) < 0.1);
const angles = found.map(({ angle }) => angle).sort((a, b) => a - b);
assert.ok(angles[25] < 0.2, `the median of the normals' angles is ${angles[25]}`); // radians
await page.screenshot({ path: file });
await browser.close();
server.close();
