// SPDX-License-Identifier: MIT
//
// Opens a page in a browser and prints what it posts: page.mjs FOLDER BROWSER. Serves the folder, whose
// index.html posts one text.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { serve } from "../../../page/serve.js";

const [folder, browser] = process.argv.slice(2);
const profile = await mkdtemp(join(tmpdir(), "perlane-"));
const server = await serve(folder);
const posted = new Promise((resolve) =>
  server.on("request", async (request) => {
    if (request.method !== "POST") return;
    let text = "";
    for await (const part of request) text += part;
    resolve(text);
  }),
);
const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  `--user-data-dir=${profile}`,
  "--remote-debugging-port=0",
];
const child = spawn(browser, [...flags, `http://127.0.0.1:${server.address().port}/`], {
  stdio: "ignore",
});
const ended = new Promise((resolve) => child.on("exit", resolve));
const timer = setTimeout(() => {
  console.log("the page posted nothing in 600 seconds");
  child.kill();
  process.exit(1);
}, 600000);
console.log(await posted);
clearTimeout(timer);
child.kill();
await ended;
await rm(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);
