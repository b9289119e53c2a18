// SPDX-License-Identifier: MIT
//
// Draws docs/images/page.png, the first part of the built page: picture.js FOLDER FILE. It needs
// Chromium; CHROMIUM names another browser.

import { chromium } from "playwright-core";

import { serve } from "./serve.js";

const [folder, file] = process.argv.slice(2);
const server = await serve(folder);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
const page = await browser.newPage({
  viewport: { width: 1200, height: 680 },
  colorScheme: "dark",
  reducedMotion: "reduce",
});
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForSelector("body[data-relief]");
await page.waitForSelector("#badge code");
await page.waitForFunction(() =>
  [...document.querySelectorAll("[data-hero] canvas")].every(({ width }) => width > 1),
);
await page.screenshot({ path: file });
await browser.close();
server.close();
