// SPDX-License-Identifier: MIT
//
// Opens a page in a browser and prints what it posts: page.mjs FOLDER BROWSER. Serves the folder, whose
// index.html posts one text to `done`.

import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { extname, join, normalize } from "node:path";

const [folder, browser] = process.argv.slice(2);
const types = { ".html": "text/html", ".js": "text/javascript", ".wasm": "application/wasm" };

const profile = await mkdtemp(join(tmpdir(), "perlane-"));
let child;

const posted = new Promise((resolve) => {
  const server = createServer(async (request, response) => {
    if (request.method === "POST") {
      let text = "";
      for await (const part of request) text += part;
      response.end();
      server.close();
      resolve(text);
      return;
    }
    const path = request.url === "/" ? "/index.html" : normalize(request.url);
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { "content-type": types[extname(path)] ?? "text/plain" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, "127.0.0.1", () => open(server.address().port));
});

function open(port) {
  const flags = ["--headless", "--no-sandbox", "--disable-gpu", `--user-data-dir=${profile}`];
  child = spawn(browser, [...flags, "--remote-debugging-port=0", `http://127.0.0.1:${port}/`], { stdio: "ignore" });
}
const timer = setTimeout(() => {
  console.log("the page posted nothing in 600 seconds");
  child.kill();
  process.exit(1);
}, 600000);
console.log(await posted);
clearTimeout(timer);
const ended = new Promise((resolve) => child.on("exit", resolve));
child.kill();
await ended;
await rm(profile, { recursive: true, force: true, maxRetries: 5 });
process.exit(0);
