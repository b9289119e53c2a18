// SPDX-License-Identifier: MIT
//
// Serves a folder on this machine only: serve.js FOLDER [PORT]. Any other static server does, too.

import { fileURLToPath } from "node:url";

import { context } from "esbuild";

/** Serves a folder. Returns a promise of the server. */
export async function serve(servedir, port = 0) {
  const server = await context({});
  const at = await server.serve({ servedir, host: "127.0.0.1", port });
  return { address: () => ({ port: at.port }), close: () => server.dispose() };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, port = "8000"] = process.argv.slice(2);
  const server = await serve(folder, Number(port));
  console.log(`http://127.0.0.1:${server.address().port}/  (Ctrl+C stops it)`);
}
