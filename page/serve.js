// SPDX-License-Identifier: MIT
//
// Serves a folder on this machine only: serve.js FOLDER [PORT]. Any other static server does, too.

import { readFileSync, statSync } from "node:fs";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".wasm": "application/wasm",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".txt": "text/plain; charset=utf-8",
};

/** Serves folder below the path prefix. Returns a promise of the server. */
export function serve(folder, port = 0, prefix = "/") {
  const server = createServer((request, response) => {
    try {
      const path = decodeURIComponent(new URL(request.url, "http://localhost").pathname);
      const inside = normalize(path.slice(prefix.length) || ".");
      if (!path.startsWith(prefix) || inside.startsWith("..")) throw new Error("outside");
      let file = join(folder, inside);
      if (statSync(file).isDirectory()) file = join(file, "index.html");
      const bytes = readFileSync(file);
      const type = TYPES[extname(file)] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-length": bytes.length });
      response.end(bytes);
    } catch {
      response.writeHead(404, { "content-type": "text/plain" });
      response.end("not found\n");
    }
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => resolve(server));
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port = "8000"] = process.argv.slice(2);
  const server = await serve(folder, Number(port));
  console.log(`http://127.0.0.1:${server.address().port}/  (Ctrl+C stops it)`);
}
