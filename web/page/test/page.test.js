// SPDX-License-Identifier: MIT
//
// Tests of the page in Chromium, without a screen. Its samples are compared bit for bit with those
// of the command.
//
//   PERLANE=build/perlane PERLANE_LIBRARY=build/shared/libperlane.so node web/page/test/page.test.js
//
// CHROMIUM names another browser, SCREENSHOTS a folder for pictures of each part.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { inflateSync } from "node:zlib";

import { chromium } from "playwright-core";

import { serve } from "../serve.js";

const root = fileURLToPath(new URL("../../..", import.meta.url));
const perlane = resolve(process.env.PERLANE ?? join(root, "build/perlane"));
const library = resolve(process.env.PERLANE_LIBRARY ?? join(root, "build/shared/libperlane.so"));
const package_ = resolve(process.env.PERLANE_PACKAGE ?? join(root, "build/web/package"));
const site = resolve(process.env.PERLANE_PAGE ?? join(root, "build/page"));
const { paint } = await import(pathToFileURL(join(site, "src/paint.js")));
const folder = mkdtempSync(join(tmpdir(), "perlane-page-"));

// A subpath, as on a project's pages.
const PREFIX = "/some/where/";
const server = await serve(site, 0, PREFIX);
const base = `http://127.0.0.1:${server.address().port}${PREFIX}`;

// One browser at a time. WebGL and WebGPU on the CPU make frames slow, so only their tests have them.
const FLAGS = {
  none: ["--disable-gpu", "--disable-software-rasterizer"],
  webgl: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  webgpu: ["--use-webgpu-adapter=swiftshader", "--enable-unsafe-webgpu"],
};
let browser;
let graphics; // that it has
async function launch(name) {
  if (browser && graphics === name) return browser;
  await browser?.close();
  graphics = name;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...FLAGS[name]],
  });
  return browser;
}

/** A Python that has NumPy. */
function python() {
  for (const each of [process.env.PYTHON, "python3", "/usr/bin/python3"]) {
    try {
      execFileSync(each, ["-c", "import numpy"], { stdio: "ignore" });
      return each;
    } catch {
      // the next one
    }
  }
  throw new Error("no Python with NumPy");
}

// ---- Pages ----

let problems = []; // errors on any console, and requests to other places
// Warnings of browsers without a GPU, and of all tests but one.
const USUAL = ["No available adapters", "Failed to create WebGPU Context Provider", "Service Worker registration blocked by Playwright"];

async function open(hash = "", { width = 760, height = 420, graphics = "none", init, expect = [], ...settings } = {}) {
  const context = await (await launch(graphics)).newContext({ viewport: { width, height }, acceptDownloads: true, serviceWorkers: "block", reducedMotion: "reduce", ...settings });
  context.setDefaultTimeout(600000); // only against waiting for ever
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type()) && ![...USUAL, ...expect].some((part) => message.text().includes(part)))
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(base)) problems.push(`request: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  if (init) await page.addInitScript(init);
  await page.goto(base + (hash || "#tab=explore"));
  return page;
}

const complete = (page) => page.waitForSelector("body[data-ready][data-map=complete]");
const close = (page) => page.context().close();
/** Waits until the address, which follows the page after a moment, matches. */
async function addressed(page, pattern) {
  try {
    await page.waitForFunction((source) => new RegExp(source).test(decodeURIComponent(location.hash)), pattern.source);
  } catch {
    assert.match(decodeURIComponent(new URL(page.url()).hash), pattern);
  }
}
const code = (page, name) => page.locator(`#code-${name}`).textContent();

async function take(page) {
  await page.click("#tab-export");
  await page.waitForSelector("#code-command");
}

async function download(page, format, size) {
  await page.selectOption("#save-format", format);
  if (size) {
    await page.fill("#save-width", String(size[0]));
    await page.fill("#save-height", String(size[1]));
  } else await page.click("#size-shown");
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  return readFileSync(await file.path());
}

// ---- The command ----

function run(command) {
  const words = command.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ""));
  assert.equal(words.shift(), "perlane");
  execFileSync(perlane, [...words, "-q"], { cwd: folder });
}

function unpackPng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  assert.deepEqual([...bytes.subarray(24, 29)], [16, 0, 0, 0, 0]);
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT") parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts));
  const out = Buffer.alloc(2 * width * height);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (2 * width + 1), (y + 1) * (2 * width + 1));
    assert.equal(row[0], 1);
    for (let i = 0; i < 2 * width; i++) row[i + 1] += i < 2 ? 0 : row[i - 1];
    for (let x = 0; x < width; x++) out.writeUInt16LE(row.readUInt16BE(1 + 2 * x), 2 * (y * width + x));
  }
  return out;
}

// ---- Tests ----

const tests = [];
const test = (name, body) => tests.push([name, body]);

const FAR = "at=1000000000000003,-999999999999997&step=1";
const FIELDS = {
  "the first map": "",
  "octaves far away": `#field=seed=18446744073709551615+octaves=8+frequency=0.01&${FAR}`,
  "a ridged terrain, each 4th sample": "#field=octaves=7+frequency=0.004+fractal=ridged+weighted_strength=0.3+gradients=sphere&at=-77,1234&step=4",
  "cells, warped": "#field=basis=cellular+frequency=0.02+warp_amplitude=20+warp_frequency=0.01",
  "a curve and terraces, between samples": "#field=octaves=5+frequency=0.01+curve=-1:-0.5,0:0.1,1:1+terraces=9&at=12345,678&step=0.125",
  "values of spread octaves": "#field=basis=value+octaves=4+normalize=spread+value_scale=30",
  "the preset improved": "#field=preset=improved+frequency=0.02",
  "the preset pnoise, far away": `#field=preset=pnoise+frequency=0.03+octaves=3&${FAR}`,
  "the preset classic": "#field=preset=classic+frequency=0.02",
  "a slice of a volume": "#field=octaves=5+frequency=0.02&at=-40,99&step=0.5&z=12.25",
  "the preset axis": "#field=preset=axis+frequency=0.05+octaves=2",
};

for (const [name, hash] of Object.entries(FIELDS))
  test(`the same bits as the command: ${name}`, async () => {
    const page = await open(hash);
    await complete(page);
    await take(page);
    run(await code(page, "command"));
    const expected = readFileSync(join(folder, "map.r32"));
    assert.ok(expected.length > 300000);
    assert.ok(expected.equals(await download(page, "raw32")), "the saved samples differ");
    await close(page);
  });

for (const [hash, fine] of [["#field=octaves=3+seed=5", 2], [`#field=octaves=6+frequency=0.02&${FAR}`, 1]])
  test(`the picture is that of the command's samples ${hash} with ${fine} pixels per CSS pixel`, async () => {
    const page = await open(`${hash}&style=flat&low=-0.7&high=0.6`, { width: 620, height: 300, deviceScaleFactor: fine });
    await complete(page);
    const [width, height, bytes_] = await page.evaluate(() => {
      const map = document.getElementById("map");
      const { data } = map.getContext("2d").getImageData(0, 0, map.width, map.height);
      let bytes = "";
      for (let i = 0; i < data.length; i += 4096) bytes += String.fromCharCode(...data.subarray(i, i + 4096));
      return [map.width, map.height, btoa(bytes)];
    });
    const pixels = Buffer.from(bytes_, "base64");
    const shown = await page.locator("#map").boundingBox();
    assert.deepEqual([width, height], [fine * shown.width, fine * shown.height]);
    await take(page);
    run(await code(page, "command"));
    const bytes = readFileSync(join(folder, "map.r32"));
    const values = new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4);
    const size = Math.max(width, height);
    const padded = new Float32Array((size + 2) ** 2);
    for (let y = 0; y < height; y++) padded.set(values.subarray(y * width, (y + 1) * width), (y + 1) * (size + 2) + 1);
    const expected = new Uint8ClampedArray(4 * size * size);
    paint(padded, size, { style: "flat", palette: "terrain", low: -0.7, high: 0.6, light: 315 }, 0, expected);
    for (let y = 0; y < height; y++)
      for (let i = 0; i < 4 * width; i++)
        if (pixels[4 * y * width + i] !== expected[4 * y * size + i]) assert.fail(`pixel ${i >> 2}, ${y} differs`);
    await close(page);
  });

test("a saved PNG and a raw file of 16 bits", async () => {
  const page = await open(`#field=octaves=6+frequency=0.004&${FAR}`);
  await complete(page);
  await take(page);
  const size = [701, 333];
  const png = await download(page, "png", size);
  const raw = await download(page, "raw16", size);
  writeFileSync(join(folder, "saved.png"), png);
  execFileSync(perlane, ["fill", "-q", "-o", "again.r16", "--params-of", "saved.png"], { cwd: folder });
  const expected = readFileSync(join(folder, "again.r16"));
  assert.equal(expected.length, 2 * size[0] * size[1]);
  assert.ok(expected.equals(raw), "the raw file differs");
  assert.ok(expected.equals(unpackPng(png)), "the PNG differs");
  await close(page);
});

test("a .png of the command, compressed in pieces, as the browser reads it", async () => {
  const words = ["fill", "-q", "--size", "1501x1403", "--octaves", "8", "--frequency", "0.01", "--bits", "8"];
  for (const file of ["command.png", "command.npy"])
    execFileSync(perlane, [...words, "-o", file], { cwd: folder });
  const page = await open();
  const url = `data:image/png;base64,${readFileSync(join(folder, "command.png")).toString("base64")}`;
  const read = await page.evaluate(async (url) => {
    const image = new Image();
    image.src = url;
    await image.decode();
    const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    return Array.from({ length: data.length / 4 }, (_, i) => String.fromCharCode(data[4 * i])).join("");
  }, url);
  const want = readFileSync(join(folder, "command.npy")).subarray(-1501 * 1403);
  assert.ok(Buffer.from(read, "latin1").equals(want));
  await close(page);
});

test("a large file: progress and cancel", async () => {
  const page = await open("#field=octaves=32"); // the whole file would take minutes
  await complete(page);
  await take(page);
  await page.fill("#save-width", "8192");
  await page.fill("#save-height", "8192");
  await page.click("#save");
  await page.waitForFunction(() => document.getElementById("save-progress").value > 0);
  await page.click("#save-cancel");
  await page.waitForFunction(() => document.getElementById("save-message").textContent.startsWith("Cancelled"));
  await page.fill("#save-width", "8193");
  await page.click("#save");
  assert.match(await page.locator("#save-message").textContent(), /8192/);
  await close(page);
});

for (const slice of ["", "&z=3.5"]) test(`the programs in C, C++, Python and JavaScript${slice}`, async () => {
  const page = await open(`#field=octaves=5+frequency=0.01+seed=99&at=123456789012345,-7&step=0.5${slice}`);
  await complete(page);
  await take(page);
  run(await code(page, "command"));
  const expected = readFileSync(join(folder, "map.r32"));
  const same = (name) => assert.ok(expected.equals(readFileSync(join(folder, name))), `${name} differs`);

  writeFileSync(join(folder, "map.c"), await code(page, "c"));
  execFileSync("cc", ["-O2", "-Wall", "-Werror", `-I${root}include`, "map.c", library, `-Wl,-rpath,${dirname(library)}`, "-o", "program"], { cwd: folder });
  rmSync(join(folder, "map.r32"));
  execFileSync(join(folder, "program"), { cwd: folder });
  same("map.r32");

  writeFileSync(join(folder, "map.cpp"), await code(page, "cpp"));
  execFileSync("c++", ["-O2", "-Wall", "-Werror", `-I${root}include`, "map.cpp", library, `-Wl,-rpath,${dirname(library)}`, "-o", "program++"], { cwd: folder });
  rmSync(join(folder, "map.r32"));
  execFileSync(join(folder, "program++"), { cwd: folder });
  same("map.r32");

  mkdirSync(join(folder, "node_modules"), { recursive: true });
  if (!existsSync(join(folder, "node_modules/perlane"))) symlinkSync(package_, join(folder, "node_modules/perlane"));
  writeFileSync(join(folder, "map.mjs"), `${await code(page, "javascript")}
import { writeFileSync } from "node:fs";
writeFileSync("js.r32", new Uint8Array(values.buffer));`);
  execFileSync(process.execPath, ["map.mjs"], { cwd: folder });
  same("js.r32");

  writeFileSync(join(folder, "map.py"), `${await code(page, "python")}\nvalue.astype("<f4").tofile("py.r32")\n`);
  const settings = { PYTHONPATH: join(root, "python"), PERLANE_LIBRARY: library, PYTHONDONTWRITEBYTECODE: "1" };
  execFileSync(python(), ["map.py"], { cwd: folder, env: { ...process.env, ...settings } });
  same("py.r32");
  await close(page);
});

/** By how many levels of 8 bits the map on the screen differs from a PNG, on average. */
const difference = (page, png) =>
  page.evaluate(async (source) => {
    const image = new Image();
    image.src = source;
    await image.decode();
    const map = document.getElementById("map");
    if (image.width !== map.width || image.height !== map.height) throw new Error("sizes differ");
    const [expected, shown] = [image, map].map((picture) => {
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      return context.getImageData(0, 0, image.width, image.height).data;
    });
    return shown.reduce((sum, level, i) => sum + Math.abs(level - expected[i]), 0) / (0.75 * shown.length);
  }, `data:image/png;base64,${png.toString("base64")}`);

test("starts are looks, as the command draws them", async () => {
  const page = await open("#field=octaves=2&style=normals&rise=3");
  await complete(page);
  await page.waitForFunction(() => [...document.querySelectorAll("[data-start] canvas")].every(({ width }) => width === 96));
  const names = await page.$$eval("[data-start]", (all) => all.map((each) => each.dataset.start));
  const listed = execFileSync(perlane, ["looks"], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names, listed.map((line) => line.split(" ")[0]));
  const { width, height } = await page.locator("#map").evaluate(({ width, height }) => ({ width, height }));
  for (const name of names) {
    await page.click(`[data-start=${name}]`);
    await complete(page);
    const draw = (file) => execFileSync(perlane, ["fill", "-q", "-o", file, "--look", name, "--size", `${width}x${height}`], { cwd: folder });
    draw("look.png");
    const off = await difference(page, readFileSync(join(folder, "look.png")));
    // Where a shaded field has a gradient, the command shades with it, and the page with differences.
    const most = ["alps", "hills", "canyon", "mesas", "dunes"].includes(name) ? 8 : 0.2;
    assert.ok(off < most, `${name}: levels differ by ${off} on average`);
    await take(page);
    run(await code(page, "command"));
    draw("look.r32");
    assert.ok(readFileSync(join(folder, "look.r32")).equals(readFileSync(join(folder, "map.r32"))), `${name}: samples differ`);
    await page.click("#tab-explore");
  }
  await close(page);
});

test("the link holds everything", async () => {
  const page = await open("", { width: 900, height: 600 });
  await complete(page);
  await page.click("[data-start=island]");
  await complete(page);
  await page.selectOption("#style", "normals");
  await page.selectOption("#palette", "embers");
  await page.locator("#light").fill("120");
  await page.focus("#map");
  for (const key of ["ArrowRight", "ArrowDown", "ArrowDown", "+", "+", "ArrowLeft"]) await page.keyboard.press(key);
  await page.click("#random");
  await complete(page);
  const state = async (each) => {
    await complete(each);
    const picture = await each.evaluate(() => document.getElementById("map").toDataURL());
    await take(each);
    const texts = [];
    for (const name of ["link", "text", "command"]) texts.push(await code(each, name));
    await each.click("#tab-explore");
    return { picture, texts };
  };
  const first = await state(page);
  const other = await open(first.texts[0].slice(base.length), { width: 900, height: 600 });
  const second = await state(other);
  assert.deepEqual(second.texts, first.texts);
  assert.equal(second.picture, first.picture);
  assert.match(first.texts[1], /^seed=\d+ /);
  // Links come from anywhere: a wrong one shows the usual map and says so.
  const wrong = await open("#field=octaves=99&at=x,1&step=3&palette=__proto__&tilt=1&tab=none");
  await complete(wrong);
  for (const name of ["octaves", "at", "step", "palette", "tilt", "tab"])
    assert.match(await wrong.locator("#fault").textContent(), new RegExp(`\\b${name} must be `));
  await wrong.evaluate(() => (location.hash = "#at=1e5,-2&step=2"));
  await addressed(wrong, /&at=100000,-2&step=2$/);
  assert.equal(await wrong.locator("#fault").isVisible(), false);
  await close(wrong);
  await close(other);
  await close(page);
});

test("'Random' changes the seed only", async () => {
  const page = await open("#field=octaves=3+frequency=0.02&tab=explore");
  await complete(page);
  await page.click("#random");
  await addressed(page, /^#field=seed=\d+\+frequency=0\.02\+octaves=3&at=0,0&step=1$/);
  await close(page);
});

test("every control once", async () => {
  const page = await open("", { width: 800, height: 240 });
  await complete(page);
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  const names = await page.$$eval("[data-option]", (all) => all.map((each) => each.dataset.option));
  assert.ok(names.length > 30, `${names.length} controls`);
  for (const name of names) {
    await page.click("#reset-all");
    const control = page.locator(`[data-option=${name}]`);
    const before = page.url();
    const box = control.locator("input[type=checkbox]");
    const select = control.locator("select");
    const text = control.locator("input[type=text]");
    const range = control.locator("input[type=range]");
    if (await box.count()) await box.click();
    else if (await select.count()) {
      for (const value of await select.locator("option:not([disabled])").evaluateAll((all) => all.map((each) => each.value))) await select.selectOption(value);
    } else {
      const kind = await control.getAttribute("class");
      const value = kind.includes("curve") ? "-1:0,1:1" : kind.includes("axes") ? "4,4,0,0" : kind.includes("seed") ? "12345678901234567890" : "3";
      if (await range.count()) await range.press("ArrowRight");
      await text.fill(kind.includes("real") ? "0.75" : value);
      await text.press("Enter");
    }
    const error = await control.locator(".error").textContent();
    const reset = control.locator(".reset");
    assert.ok(error || (await reset.isVisible()), `${name} did not change (${before})`);
    if (!error) {
      await reset.click();
      assert.ok(!(await reset.isVisible()), `${name} was not reset`);
    }
  }
  // Values that do not exist say so at the control, and leave the map alone.
  const octaves = page.locator("[data-option=octaves]");
  await octaves.locator("input[type=text]").fill("33");
  await octaves.locator("input[type=text]").press("Enter");
  assert.match(await octaves.locator(".error").textContent(), /octaves/);
  for (const start of await page.$$eval("[data-start]", (all) => all.map((each) => each.dataset.start))) {
    await page.click(`[data-start=${start}]`);
  }
  for (const preset of await page.$$eval("#preset option:not([disabled])", (all) => all.map((each) => each.value).filter(Boolean))) await page.selectOption("#preset", preset);
  for (const id of ["style", "palette"])
    for (const value of await page.$$eval(`#${id} option`, (all) => all.map((each) => each.value))) await page.selectOption(`#${id}`, value);
  for (const id of ["fit", "unfit", "far", "home", "zoom-in", "zoom-out"]) await page.click(`#${id}`);
  await page.fill("#low", "-0.5");
  await page.press("#low", "Enter");
  await page.locator("#strength").press("ArrowRight");
  await page.fill("#go-x", "1e15");
  await page.press("#go-x", "Enter");
  await complete(page);
  assert.equal(await page.locator("#fault").isVisible(), false);
  await close(page);
});

test("drag, wheel and pinch", async () => {
  const page = await open("#field=octaves=2&at=0,0&step=1");
  await complete(page);
  await page.mouse.move(200, 200);
  await page.mouse.down();
  await page.mouse.move(230, 190, { steps: 5 });
  await page.mouse.up();
  await addressed(page, /&at=-30,10&step=1$/);
  await page.mouse.wheel(0, 100);
  await addressed(page, /&step=2$/);
  await page.mouse.wheel(0, -200);
  await addressed(page, /&step=0.5$/);
  await page.evaluate(() => {
    const map = document.getElementById("map");
    const send = (type, id, x, y) => map.dispatchEvent(new PointerEvent(type, { pointerId: id, clientX: x, clientY: y, bubbles: true, button: 0 }));
    map.setPointerCapture = () => {};
    send("pointerdown", 11, 150, 200);
    send("pointerdown", 12, 250, 200);
    for (let d = 0; d <= 120; d += 10) {
      send("pointermove", 11, 150 - d, 200);
      send("pointermove", 12, 250 + d, 200);
    }
    send("pointerup", 11, 30, 200);
    send("pointerup", 12, 370, 200);
  });
  await complete(page);
  await addressed(page, /&step=0.125$/);
  await close(page);
});

test("zooming in fast draws few tiles a frame", async () => {
  const page = await open("#field=octaves=2", {
    init: () => {
      let drawn = 0;
      window.most = 0;
      const { drawImage } = CanvasRenderingContext2D.prototype;
      CanvasRenderingContext2D.prototype.drawImage = function (...rest) {
        window.most = Math.max(window.most, ++drawn);
        return drawImage.apply(this, rest);
      };
      requestAnimationFrame(function frame() {
        drawn = 0;
        requestAnimationFrame(frame);
      });
    },
  });
  await complete(page);
  await page.mouse.move(200, 200);
  await page.mouse.wheel(0, -600);
  await complete(page);
  await addressed(page, /&step=0.25$/);
  await page.evaluate(() => {
    for (let i = 0; i < 8; i++) document.getElementById("map").dispatchEvent(new WheelEvent("wheel", { deltaY: -100, clientX: 200, clientY: 200, cancelable: true }));
  });
  await complete(page);
  await addressed(page, /&step=0.0009765625$/);
  const most = await page.evaluate(() => window.most);
  assert.ok(most > 0 && most < 300, `${most} tiles in one frame`);
  await close(page);
});

test("what cannot be computed is asked for once, and says why", async () => {
  const page = await open("#field=octaves=2", {
    init: () => {
      window.asked = 0;
      const { postMessage } = Worker.prototype;
      Worker.prototype.postMessage = function (message, ...rest) {
        if (message.kind === "tile" || message.kind === "paint") window.asked++;
        return postMessage.call(this, message, ...rest);
      };
    },
  });
  await complete(page);
  for (const hash of ["#field=frequency=1e300", "#field=warp_amplitude=1e38", "#at=9e18,-9e18&step=1024", "#field=octaves=2&palette=constructor"]) {
    const before = await page.evaluate((next) => {
      location.hash = next;
      return window.asked;
    }, hash);
    await page.waitForFunction((n) => window.asked > n, before);
    await complete(page);
    await page.waitForTimeout(400);
    const asked = (await page.evaluate(() => window.asked)) - before;
    const notice = page.locator(/palette|at=/.test(hash) ? "#fault" : "#map-notice");
    console.log(`  ${hash}: ${asked} tiles; ${(await notice.isVisible()) ? await notice.textContent() : "nothing said"}`);
    assert.ok(asked < 80, `${hash}: ${asked} tiles`);
    await notice.waitFor();
  }
  assert.equal(await page.locator("#map-notice").isVisible(), false);
  await close(page);
});

test("Back, Undo and Redo", async () => {
  const page = await open("#field=octaves=3", { width: 800 });
  await complete(page);
  const length = () => page.evaluate(() => history.length);
  const start = await length();
  assert.ok(await page.locator("#undo").isDisabled());
  await page.click("#random");
  await addressed(page, /seed=/);
  await page.mouse.move(300, 200);
  await page.mouse.down();
  for (let i = 1; i <= 4; i++) {
    await page.mouse.move(300 - 10 * i, 200);
    await page.waitForTimeout(300);
  }
  await page.mouse.up();
  await addressed(page, /seed=.*&at=40,0/);
  assert.equal(await length(), start + 2, "a drag is one entry");
  await page.keyboard.press("Control+z");
  await addressed(page, /seed=.*&at=0,0/);
  await page.goBack();
  await addressed(page, /^#field=octaves=3&at=0,0/);
  await page.keyboard.press("Control+z"); // nothing is left, and the page stays
  await page.waitForFunction(() => document.getElementById("undo").disabled);
  await page.keyboard.press("Control+Shift+z");
  await page.keyboard.press("Control+y");
  await addressed(page, /seed=.*&at=40,0/);
  await page.click("#reset-all");
  await page.click("#undo"); // at once, before there is an entry
  await page.waitForFunction(() => !document.getElementById("redo").disabled);
  assert.match(page.url(), /seed=/);
  // A text that is being edited keeps its own undo.
  const octaves = page.locator("[data-option=octaves] input[type=text]");
  const before = page.url();
  await octaves.pressSequentially("7");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(300);
  assert.equal(page.url(), before);
  await close(page);
});

test("offline", async () => {
  const lost = { expect: ["ERR_INTERNET_DISCONNECTED", "dynamically imported module"] };
  const page = await open("#field=octaves=2", { serviceWorkers: "allow", ...lost });
  await complete(page);
  // A part that could not be loaded is loaded when it is opened again.
  const other = await open("#field=octaves=2", lost);
  await complete(other);
  await other.context().setOffline(true);
  await other.click("#tab-export");
  await other.waitForSelector("#fault:not([hidden])");
  await other.context().setOffline(false);
  await other.click("#tab-export");
  await other.waitForSelector("#code-link");
  assert.equal(await other.locator("#fault").isVisible(), false);
  await close(other);
  // The service worker has a copy of everything.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await complete(page);
  for (const [tab, made] of [["how", "#part-how[data-ready]"], ["export", "#code-link"]]) {
    await page.click(`#tab-${tab}`);
    await page.waitForSelector(made);
  }
  await page.evaluate(() => import(new URL("src/relief.js", location)));
  assert.equal(await page.locator("#fault").isVisible(), false);
  await close(page);
});

test("with the keyboard only", async () => {
  const page = await open("#field=octaves=2", { width: 900, height: 700, graphics: "webgl" });
  await complete(page);
  const reach = async (id) => {
    for (let i = 0; i < 120; i++) {
      if (await page.evaluate((each) => document.activeElement?.id === each, id)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${id} cannot be reached`);
  };
  await reach("map");
  assert.notEqual(await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle), "none");
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("-");
  await addressed(page, /at=32,0&step=2$/);
  await page.keyboard.press("Home");
  await reach("random");
  await page.keyboard.press("Enter");
  await addressed(page, /seed=/);
  await page.focus("body");
  await reach("tab-explore");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("body[data-relief]");
  await reach("relief");
  await page.keyboard.press("ArrowLeft");
  await addressed(page, /&turn=-31&tab=relief$/);
  await page.focus("#tab-relief");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#part-how[data-ready]");
  await reach("lattice-angle");
  await page.keyboard.press("ArrowRight");
  await page.focus("#tab-how");
  await page.keyboard.press("ArrowRight");
  await page.waitForSelector("#code-link");
  await reach("copy-text");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("said").textContent);
  await close(page);
});

test("how it works: vectors, steps, octaves", async () => {
  const page = await open("#tab=how", { width: 1000, height: 800 });
  await page.waitForSelector("#part-how[data-ready]");
  const picture = (id) => page.evaluate((each) => document.getElementById(each).toDataURL(), id);
  assert.match(await page.locator("#cell-proof").textContent(), /e-[5-9]/);
  const lattice = await picture("lattice");
  const box = await page.locator("#lattice").boundingBox();
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2 + 30, box.y + box.height / 2 + 30, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await picture("lattice"), lattice);
  for (let i = 0; i < 4; i++) await page.click(`[data-step="${i}"]`);
  await page.selectOption("#cell-fade", "linear");
  await page.click("#lattice-flat");
  for (const name of ["octaves", "gain", "frequency", "lacunarity"]) {
    const before = [await picture(`curve-${name}`), await picture(`picture-${name}`)];
    await page.locator(`#parameter-${name}`).press("ArrowRight");
    assert.notEqual(await picture(`curve-${name}`), before[0], `${name}: the curve is the same`);
    assert.notEqual(await picture(`picture-${name}`), before[1], `${name}: the picture is the same`);
  }
  for (const id of ["kind-cell", "kind-octaves"]) await page.locator(`#${id}`).press("ArrowRight");
  const terrain = await picture("terrain");
  await page.click("#terrain-new");
  await page.waitForFunction(() => document.getElementById("terrain-seed").textContent !== "seed 8");
  assert.notEqual(await picture("terrain"), terrain);
  await page.click("#terrain-open");
  await complete(page);
  await addressed(page, /field=seed=\d+\+.*fractal=eroded/);
  await close(page);
});

test("how it works: the spectrum of squares is a cross, of triangles a disc", async () => {
  const page = await open("#tab=how", { width: 1000, height: 800 });
  await page.waitForSelector("#part-how[data-ready]");
  // Mean brightness in a ring, within 20 degrees of the axes, less that of the diagonals.
  const difference = (name) =>
    page.evaluate((id) => {
      const { data, width } = document.getElementById(id).getContext("2d").getImageData(0, 0, 160, 160);
      const sum = [0, 0];
      const count = [0, 0];
      for (let y = 0; y < width; y++)
        for (let x = 0; x < width; x++) {
          const radius = Math.hypot(x - 80, y - 80);
          const off = Math.abs(((Math.atan2(y - 80, x - 80) / (Math.PI / 4) + 8) % 2) - 1); // 1: an axis, 0: a diagonal
          if (radius < 62 || radius > 76 || (off > 0.45 && off < 0.55)) continue;
          sum[off > 0.5 ? 0 : 1] += data[4 * (y * width + x)];
          count[off > 0.5 ? 0 : 1]++;
        }
      return sum[0] / count[0] - sum[1] / count[1];
    }, `spectrum-${name}`);
  assert.ok((await difference("perlin")) > 30);
  assert.ok(Math.abs(await difference("simplex")) < 6);
  await close(page);
});

test("how it works: the GPU's map has the bits of WebAssembly's, or is not shown", async () => {
  const shown = async (settings) => {
    const page = await open("#tab=how", { width: 1000, height: 800, ...settings });
    const canvas = await page.waitForSelector("#gpu[data-by]");
    const result = [await page.textContent("#gpu-shown"), await canvas.evaluate((each) => each.toDataURL())];
    await close(page);
    return result;
  };
  const [without, picture] = await shown();
  assert.equal(without, "Drawn by WebAssembly: this browser offers no GPU to pages.");
  const [text, same] = await shown({ graphics: "webgpu" });
  if (text === without) return console.log("not run: WebGPU: the browser has no adapter");
  assert.match(text, /^Drawn by this GPU, .* All 66,564 samples have the bits/);
  assert.ok(same === picture, "the GPU's picture is another");
  // A device whose results are off by a unit in the last place.
  const init = () => {
    const create = GPUDevice.prototype.createShaderModule;
    GPUDevice.prototype.createShaderModule = function ({ code }) {
      return create.call(this, { code: code.replace("^ perlane_words[7]", "^ 1u") });
    };
  };
  const [warning] = await shown({ graphics: "webgpu", init });
  assert.equal(warning, "Drawn by WebAssembly: this device does not compute the samples that perlane promises.");
});

test("how it works: a point's value, and a seed that a link holds", async () => {
  const page = await open("#tab=how&lattice=5", { width: 1000, height: 900 });
  await page.waitForSelector("#part-how[data-ready]");
  const numbers = () => page.$$eval("#sample-sum, #sample-library", (all) => all.map((each) => each.textContent));
  const picture = (each) => each.evaluate(() => document.getElementById("lattice").toDataURL());
  const first = await numbers();
  assert.equal(first[0], first[1]);
  const box = await page.locator("#lattice").boundingBox();
  const place = (x, y) => [box.x + ((x + 0.5) / 7) * box.width, box.y + ((y + 0.5) / 5) * box.height];
  await page.mouse.move(...place(2.3, 1.62));
  await page.mouse.down();
  await page.mouse.move(...place(3.55, 2.4), { steps: 3 });
  await page.mouse.up();
  await page.waitForFunction(() => document.getElementById("sample-x").value === "3.55");
  const second = await numbers();
  assert.notEqual(second[0], first[0]);
  assert.equal(second[0], second[1]);
  // The products are those of the table's rows.
  const rows = await page.$$eval(".sums tbody tr", (all) => all.slice(0, 4).map((row) => [...row.children].slice(1).map((each) => each.textContent.replaceAll("−", "-").split(", ").map(Number))));
  for (const [gradient, way, [dot], [weight], [part]] of rows) {
    assert.ok(Math.abs(gradient[0] * way[0] + gradient[1] * way[1] - dot) < 0.02);
    assert.ok(Math.abs(dot * weight - part) < 0.002);
  }
  await page.click("#lattice-shuffle");
  await addressed(page, /&lattice=(?!5&)\d+&tab=how$/);
  const other = await open(new URL(page.url()).hash, { width: 1000, height: 900 });
  await other.waitForSelector("#part-how[data-ready]");
  await other.locator("#sample-x").fill("3.55");
  await other.locator("#sample-y").fill("2.4");
  await page.locator("#sample-x").fill("3.55");
  await page.locator("#sample-y").fill("2.4");
  assert.ok((await picture(other)) === (await picture(page)), "the link shows other gradients");
  await close(other);
  await close(page);
});

test("the first part: a look as a relief, the speed, and links that lead somewhere", async () => {
  const page = await open("#", { width: 800, height: 520, graphics: "webgl" });
  await page.waitForSelector("body[data-tab=home][data-relief]");
  assert.match(await page.locator("#hero-title").textContent(), /memory speed, the same bits everywhere/);
  await page.waitForFunction(() => /^\d+ million$/.test(document.getElementById("hero-rate").textContent));
  for (const link of await page.$$eval("#part-home a, .top a", (all) => all.map((each) => each.href.split("#")[0]))) assert.equal((await fetch(link)).status, 200, link);
  assert.ok(!(await page.locator("#panel").isVisible()));
  const mountains = await page.locator("#part-home").screenshot();
  await page.click("[data-hero=dunes]");
  await addressed(page, /palette=sand.*tab=home$/);
  while (mountains.equals(await page.locator("#part-home").screenshot())) await page.waitForTimeout(200);
  await page.goBack();
  await page.waitForFunction(() => /palette=land/.test(location.hash));
  await page.click("#hero-explore");
  await complete(page);
  const { width, height } = await page.locator("#map").evaluate(({ width, height }) => ({ width, height }));
  await take(page);
  run(await code(page, "command"));
  execFileSync(perlane, ["fill", "-q", "-o", "first.r32", "--look", "mountains", "--size", `${width}x${height}`], { cwd: folder });
  assert.ok(readFileSync(join(folder, "first.r32")).equals(readFileSync(join(folder, "map.r32"))), "the first map is not the look");
  await close(page);
});

test("every page of the documentation has links that lead somewhere", async () => {
  const page = await open("#field=octaves=2");
  const seen = new Set(["docs/index.html"]);
  for (const path of seen) {
    const text = await (await fetch(base + path)).text();
    for (const [, href] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
      if (/^https?:/.test(href)) continue;
      const url = new URL(href, base + path).href;
      assert.ok(url.startsWith(base), `${path}: ${href}`);
      const next = url.slice(base.length);
      if (seen.has(next)) continue;
      if (next.endsWith(".html") && next.startsWith("docs/")) seen.add(next);
      else assert.equal((await fetch(url)).status, 200, `${path}: ${href}`);
    }
  }
  assert.ok(seen.size > 20, `${seen.size} pages`);
  await close(page);
});

test("A and B are compared, and z moves through a volume", async () => {
  const page = await open("#field=octaves=3+frequency=0.02&style=flat", { width: 900, height: 500, expect: ["willReadFrequently"] });
  await complete(page);
  const pixels = (id, x) => page.evaluate(([each, at]) => [...document.getElementById(each).getContext("2d").getImageData(at, 0, 20, 300).data].join(), [id, x]);
  const before = await pixels("map", 100);
  const compared = () => page.waitForFunction(() => document.getElementById("map-a").style.visibility === "" && document.body.dataset.map === "complete");
  await page.click("#compare");
  await page.waitForFunction(() => document.body.dataset.compared);
  await page.locator("[data-option=octaves] input[type=text]").fill("7");
  await page.locator("[data-option=octaves] input[type=text]").press("Enter");
  await complete(page);
  assert.notEqual(await pixels("map", 100), before);
  assert.equal(await pixels("map-a", 100), before, "A is not what it was");
  await page.locator("#divider").fill("80");
  assert.equal(await page.evaluate(() => getComputedStyle(document.querySelector(".compare")).getPropertyValue("--split")), "80%");
  // A follows the map.
  await page.focus("#map");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(50);
  await compared();
  assert.equal(await pixels("map-a", 100 - 64), before);
  await page.click("#compare");
  assert.ok(!(await page.locator("#map-a").isVisible()));
  const flat = await pixels("map", 100);
  await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
  await page.locator("#slice-z").fill("100");
  await addressed(page, /&z=100$/);
  await complete(page);
  assert.notEqual(await pixels("map", 100), flat);
  await page.click("#slice");
  await complete(page);
  assert.equal(await pixels("map", 100), flat);
  await close(page);
});

test("relief: an orbit, but not where motion is reduced", async () => {
  for (const reducedMotion of ["no-preference", "reduce"]) {
    const page = await open("#field=octaves=3&tab=relief", { width: 700, height: 300, graphics: "webgl", reducedMotion });
    await page.waitForSelector("body[data-relief]");
    await page.waitForFunction(() => document.querySelector("#badge code")); // nothing else is drawn
    const picture = () => page.locator("#relief-screen").screenshot();
    const drift = await page.evaluate(() => Number(document.body.dataset.drift ?? 0));
    const before = await picture();
    await page.waitForTimeout(1500);
    if (reducedMotion === "reduce") assert.ok(before.equals(await picture()), "it moves");
    else assert.ok(drift > 0, "it does not move");
    assert.equal(await page.locator("#orbit").isChecked(), reducedMotion !== "reduce");
    await close(page);
  }
});

test("relief: steep ground is rock", async () => {
  const grey = async (rise) => {
    const page = await open(`#field=frequency=0.02+value_offset=1.2&palette=meadow&low=-3&high=3&rise=${rise}&tilt=89&tab=relief`, { width: 800, height: 400, graphics: "webgl", reducedMotion: "reduce" });
    await page.waitForSelector("body[data-relief]");
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#relief-save")]);
    const png = readFileSync(await file.path()).toString("base64");
    const share = await page.evaluate(async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(image.width * 0.4, image.height * 0.4, image.width * 0.2, image.height * 0.2);
      let brown = 0;
      for (let i = 0; i < data.length; i += 4) brown += data[i] > data[i + 1];
      return (4 * brown) / data.length;
    }, `data:image/png;base64,${png}`);
    await close(page);
    return share;
  };
  assert.equal(await grey(0.5), 0);
  assert.ok((await grey(150)) > 0.3);
});

test("options that change nothing are dimmed", async () => {
  const page = await open("#field=octaves=1", { width: 900, height: 600 });
  await complete(page);
  const idle = async (field) => {
    await page.waitForFunction((text) => document.body.dataset.effects === text, field);
    return page.$$eval(".idle", (all) => all.map((each) => each.dataset.option));
  };
  const single = await idle("");
  for (const name of ["gain", "lacunarity", "weighted_strength", "erosion", "warp_frequency", "jitter", "curve_shape"]) assert.ok(single.includes(name), name);
  for (const name of ["seed", "frequency", "octaves", "basis", "warp_amplitude", "curve", "terraces", "value_scale"]) assert.ok(!single.includes(name), name);
  await page.locator("[data-option=octaves] input[type=text]").fill("4");
  await page.locator("[data-option=octaves] input[type=text]").press("Enter");
  const four = await idle("octaves=4");
  for (const name of ["gain", "lacunarity", "weighted_strength"]) assert.ok(!four.includes(name), name);
  await close(page);
});

test("too far out and too near say so, and periods are shown three by three", async () => {
  const page = await open("#field=octaves=3&step=128", { width: 900, height: 600 });
  await complete(page);
  await page.waitForFunction(() => /static/.test(document.getElementById("map-notice").textContent));
  await page.evaluate(() => (location.hash = "#field=octaves=3&step=0.0009765625"));
  await page.waitForFunction(() => /flat/.test(document.getElementById("map-notice").textContent));
  await page.evaluate(() => (location.hash = "#field=octaves=3&at=40,40"));
  await page.waitForFunction(() => document.getElementById("map-notice").hidden);
  assert.ok(!(await page.locator("#periods").isVisible()));
  await page.evaluate(() => (location.hash = "#field=frequency=0.015625+octaves=3+period=4,4"));
  await page.click("#periods");
  await addressed(page, /&at=192,192&step=2$|&at=384,384&step=1$/);
  await complete(page);
  const white = await page.evaluate(() => {
    const map = document.getElementById("map");
    const { data } = map.getContext("2d").getImageData(0, 0, map.width, map.height);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) count += data[i] === 255 && data[i + 1] === 255 && data[i + 2] === 255;
    return count;
  });
  assert.ok(white > 500, `${white} pixels of borders`);
  await close(page);
});

test("copying says so in the button; languages are tabs", async () => {
  const page = await open("#field=octaves=2", { permissions: ["clipboard-read", "clipboard-write"] });
  await complete(page);
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click("#share");
  await page.waitForSelector("#share[data-said=Copied]");
  assert.equal(await pasted(), page.url());
  await take(page);
  await page.focus("#language-command");
  for (const name of ["c", "cpp", "python", "javascript"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.locator("pre[role=tabpanel]:visible").getAttribute("id"), `code-${name}`);
    assert.ok((await page.locator(`#code-${name} span`).count()) > 5, `${name} has no colours`);
    await page.click("#copy-code");
    await page.waitForSelector("#copy-code[data-said=Copied]");
    assert.equal(await pasted(), await code(page, name));
    await page.focus(`#language-${name}`);
  }
  const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save-picture")]);
  assert.ok(readFileSync(await file.path()).length > 1000);
  await close(page);
});

test("relief", async () => {
  const page = await open("#tab=relief", { width: 700, height: 420, graphics: "webgl" });
  await page.waitForSelector("body[data-relief]");
  const first = await page.screenshot();
  await page.locator("#relief-water").fill("0.2");
  await page.locator("#relief-height").fill("2");
  await page.click("#flooded");
  await addressed(page, /&height=2&water=none&tab=relief$/);
  while (first.equals(await page.screenshot())) await page.waitForTimeout(100);
  assert.equal(await page.locator("#relief-notice").isVisible(), false);
  await close(page);
});

test("without WebGL, without SIMD", async () => {
  const blind = await open("#tab=relief", {
    init: () => {
      const usual = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (name, ...rest) {
        return name.startsWith("webgl") ? null : usual.call(this, name, ...rest);
      };
    },
  });
  await blind.waitForSelector("#relief-notice:not([hidden])");
  assert.match(await blind.locator("#relief-notice").textContent(), /WebGL 2/);
  await blind.click("#tab-explore");
  await complete(blind);
  await close(blind);
  const old = await open("", { init: () => (WebAssembly.validate = () => false) });
  await old.waitForSelector("#fault:not([hidden])");
  assert.match(await old.locator("#fault").textContent(), /SIMD/);
  await close(old);
});

test("a narrow screen", async () => {
  for (const tab of ["explore", "how", "export", "relief", "home"]) {
    const page = await open(`#field=octaves=4&tab=${tab}`, { width: 360, height: 640, graphics: ["relief", "home"].includes(tab) ? "webgl" : "none", hasTouch: true, reducedMotion: "reduce" });
    await page.waitForSelector({ how: "#part-how[data-ready]", export: "#code-link", home: "body[data-relief]", relief: "body[data-relief]", explore: "body[data-ready][data-map=complete]" }[tab]);
    await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
    const wide = await page.evaluate(() => [document.documentElement.scrollWidth, [...document.querySelectorAll("main *")].filter((each) => !each.parentElement.closest(".looks, .table") && each.checkVisibility({ visibilityProperty: true }) && each.getBoundingClientRect().right > 361).map((each) => each.id || each.className || each.tagName)]);
    assert.deepEqual(wide, [360, []], tab);
    const small = await page.$$eval("button, select, summary, input:not([type=range])", (all) =>
      all
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .map((each) => [each.id || each.className || each.tagName, each.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 44 || height < 44)
        .map(([name, { width, height }]) => `${name}: ${width} x ${height}`),
    );
    assert.deepEqual(small, [], `${tab}: small targets`);
    if (tab === "explore") {
      // The map stays visible above the sheet, which opens over a part of it.
      const top = () => page.evaluate(() => [document.elementFromPoint(180, 300).id, document.getElementById("panel").getBoundingClientRect().top]);
      const [below, closed] = await top();
      assert.equal(below, "map");
      assert.ok(closed > 420, `the sheet begins at ${closed}`);
      await page.click("#sheet");
      assert.equal(await page.locator("#sheet").getAttribute("aria-expanded"), "true");
      const opened = (await top())[1];
      assert.ok(opened < 320 && opened > 160, `the open sheet begins at ${opened}`);
      assert.equal(await page.evaluate((y) => document.elementFromPoint(300, y - 20).id, opened), "map");
    }
    if (process.env.SCREENSHOTS) await page.screenshot({ path: join(process.env.SCREENSHOTS, `narrow-${tab}.png`) });
    await close(page);
  }
});

test("names and contrast", async () => {
  for (const colorScheme of ["dark", "light"]) {
    const page = await open("#field=octaves=2", { colorScheme, graphics: "webgl" });
    await complete(page);
    for (const tab of ["relief", "how", "export", "explore"]) await page.click(`#tab-${tab}`);
    await page.waitForSelector("#code-link", { state: "attached" });
    const unnamed = await page.$$eval("button, input, select, canvas, pre", (all) =>
      all
        .filter((each) => !(each.labels?.length || each.getAttribute("aria-label") || each.getAttribute("aria-hidden") || (each.tagName === "BUTTON" && each.textContent.trim())))
        .map((each) => each.outerHTML.slice(0, 80)),
    );
    assert.deepEqual(unnamed, []);
    // Parts that are opened in quick succession are made once.
    const ids = await page.$$eval("[id]", (all) => all.map((each) => each.id));
    assert.equal(new Set(ids).size, ids.length);
    const low = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = (name) => {
        const hex = style.getPropertyValue(name).trim();
        const [r, g, b] = [1, 3, 5].map((i) => {
          const c = parseInt(hex.slice(i, i + 2), 16) / 255;
          return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
        });
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const pairs = [];
      for (const ground of ["--ground", "--raised"])
        for (const [ink, least] of [["--text", 7], ["--quiet", 4.5], ["--bad", 4.5], ["--good", 4.5], ["--focus", 3], ["--strong-line", 3]]) pairs.push([ink, ground, least]);
      pairs.push(["--on-accent", "--accent", 4.5]);
      return pairs
        .map(([ink, ground, least]) => {
          const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
          return [ink, ground, (a + 0.05) / (b + 0.05), least];
        })
        .filter(([, , ratio, least]) => ratio < least);
    });
    assert.deepEqual(low, []);
    await close(page);
  }
  // Where the system forces its colours, the tab that is open still looks different.
  const page = await open("#field=octaves=2", { forcedColors: "active" });
  await complete(page);
  const tab = page.locator("#tab-export");
  const before = await tab.screenshot();
  await page.click("#tab-export");
  await page.evaluate(() => document.activeElement.blur());
  await page.mouse.move(400, 300);
  assert.ok(!before.equals(await tab.screenshot()), "the open tab looks like any other");
  await close(page);
});

test("axe finds nothing", async () => {
  const source = readFileSync(join(root, "web/page/node_modules/axe-core/axe.min.js"), "utf8");
  for (const settings of [{ colorScheme: "dark" }, { colorScheme: "light" }, { forcedColors: "active" }, { width: 390, height: 844, hasTouch: true }]) {
    const page = await open("#field=octaves=2", { width: 1000, height: 700, expect: ["GPU stall"], ...settings });
    await complete(page);
    await page.waitForFunction(() => document.body.dataset.effects !== undefined);
    for (const tab of ["explore", "how", "export", "home"]) {
      await page.click(tab === "home" ? "#brand" : `#tab-${tab}`);
      await page.waitForSelector({ how: "#part-how[data-ready]", export: "#code-link", home: "#hero-title", explore: "#random" }[tab]);
      await page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
      await page.evaluate((text) => window.axe ?? (0, eval)(text), source).catch(() => page.addScriptTag({ content: source }));
      const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
      assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map(({ html }) => html.slice(0, 120)).join(" | ")}`), [], `${tab}, ${JSON.stringify(settings)}`);
    }
    await close(page);
  }
});

test("the self-test's digest", async () => {
  const page = await open("#field=octaves=2");
  await page.waitForSelector("#badge code");
  const info = execFileSync(perlane, ["info"], { encoding: "utf8" });
  assert.ok(info.includes(await page.locator("#badge code").textContent()));
  await close(page);
});

test("speed: first map, frames, long tasks", async () => {
  const page = await open("#field=octaves=8+frequency=0.002+value_offset=0.05", {
    width: 1920,
    height: 1080,
    init: () => {
      window.longTasks = [];
      new PerformanceObserver((list) => window.longTasks.push(...list.getEntries().map((each) => Math.round(each.duration)))).observe({ type: "longtask", buffered: true });
    },
  });
  await complete(page);
  const first = await page.evaluate(() => [document.body.dataset.covered, document.body.dataset.first]);
  await page.waitForTimeout(500);
  const loading = await page.evaluate(() => window.longTasks.splice(0));
  await page.evaluate(() => {
    window.frames = [];
    let last = performance.now();
    const frame = (now) => {
      window.frames.push(now - last);
      last = now;
      window.framing = requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  await page.mouse.move(1200, 800);
  await page.mouse.down();
  for (let i = 1; i <= 150; i++) {
    await page.mouse.move(1200 - 6 * i, 800 - 3 * i);
    await page.waitForTimeout(8);
  }
  await page.mouse.up();
  const [frames, tasks] = await page.evaluate(() => {
    cancelAnimationFrame(window.framing);
    return [window.frames.slice(2), window.longTasks];
  });
  frames.sort((a, b) => a - b);
  const median = frames[frames.length >> 1];
  const slow = frames.filter((each) => each > 34).length;
  console.log(`  first map ${first[0]} ms, complete ${first[1]} ms after navigation; dragging at 1920x1080: median frame ${median.toFixed(1)} ms, ${slow} of ${frames.length} above 34 ms; long tasks while loading ${JSON.stringify(loading)}, while dragging ${JSON.stringify(tasks)}`);
  // Times depend on what else the machine does, so they are printed only.
  assert.ok(Number(first[0]) > 0 && frames.length > 0);
  await close(page);
});

// ---- The run ----

const only = process.argv.slice(2);
let passed = 0;
let failed = 0;
for (const [name, body] of tests) {
  if (only.length && !only.some((part) => name.includes(part))) continue;
  problems = [];
  const begun = performance.now();
  try {
    await body();
    assert.deepEqual(problems, [], "on the console or the network");
    passed++;
    console.log(`ok: ${name} (${((performance.now() - begun) / 1000).toFixed(1)} s)`);
  } catch (error) {
    failed++;
    console.log(`FAILED: ${name}\n${error.stack}\n${problems.join("\n")}`);
    for (const context of browser?.contexts() ?? []) await context.close();
  }
}
await browser?.close();
server.close();
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
