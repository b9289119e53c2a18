// SPDX-License-Identifier: MIT
//
// The npm package with bundlers: run.js PACKAGE.tgz WORK. WORK has the packages of package-lock.json.
// Each bundle has to compute the self-test's digest, in Chromium or in node, also in a worker.

import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [archive, work] = process.argv.slice(2).map((each) => resolve(each));
const here = fileURLToPath(new URL(".", import.meta.url));
const app = join(work, "app");
const page = join(here, "../../../web/page");
const { serve } = await import(pathToFileURL(join(page, "serve.js")));
const { chromium } = createRequire(join(page, "package.json"))("playwright-core");
const need = (name) => import(pathToFileURL(createRequire(join(work, "package.json")).resolve(name)));

rmSync(app, { recursive: true, force: true });
cpSync(join(here, "app"), app, { recursive: true });
rmSync(join(work, "node_modules/perlane"), { recursive: true, force: true });
mkdirSync(join(work, "node_modules/perlane"));
execFileSync("tar", ["-xzf", archive, "-C", join(work, "node_modules/perlane"), "--strip-components=1"]);
process.chdir(work);

const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });

/** What a page found. */
async function visit(address) {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const problems = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  try {
    await tab.goto(address);
    // A dev server may load the page again, when it has found the page's packages.
    const found = await tab.waitForFunction(() => document.documentElement.dataset.result, undefined, { timeout: 60000 });
    return await found.jsonValue();
  } catch (error) {
    return [...problems, error.message].join("; ");
  } finally {
    await context.close();
  }
}

async function visitFolder(folder) {
  const server = await serve(folder);
  try {
    return await visit(`http://127.0.0.1:${server.address().port}/`);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

/** A page with one script. */
function paged(folder, type) {
  writeFileSync(join(folder, "index.html"), `<!doctype html><link rel="icon" href="data:,"><body><script ${type} src="out.js"></script>`);
  return visitFolder(folder);
}

const node = (...words) => execFileSync(process.execPath, words, { cwd: work, encoding: "utf8" }).trim();
const fresh = (name) => {
  const folder = join(work, "out", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
};

let failed = 0;
async function check(name, expected, run) {
  let found;
  try {
    found = await run();
  } catch (error) {
    found = error.stdout || error.stack;
  }
  if (found !== expected) failed++;
  console.log(`${found === expected ? "ok" : "FAILED"}: ${name}${found === expected ? "" : `: ${found}`}`);
}

const EVERYWHERE = "true,true,true"; // both entries in the page, and in its worker

for (const [name, module] of [["Vite 5", "vite5"], ["Vite 8", "vite"]]) {
  const { build, createServer } = await import(pathToFileURL(join(work, "node_modules", module, "dist/node/index.js")));
  const settings = { root: app, logLevel: "error", configFile: false, optimizeDeps: { exclude: ["perlane"] }, cacheDir: fresh(`${module}-cache`) };
  await check(`${name}, build`, EVERYWHERE, async () => {
    const folder = fresh(module);
    await build({ ...settings, base: "./", worker: { format: "es" }, build: { outDir: folder, emptyOutDir: true } });
    return visitFolder(folder);
  });
  await check(`${name}, dev`, EVERYWHERE, async () => {
    const server = await createServer({ ...settings, server: { port: 0, host: "127.0.0.1", fs: { strict: false } } });
    await server.listen();
    try {
      return await visit(`http://127.0.0.1:${server.httpServer.address().port}/`);
    } finally {
      await server.close();
    }
  });
}

const { default: webpack } = await need("webpack");
await check("webpack 5", EVERYWHERE, async () => {
  const folder = fresh("webpack");
  const settings = { context: app, entry: "./main.js", mode: "production", output: { path: folder, filename: "out.js" }, performance: { hints: false } };
  await new Promise((done, fail) =>
    webpack(settings, (error, stats) => (error || stats.hasErrors() ? fail(error ?? new Error(stats.toString())) : done())),
  );
  return paged(folder, "");
});

const esbuild = await need("esbuild");
for (const format of ["esm", "iife"])
  await check(`esbuild, perlane/sync, ${format}`, "true", async () => {
    const folder = fresh(`esbuild-${format}`);
    await esbuild.build({ entryPoints: [join(app, "sync.js")], bundle: true, minify: true, format, outfile: join(folder, "out.js"), logLevel: "error" });
    return paged(folder, format === "esm" ? 'type="module"' : "");
  });
await check("esbuild, perlane with the file's address", "true", async () => {
  const folder = fresh("esbuild-given");
  await esbuild.build({ entryPoints: [join(app, "given.js")], bundle: true, format: "esm", loader: { ".wasm": "file" }, outfile: join(folder, "out.js"), logLevel: "error" });
  return paged(folder, 'type="module"');
});
await check("esbuild, perlane/sync, for node in CommonJS", "true", async () => {
  const file = join(fresh("esbuild-node"), "out.cjs");
  await esbuild.build({ entryPoints: [join(app, "sync.js")], bundle: true, platform: "node", format: "cjs", outfile: file, logLevel: "error" });
  return node(file);
});

const { rollup } = await need("rollup");
const { default: resolvePackages } = await need("@rollup/plugin-node-resolve");
for (const format of ["es", "iife"])
  await check(`rollup, perlane/sync, ${format}`, "true", async () => {
    const folder = fresh(`rollup-${format}`);
    const bundle = await rollup({ input: join(app, "sync.js"), plugins: [resolvePackages({ browser: true })] });
    await bundle.write({ file: join(folder, "out.js"), format });
    return paged(folder, format === "es" ? 'type="module"' : "");
  });

await browser.close();
process.exit(failed ? 1 : 0);
