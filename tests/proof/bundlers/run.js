// SPDX-License-Identifier: MIT
//
// The npm package with bundlers and on servers: run.js PACKAGE.tgz WORK [NAME]. WORK has the packages of
// package-lock.json. Each host has to compute the self-test's digest: Chromium, also in a worker, node, Bun, Deno,
// workerd and Next.js. NAME runs the checks whose names contain it.

import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const [archive, work] = process.argv.slice(2, 4).map((each) => resolve(each));
const chosen = process.argv[4] ?? "";
const here = fileURLToPath(new URL(".", import.meta.url));
const app = join(work, "app");
const page = join(here, "../../../page");
const { serve } = await import(pathToFileURL(join(page, "serve.js")));
const { chromium } = createRequire(join(page, "package.json"))("playwright-core");
const need = (name) =>
  import(pathToFileURL(createRequire(join(work, "package.json")).resolve(name)));

rmSync(app, { recursive: true, force: true });
cpSync(join(here, "app"), app, { recursive: true });
rmSync(join(work, "node_modules/perlane"), { recursive: true, force: true });
mkdirSync(join(work, "node_modules/perlane"));
execFileSync("tar", [
  "-xzf",
  archive,
  "-C",
  join(work, "node_modules/perlane"),
  "--strip-components=1",
]);
process.chdir(work);

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});

/** What a page found. */
async function visit(address) {
  const context = await browser.newContext();
  const tab = await context.newPage();
  const problems = [];
  tab.on("pageerror", (error) => problems.push(error.message));
  try {
    await tab.goto(address);
    // A dev server may load the page again, when it has found the page's packages.
    const found = await tab.waitForFunction(
      () => document.documentElement.dataset.result,
      undefined,
      { timeout: 60000 },
    );
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
    server.close();
  }
}

/** A page with one script. */
function paged(folder, type) {
  writeFileSync(
    join(folder, "index.html"),
    `<!doctype html><link rel="icon" href="data:,"><body><script ${type} src="out.js"></script>`,
  );
  return visitFolder(folder);
}

const node = (...words) =>
  execFileSync(process.execPath, words, { cwd: work, encoding: "utf8" }).trim();
const fresh = (name) => {
  const folder = join(work, "out", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
};

let failed = 0;
async function check(name, expected, run) {
  if (!name.toLowerCase().includes(chosen.toLowerCase())) return;
  let found;
  try {
    found = await run();
  } catch (error) {
    found = [error.stdout, error.stderr, error.stack].filter(Boolean).join("\n");
  }
  const ok = typeof expected === "string" ? found === expected : expected.test(found);
  if (!ok) failed++;
  console.log(`${ok ? "ok" : "FAILED"}: ${name}${ok ? "" : `: ${found}`}`);
}

/** Runs a server until use(address) has ended, which is called once it answers. */
async function withServer(words, folder, use) {
  const server = spawn(words[0], words.slice(1), {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    detached: true, // a group of its own: workerd runs in a process that its command starts
  });
  let said = "";
  for (const stream of [server.stdout, server.stderr]) stream.on("data", (data) => (said += data));
  const ended = new Promise((done) => server.on("exit", done));
  const address = `http://127.0.0.1:${PORT}/`;
  try {
    for (let i = 0; ; i++) {
      if (server.exitCode !== null || i > 600) throw new Error(said);
      if (await fetch(address).catch(() => false)) break;
      await new Promise((done) => setTimeout(done, 100));
    }
    return await use(address);
  } finally {
    if (server.exitCode === null) process.kill(-server.pid);
    await ended;
  }
}
const PORT = 20000 + (process.pid % 20000);

const EVERYWHERE = "true,true,true"; // both entries in the page, and in its worker; or all entries on a server

// ---- Servers ----

await check("node", EVERYWHERE, () => node(join(app, "print.mjs")));
const bun = join(
  work,
  "node_modules/@oven",
  readdirSync(join(work, "node_modules/@oven"))[0],
  "bin/bun",
);
await check("Bun", EVERYWHERE, () =>
  execFileSync(bun, ["run", join(app, "print.mjs")], { encoding: "utf8" }).trim(),
);
await check("Deno", EVERYWHERE, () =>
  execFileSync(
    join(work, "node_modules/.bin/deno"),
    ["run", "--no-lock", "--node-modules-dir=manual", "--allow-read", join(app, "print.mjs")],
    { encoding: "utf8" },
  ).trim(),
);

const esbuild = await need("esbuild");
await check("workerd", EVERYWHERE, async () => {
  const folder = fresh("workerd");
  const modules = ["perlane.wasm", "noise.wasm"];
  const outside = {
    name: "wasm",
    setup: (build) =>
      build.onResolve({ filter: /\.wasm$/ }, ({ path }) => ({ path, external: true })),
  };
  await esbuild.build({
    entryPoints: [join(app, "workerd.mjs")],
    bundle: true,
    format: "esm",
    conditions: ["workerd", "worker"],
    plugins: [outside],
    outfile: join(folder, "worker.js"),
    logLevel: "error",
  });
  for (const name of modules)
    copyFileSync(join(work, "node_modules/perlane", name), join(folder, name));
  const embedded = modules.map((name) => `(name = "${name}", wasm = embed "${name}")`).join(", ");
  writeFileSync(
    join(folder, "config.capnp"),
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .main)],
  sockets = [(name = "http", address = "127.0.0.1:${PORT}", http = (), service = "main")]);
const main :Workerd.Worker = (
  modules = [(name = "worker.js", esModule = embed "worker.js"), ${embedded}],
  compatibilityDate = "2025-01-01");
`,
  );
  return withServer(
    [join(work, "node_modules/.bin/workerd"), "serve", "config.capnp"],
    folder,
    async (address) => (await fetch(address)).text(),
  );
});

// A server component, and a client component in the page.
for (const [name, flags] of [
  ["webpack", []],
  ["Turbopack", ["--turbopack"]],
]) {
  const folder = join(work, "next"); // where Turbopack finds node_modules
  const next = [process.execPath, join(work, "node_modules/next/dist/bin/next")];
  const begin = () => {
    rmSync(folder, { recursive: true, force: true });
    cpSync(join(here, "next"), folder, { recursive: true });
    copyFileSync(join(app, "host.mjs"), join(folder, "host.mjs"));
  };
  await check(`Next.js 15, ${name}, build`, `${EVERYWHERE} ${EVERYWHERE}`, () => {
    begin();
    execFileSync(next[0], [next[1], "build", ...flags], {
      cwd: folder,
      stdio: "pipe",
      encoding: "utf8",
      env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" },
    });
    return withServer([...next, "start", "-H", "127.0.0.1", "-p", PORT], folder, visit);
  });
  await check(`Next.js 15, ${name}, dev`, `${EVERYWHERE} ${EVERYWHERE}`, () => {
    begin();
    return withServer([...next, "dev", ...flags, "-H", "127.0.0.1", "-p", PORT], folder, visit);
  });
}

// ---- Bundlers for pages ----

const FAILS = /could not be loaded: .*"perlane\/sync"/; // and says what to do

for (const [name, module] of [
  ["Vite 5", "vite5"],
  ["Vite 6", "vite6"],
  ["Vite 7", "vite7"],
  ["Vite 8", "vite"],
]) {
  const { build, createServer } = await import(
    pathToFileURL(join(work, "node_modules", module, "dist/node/index.js"))
  );
  const settings = {
    root: app,
    logLevel: "error",
    configFile: false,
    optimizeDeps: { exclude: ["perlane"] },
    cacheDir: fresh(`${module}-cache`),
  };
  await check(`${name}, build`, EVERYWHERE, async () => {
    const folder = fresh(module);
    await build({
      ...settings,
      base: "./",
      worker: { format: "es" },
      build: { outDir: folder, emptyOutDir: true },
    });
    return visitFolder(folder);
  });
  const dev = async (more) => {
    const server = await createServer({
      ...settings,
      ...more,
      server: { port: 0, host: "127.0.0.1", fs: { strict: false } },
    });
    await server.listen();
    try {
      return await visit(`http://127.0.0.1:${server.httpServer.address().port}/`);
    } finally {
      await server.close();
    }
  };
  await check(`${name}, dev`, EVERYWHERE, () => dev({}));
  await check(`${name}, dev, without its setting`, module === "vite" ? EVERYWHERE : FAILS, () =>
    dev({ optimizeDeps: {}, cacheDir: fresh(`${module}-other-cache`) }),
  );
}

const { default: webpack } = await need("webpack");
await check("webpack 5", EVERYWHERE, async () => {
  const folder = fresh("webpack");
  const settings = {
    context: app,
    entry: "./main.js",
    mode: "production",
    output: { path: folder, filename: "out.js" },
    performance: { hints: false },
  };
  await new Promise((done, fail) =>
    webpack(settings, (error, stats) =>
      error || stats.hasErrors() ? fail(error ?? new Error(stats.toString())) : done(),
    ),
  );
  return paged(folder, "");
});

for (const format of ["esm", "iife"])
  await check(`esbuild, perlane/sync, ${format}`, "true", async () => {
    const folder = fresh(`esbuild-${format}`);
    await esbuild.build({
      entryPoints: [join(app, "sync.js")],
      bundle: true,
      minify: true,
      format,
      outfile: join(folder, "out.js"),
      logLevel: "error",
    });
    return paged(folder, format === "esm" ? 'type="module"' : "");
  });
await check("esbuild, perlane with the file's address", "true", async () => {
  const folder = fresh("esbuild-given");
  await esbuild.build({
    entryPoints: [join(app, "given.js")],
    bundle: true,
    format: "esm",
    loader: { ".wasm": "file" },
    outfile: join(folder, "out.js"),
    logLevel: "error",
  });
  return paged(folder, 'type="module"');
});
await check("esbuild, perlane/sync, for node in CommonJS", "true", async () => {
  const file = join(fresh("esbuild-node"), "out.cjs");
  await esbuild.build({
    entryPoints: [join(app, "sync.js")],
    bundle: true,
    platform: "node",
    format: "cjs",
    outfile: file,
    logLevel: "error",
  });
  return node(file);
});

const { rollup } = await need("rollup");
const { default: resolvePackages } = await need("@rollup/plugin-node-resolve");
for (const format of ["es", "iife"])
  await check(`rollup, perlane/sync, ${format}`, "true", async () => {
    const folder = fresh(`rollup-${format}`);
    const bundle = await rollup({
      input: join(app, "sync.js"),
      plugins: [resolvePackages({ browser: true })],
    });
    await bundle.write({ file: join(folder, "out.js"), format });
    return paged(folder, format === "es" ? 'type="module"' : "");
  });

// ---- Bundlers that do not copy the module ----

await check("esbuild, perlane", FAILS, async () => {
  const folder = fresh("esbuild-failing");
  await esbuild.build({
    entryPoints: [join(app, "failing.js")],
    bundle: true,
    format: "esm",
    outfile: join(folder, "out.js"),
    logLevel: "error",
  });
  return paged(folder, 'type="module"');
});
await check("rollup, perlane", FAILS, async () => {
  const folder = fresh("rollup-failing");
  const bundle = await rollup({
    input: join(app, "failing.js"),
    plugins: [resolvePackages({ browser: true })],
  });
  await bundle.write({ file: join(folder, "out.js"), format: "es" });
  return paged(folder, 'type="module"');
});

await browser.close();
process.exit(failed ? 1 : 0);
