// SPDX-License-Identifier: MIT
//
// Tests of the page in Chromium, without a screen. Its samples are compared bit for bit with those
// of the command. `make check` runs the tests before CHECK, `make page-check` and tests/proof/run page all of
// them.
//
//   PERLANE=build/perlane PERLANE_LIBRARY=build/own/perlane/libperlane.so node page.test.js [--all] [PART OF A NAME...]
//
// CHROMIUM names another browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { inflateSync } from "node:zlib";

import { chromium } from "playwright-core";

import { serve } from "../serve.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const perlane = resolve(process.env.PERLANE ?? join(root, "build/perlane"));
const library = resolve(
  process.env.PERLANE_LIBRARY ?? join(root, "build/own/perlane/libperlane.so"),
);
const package_ = resolve(process.env.PERLANE_PACKAGE ?? join(root, "build/web/package"));
const site = resolve(process.env.PERLANE_PAGE ?? join(root, "build/page"));
const environment = join(root, "build/python/venv/bin/python");
const python = existsSync(environment) ? environment : "/usr/bin/python3"; // one that has NumPy
const folder = mkdtempSync(join(tmpdir(), "perlane-page-"));

// A subpath, as on a project's pages.
const PREFIX = "/some/where/";
const server = await serve(site, 0, PREFIX);
const base = `http://127.0.0.1:${server.address().port}${PREFIX}`;

// One browser at a time. WebGL on the CPU makes frames slow, so only its tests have it.
const FLAGS = {
  none: ["--disable-gpu", "--disable-software-rasterizer"],
  webgl: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
  webgpu: ["--use-webgpu-adapter=swiftshader", "--enable-unsafe-webgpu"],
};
let browser;
let graphics; // that it has
let usual; // the page of tests that need no other settings
async function launch(name) {
  if (browser && graphics === name) return browser;
  await browser?.close();
  usual = undefined;
  graphics = name;
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", ...FLAGS[name]],
  });
  return browser;
}

// ---- Pages ----

let problems = []; // errors on any console, and requests to other places
// Warnings of browsers without a GPU, and of all tests but one.
const USUAL = [
  "No available adapters",
  "Failed to create WebGPU Context Provider",
  "Service Worker registration blocked by Playwright",
];

async function open(
  hash = "",
  { width = 760, height = 420, graphics = "none", init, expect = [], ...settings } = {},
) {
  const context = await (
    await launch(graphics)
  ).newContext({
    viewport: { width, height },
    acceptDownloads: true,
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...settings,
  });
  context.setDefaultTimeout(120000); // only against waiting for ever
  const page = await context.newPage();
  page.on("console", (message) => {
    if (
      ["error", "warning"].includes(message.type()) &&
      ![...USUAL, ...expect].some((part) => message.text().includes(part))
    )
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!/^(blob:|data:)/.test(request.url()) && !request.url().startsWith(base))
      problems.push(`request: ${request.url()}`);
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
/** Goes to another address of the page, and waits for its map. */
async function go(page, hash) {
  await page.evaluate(
    (next) =>
      new Promise((done) => {
        if (location.hash === next) done();
        addEventListener("popstate", () => setTimeout(done), { once: true });
        location.hash = next;
      }),
    hash,
  );
  await complete(page);
}
/** Opens an address in the page that tests share. */
async function shared(hash) {
  if (graphics !== "none") usual = undefined;
  if (usual) await go(usual, hash);
  else await complete((usual = await open(hash)));
  return usual;
}
/** Waits until the address, which follows the page after a moment, matches. */
async function addressed(page, pattern) {
  try {
    await page.waitForFunction(
      (source) => new RegExp(source).test(decodeURIComponent(location.hash)),
      pattern.source,
    );
  } catch {
    assert.match(decodeURIComponent(new URL(page.url()).hash), pattern);
  }
}
/** A text of Export; the code beside the map is in "code". */
async function code(page, name, stem = "texts") {
  await page.click(`#${stem}-${name}`);
  return page.locator(`#${stem}-code`).textContent();
}

const PARTS = {
  explore: "#random",
  how: "#part-how[data-ready]",
  export: "#texts-link",
  home: "body[data-relief]",
};
async function show(page, tab) {
  await page.click(tab === "home" ? "#brand" : `#tab-${tab}`);
  await page.waitForSelector(PARTS[tab]);
}
/** Waits until a part of the page looks different. */
async function changed(part, before) {
  for (let i = 0; i < 300; i++) if (!before.equals(await part.screenshot())) return;
  assert.fail("the picture is the same");
}
const unfold = (page) =>
  page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));
/** Types a value into an option's field. */
async function type(page, option, value) {
  const input = page.locator(`[data-option=${option}] input[type=text]`);
  await input.fill(value);
  await input.press("Enter");
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
/** Opens Export for what the map shows. */
async function exportShown(page) {
  await show(page, "export");
  await page.check("#area-seen");
  await page.click("#size-shown");
}
/** The samples that the exported command writes. */
async function commanded(page) {
  await exportShown(page);
  run(await code(page, "command"));
  return readFileSync(join(folder, "map.r32"));
}

function unpackPng(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  assert.deepEqual([...bytes.subarray(24, 29)], [16, 0, 0, 0, 0]);
  const parts = [];
  for (let at = 8; at < bytes.length; at += 12 + bytes.readUInt32BE(at))
    if (bytes.toString("latin1", at + 4, at + 8) === "IDAT")
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  const rows = inflateSync(Buffer.concat(parts));
  const out = Buffer.alloc(2 * width * height);
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (2 * width + 1), (y + 1) * (2 * width + 1));
    assert.equal(row[0], 1);
    for (let i = 0; i < 2 * width; i++) row[i + 1] += i < 2 ? 0 : row[i - 1];
    for (let x = 0; x < width; x++)
      out.writeUInt16LE(row.readUInt16BE(1 + 2 * x), 2 * (y * width + x));
  }
  return out;
}

// ---- Tests of make check ----

const tests = [];
const test = (name, body) => tests.push([name, body]);

const FAR = "at=1000000000000003,-999999999999997&step=1";
for (const [name, hash] of Object.entries({
  "octaves far away": `#field=seed=18446744073709551615+octaves=8+frequency=0.01&${FAR}`,
  "between samples":
    "#field=octaves=5+frequency=0.01+curve=-1:-0.5,0:0.1,1:1+terraces=9&at=12345,678&step=0.125",
  "a slice of a volume": "#field=octaves=5+frequency=0.02&at=-40,99&step=0.5&z=12.25",
}))
  test(`the same bits as the command: ${name}`, async () => {
    const page = await shared(hash);
    const expected = await commanded(page);
    assert.ok(expected.length > 300000);
    assert.ok(expected.equals(await download(page, "raw32")), "the saved samples differ");
  });

/** Compares the map on the screen with the PNG that the exported command draws, pixel for pixel. */
async function sameAsCommand(page, command) {
  if (!command) {
    await exportShown(page);
    command = await code(page, "picture");
  }
  run(command);
  const png = readFileSync(join(folder, "map.png"));
  const differ = await page.evaluate(
    async (source) => {
      const image = new Image();
      image.src = source;
      await image.decode();
      const map = document.getElementById("map");
      if (image.width !== map.width || image.height !== map.height) throw new Error("sizes differ");
      const [expected, shown] = [image, map].map((picture) => {
        const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
        context.drawImage(picture, 0, 0);
        return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
      });
      return shown.reduce((sum, pixel, i) => sum + (pixel !== expected[i]), 0);
    },
    `data:image/png;base64,${png.toString("base64")}`,
  );
  assert.equal(differ, 0, `pixels differ from those of ${command}`);
}

for (const look of [
  "style=flat&low=-0.7&high=0.6",
  "light=30&altitude=25&palette=land",
  "style=flat&palette=grey",
  "style=normals&relief=1.7",
])
  test(`the picture is the command's: ${look}`, async () =>
    sameAsCommand(await shared(`#field=octaves=6+frequency=0.02&${FAR}&${look}`)));

test("a saved PNG and a raw file of 16 bits", async () => {
  const page = await shared(`#field=octaves=6+frequency=0.004&${FAR}`);
  await show(page, "export");
  const size = [701, 333];
  const png = await download(page, "png", size);
  const raw = await download(page, "raw16", size);
  writeFileSync(join(folder, "saved.png"), png);
  execFileSync(perlane, ["fill", "-q", "-o", "again.r16", "--params-of", "saved.png"], {
    cwd: folder,
  });
  const expected = readFileSync(join(folder, "again.r16"));
  assert.equal(expected.length, 2 * size[0] * size[1]);
  assert.ok(expected.equals(raw), "the raw file differs");
  assert.ok(expected.equals(unpackPng(png)), "the PNG differs");
});

for (const [engine, size] of [
  ["unreal", 505],
  ["unity", 513],
  ["godot", 512],
])
  test(`the file for ${engine}, and what to type there, are the command's`, async () => {
    const page = await shared(
      "#field=octaves=6+frequency=0.004+value_scale=1.25&at=1000,-7&step=0.5&style=flat&low=-0.3&high=0.7",
    );
    await exportShown(page);
    await page.selectOption("#save-engine", engine);
    for (const [name, value] of [
      ["bottom", "-300"],
      ["top", "2000.5"],
      ["spacing", "2.5"],
    ])
      await page.fill(`#save-${name}`, value);
    await page.click(`#save-sizes >> text="${size}²"`);
    const [file] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
    assert.doesNotMatch(file.suggestedFilename(), /\dx\d/);
    const saved = readFileSync(await file.path());
    const command = (await code(page, "command")).replace("map.png", "map.r16");
    run(command);
    const [, name] = /-o (\S+)/.exec(command);
    const expected = readFileSync(join(folder, name));
    assert.equal(expected.length, 2 * size * size);
    assert.ok(expected.equals(engine === "unreal" ? unpackPng(saved) : saved), "the file differs");
    const note = await page.locator("#type").textContent();
    assert.match(note, /level \d+$/);
    assert.ok(readFileSync(join(folder, `${name}.txt`), "utf8").includes(`# ${note}\n`), note);
    await page.fill("#save-width", "700");
    assert.match(await page.locator("#type").textContent(), /width and height are/);
    await page.click("#save");
    assert.match(await page.locator("#save-message").textContent(), /width and height are/);
    await page.selectOption("#save-engine", "");
    assert.equal(await page.locator("#save-width").inputValue(), "760");
  });

test("heights for an engine are those of the look in nature; slices have none", async () => {
  const page = await open("#tab=explore");
  await complete(page);
  await page.click("[data-start=island]");
  await complete(page);
  await show(page, "export");
  await page.selectOption("#save-engine", "unity");
  const value = async (name) => Number(await page.locator(`#save-${name}`).inputValue());
  const [width, height] = await page.locator("#map").evaluate((map) => [map.width, map.height]);
  assert.equal(await value("bottom"), Math.round((await value("low")) * 700)); // as "perlane looks" has them
  assert.equal(await value("top"), Math.round((await value("high")) * 700));
  assert.ok(
    Math.abs((await value("spacing")) - (16000 / width) * Math.max(width / 1025, height / 1025)) <
      0.001,
  );
  await go(page, "#field=octaves=2&z=3&tab=export");
  assert.ok(await page.locator("#save-engine").isDisabled());
  assert.ok(await page.locator("#terrain").isHidden());
  await close(page);
});

test("a larger file has what is seen in more samples, or more land", async () => {
  const page = await shared("#field=octaves=4+frequency=0.01&at=1000000007,-12&step=0.5");
  await exportShown(page);
  const [w, h] = await page.locator("#map").evaluate(({ width, height }) => [width, height]);
  const samples = async (size) => {
    const saved = await download(page, "raw32", size);
    run(await code(page, "command"));
    assert.ok(saved.equals(readFileSync(join(folder, "map.r32"))), "the command's samples differ");
    return (x, y) => saved.readUInt32LE(4 * (y * size[0] + x));
  };
  const shown = await samples([w, h]);
  const finer = await samples([2 * w, 2 * h]);
  await page.check("#area-more");
  const larger = await samples([2 * w, 2 * h]);
  for (let y = 0; y < h; y += 7)
    for (let x = 0; x < w; x += 7) {
      assert.equal(finer(2 * x, 2 * y), shown(x, y));
      assert.equal(larger(x + w / 2, y + h / 2), shown(x, y));
    }
});

const PLACE = "#field=octaves=5+frequency=0.01+seed=99&at=123456789012345,-7&step=0.5";
/** Runs the exported program of a language, and compares what it writes with the command's samples. */
async function program(language, hash, file, write) {
  const page = await shared(hash);
  const expected = await commanded(page);
  rmSync(join(folder, "map.r32"));
  write(await code(page, language));
  assert.ok(expected.equals(readFileSync(join(folder, file))), `${file} differs`);
}
function compiled(compiler, source, text) {
  writeFileSync(join(folder, source), text);
  execFileSync(
    compiler,
    [
      "-O2",
      "-Wall",
      "-Werror",
      `-I${root}include`,
      source,
      library,
      `-Wl,-rpath,${dirname(library)}`,
      "-o",
      "program",
    ],
    { cwd: folder },
  );
  execFileSync(join(folder, "program"), { cwd: folder });
}

test("the program in C", () =>
  program("c", PLACE, "map.r32", (text) => compiled("cc", "map.c", text)));

test("the link holds everything", async () => {
  const page = await shared("#field=octaves=3");
  await page.click("[data-start=island]");
  await complete(page);
  await page.selectOption("#style", "normals");
  await page.selectOption("#palette", "embers");
  await page.locator("#light").fill("120");
  await page.focus("#map");
  for (const key of ["ArrowRight", "ArrowDown", "+", "+"]) await page.keyboard.press(key);
  await page.click("#random");
  const state = async () => {
    await complete(page);
    const pixels = await page.evaluate(() => document.getElementById("map").toDataURL());
    await show(page, "export");
    return [
      pixels,
      await code(page, "link"),
      await code(page, "text"),
      await code(page, "command"),
    ];
  };
  const first = await state();
  assert.match(first[1], /&style=normals&palette=embers&.*light=120&/);
  assert.match(first[2], /^seed=\d+ /);
  // Links come from anywhere: a wrong one shows the usual map and says so.
  await go(page, "#field=octaves=99&at=x,1&step=3&palette=__proto__&tilt=1&tab=none");
  for (const name of ["octaves", "at", "step", "palette", "tilt", "tab"])
    assert.match(await page.locator("#fault").textContent(), new RegExp(`\\b${name} must be `));
  await go(page, "#at=1e5,-2&step=2");
  await addressed(page, /&at=100000,-2&step=2$/);
  assert.equal(await page.locator("#fault").isVisible(), false);
  await go(page, new URL(first[1]).hash);
  assert.deepEqual(await state(), first);
});

test("a wrong link keeps the visitor's text, until another field is chosen", async () => {
  const page = await shared("#field=octaves=2");
  for (const part of ["expression=a = octaves=99; a", "field=octaves=99 gain=0.3"]) {
    await go(page, `#${encodeURI(part)}&at=5,7`);
    assert.match(await page.locator("#fault").textContent(), /octaves must be/);
    await addressed(page, new RegExp(`^#${part.replaceAll(" ", ".")}&at=5,7`));
    await page.focus("#map");
    await page.keyboard.press("ArrowRight");
    await addressed(page, new RegExp(`^#${part.replaceAll(" ", ".")}&at=69,7`));
  }
  await page.click("#random");
  await addressed(page, /^#field=(?!.*99)/);
});

test("entries that the browser's history refuses are made later", async () => {
  const page = await open("#field=octaves=2");
  await complete(page);
  await page.evaluate(() => {
    const push = history.pushState;
    history.pushState = () => {
      throw new DOMException("too many calls", "SecurityError");
    };
    setTimeout(() => (history.pushState = push), 1200);
  });
  const length = await page.evaluate(() => history.length);
  await page.focus("#map");
  await page.keyboard.press("ArrowRight");
  await page.waitForTimeout(600);
  await page.keyboard.press("ArrowRight");
  await addressed(page, /&at=128,0/);
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.click("#undo");
  await addressed(page, /&at=0,0/);
  assert.ok(await page.locator("#undo").isDisabled());
  await close(page);
});

test("the server answers what it cannot read", async () => {
  for (const path of ["%ff", "none", "%2e%2e/%2e%2e/etc/passwd"])
    assert.equal((await fetch(base + path)).status, 404);
  assert.equal((await fetch(base)).status, 200);
});

test("every page of the documentation is shown, and fits a phone", async () => {
  const page = await open("docs/index.html", { width: 390, height: 844 });
  const names = readdirSync(join(site, "docs")).filter((name) => name.endsWith(".html"));
  for (const name of names) {
    await page.goto(`${base}docs/${name}`);
    assert.ok(await page.locator("main h1").isVisible(), name);
    assert.ok((await page.locator("main").innerText()).length > 100, name);
    assert.ok(
      await page.evaluate(() => document.documentElement.scrollWidth <= 390),
      `${name} is wider than the screen`,
    );
  }
  await close(page);
});

test("drag, wheel and pinch", async () => {
  const page = await shared("#field=octaves=2&at=0,0&step=1");
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
    const send = (type, id, x, y) =>
      map.dispatchEvent(
        new PointerEvent(type, { pointerId: id, clientX: x, clientY: y, bubbles: true, button: 0 }),
      );
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
});

test("the keyboard reaches every part; wrong values, Undo and Redo", async () => {
  const page = await shared("#field=octaves=2");
  const reach = async (id) => {
    for (let i = 0; i < 120; i++) {
      if (await page.evaluate((each) => document.activeElement?.id === each, id)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`${id} cannot be reached`);
  };
  await page.focus("#brand");
  await reach("map");
  assert.notEqual(
    await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle),
    "none",
  );
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("-");
  await addressed(page, /at=32,0&step=2$/);
  await page.keyboard.press("Home");
  await addressed(page, /at=0,0&step=1$/);
  await reach("random");
  await page.keyboard.press("Enter");
  await addressed(page, /seed=/);
  await page.keyboard.press("Control+z");
  await addressed(page, /^#field=octaves=2&at=0,0/);
  await page.keyboard.press("Control+y");
  await addressed(page, /seed=/);
  await type(page, "octaves", "33");
  assert.match(await page.locator("[data-option=octaves] .error").textContent(), /octaves must be/);
  await type(page, "octaves", "5");
  await addressed(page, /octaves=5/);
  assert.equal(await page.locator("[data-option=octaves] .error").textContent(), "");
  await page.focus("#brand");
  await reach("tab-how");
  await page.keyboard.press("Enter");
  await page.waitForSelector(PARTS.how);
  await reach("lattice-angle");
  await page.focus("#brand");
  await reach("tab-export");
  await page.keyboard.press("Enter");
  await page.waitForSelector(PARTS.export);
  await reach("texts-copy");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("said").textContent);
});

/** Nothing is wider than a narrow screen, and every control is large enough for a finger. */
async function narrow(page, tab) {
  const wide = await page.evaluate(() => [
    document.documentElement.scrollWidth,
    [...document.querySelectorAll("header *, main *")]
      .filter(
        (each) =>
          !each.parentElement.closest(".looks, .table") &&
          each.checkVisibility({ visibilityProperty: true }) &&
          each.getBoundingClientRect().right > innerWidth + 1,
      )
      .map((each) => each.id || each.className || each.tagName),
  ]);
  assert.deepEqual(wide, [page.viewportSize().width, []], tab);
  const small = await page.$$eval(
    "button, .button, #tabs a, select, summary, .radio, input:not([type=range], [type=radio])",
    (all) =>
      all
        .filter((each) => each.checkVisibility({ visibilityProperty: true }))
        .map((each) => [each.id || each.className || each.tagName, each.getBoundingClientRect()])
        .filter(([, { width, height }]) => width < 44 || height < 44)
        .map(([name, { width, height }]) => `${name}: ${width} x ${height}`),
  );
  assert.deepEqual(small, [], `${tab}: small targets`);
}

/** Contrast, names, roles: what axe finds. */
async function axe(page, tab) {
  const source = readFileSync(join(root, "page/node_modules/axe-core/axe.min.js"), "utf8");
  await page
    .evaluate((text) => window.axe ?? (0, eval)(text), source)
    .catch(() => page.addScriptTag({ content: source }));
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  assert.deepEqual(
    violations.map(
      ({ id, nodes }) =>
        `${id}: ${nodes
          .slice(0, 3)
          .map(({ html }) => html.slice(0, 120))
          .join(" | ")}`,
    ),
    [],
    tab,
  );
}

test("a narrow screen", async () => {
  const page = await open("#field=octaves=2", { width: 320, height: 640, hasTouch: true });
  await complete(page);
  for (const tab of ["explore", "how", "export"]) {
    await show(page, tab);
    await unfold(page);
    await narrow(page, tab);
  }
  await page.setViewportSize({ width: 360, height: 640 });
  // The map stays visible above the sheet, which opens over a part of it.
  await show(page, "explore");
  const top = () =>
    page.evaluate(() => [
      document.elementFromPoint(180, 300).id,
      document.getElementById("panel").getBoundingClientRect().top,
    ]);
  const [below, closed] = await top();
  assert.equal(below, "map");
  assert.ok(closed > 420, `the sheet begins at ${closed}`);
  await page.click("#sheet");
  assert.equal(await page.locator("#sheet").getAttribute("aria-expanded"), "true");
  const opened = (await top())[1];
  assert.ok(opened < 320 && opened > 160, `the open sheet begins at ${opened}`);
  assert.equal(
    await page.evaluate((y) => document.elementFromPoint(300, y - 20).id, opened),
    "map",
  );
  await close(page);
});

const readable = async (page) => {
  for (const tab of ["explore", "how", "export"]) {
    await show(page, tab);
    await unfold(page);
    await axe(page, tab);
  }
};
test("axe finds nothing", async () => readable(await shared("#field=octaves=2")));

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
  await other.waitForSelector("#texts-link");
  assert.equal(await other.locator("#fault").isVisible(), false);
  await close(other);
  // The service worker has a copy of everything.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await complete(page);
  for (const tab of ["how", "export"]) await show(page, tab);
  await page.evaluate(() => import(new URL("src/relief.js", location)));
  assert.equal(await page.locator("#fault").isVisible(), false);
  await close(page);
});

test("what cannot run says so in a sentence, and shows a picture", async () => {
  for (const [init, missing] of [
    [() => (WebAssembly.validate = () => false), /SIMD/],
    [() => delete globalThis.WebAssembly, /WebAssembly switched off/],
    [
      () =>
        (WebAssembly.compileStreaming = () =>
          Promise.reject(new WebAssembly.CompileError("Refused"))),
      /policy forbids WebAssembly/,
    ],
  ]) {
    const page = await open("#field=octaves=2", { init });
    await page.waitForSelector("#fault:not([hidden])");
    assert.match(await page.locator("#fault").textContent(), missing);
    assert.ok(
      await page
        .locator(".still")
        .evaluate((image) => image.decode().then(() => image.width > 300)),
    );
    assert.equal(await page.locator("button:visible").count(), 0);
    await close(page);
  }
});

test("nothing is shown before it is drawn, and the headline from the first", async () => {
  for (const hash of ["#tab=home", "#tab=explore"]) {
    const page = await open(hash, {
      colorScheme: "light",
      init: () => (WebAssembly.compileStreaming = () => new Promise(() => {})),
    });
    await page.waitForSelector("body[data-tab]");
    for (const part of [
      "#map",
      "#relief",
      "#probe",
      ".toolbar button",
      "#controls *",
      ".strip button",
      "#code-code",
      "#badge *",
    ])
      assert.equal(await page.locator(part).filter({ visible: true }).count(), 0, part);
    assert.equal(await page.locator("#hero-title").isVisible(), hash === "#tab=home");
    await close(page);
  }
  // Without WebGL the map is below the headline, which has a ground of its own.
  const page = await open("#tab=home", { colorScheme: "light", width: 1000, height: 700 });
  await page.waitForSelector("body[data-webgl=none][data-map=complete]");
  const ground = await page
    .locator(".words")
    .evaluate((each) => getComputedStyle(each).backgroundColor);
  assert.match(ground, /^color\(srgb 0\.9.* 0\.88\)$/);
  assert.ok(!(await page.locator("#toolbar").isVisible()));
  await close(page);
});

// ---- Tests of proof ----

const CHECK = tests.length;

test("the picture with 2 pixels per CSS pixel", async () => {
  const page = await open("#field=octaves=3+seed=5&style=flat&low=-0.7&high=0.6", {
    width: 620,
    height: 300,
    deviceScaleFactor: 2,
  });
  await complete(page);
  assert.ok(
    await page.evaluate(
      () =>
        document.getElementById("map").width === 2 * document.getElementById("screen").clientWidth,
    ),
  );
  await sameAsCommand(page);
  await close(page);
});

test("the picture is the command's where there is no gradient, no slope, or one value", async () => {
  for (const field of [
    "octaves=2+curve=-1:0.25,1:0.25",
    "octaves=2&low=0.5&high=0.5",
    "basis=cellular+frequency=0.05",
    "basis=white+frequency=0.05",
    "fractal=eroded+octaves=5&z=2.5",
  ])
    await sameAsCommand(await shared(`#field=${field}&palette=viridis&relief=0.5&step=0.5`));
});

const EXPRESSION = `#expression=${encodeURIComponent(`plains = octaves=3; peaks = seed=2 octaves=5   fractal=ridged # high
  mix(plains, peaks, smooth(-0.2, 0.4,  plains)) # at the end
    - 0.001*at(x + 9*plains, y, peaks)`)}&at=1234567,-7&step=0.5&low=-0.75&high=1`;
const PLACES = { "": PLACE, "&z=3.5": `${PLACE}&z=3.5`, ", of an expression": EXPRESSION };
for (const [title, place] of Object.entries(PLACES)) {
  if (title)
    test(`the program in C${title}`, () =>
      program("c", place, "map.r32", (text) => compiled("cc", "map.c", text)));
  test(`the program in JavaScript${title}`, () =>
    program("javascript", place, "js.r32", (text) => {
      rmSync(join(folder, "node_modules"), { recursive: true, force: true });
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(package_, join(folder, "node_modules/perlane"));
      writeFileSync(
        join(folder, "map.mjs"),
        `${text}
import { writeFileSync } from "node:fs";
writeFileSync("js.r32", new Uint8Array(values.buffer));`,
      );
      execFileSync(process.execPath, ["map.mjs"], { cwd: folder });
    }));
  test(`the program in Python${title}`, () =>
    program("python", place, "py.r32", (text) => {
      writeFileSync(join(folder, "map.py"), `${text}\nvalue.astype("<f4").tofile("py.r32")\n`);
      const settings = {
        PYTHONPATH: join(root, "bindings/python"),
        PERLANE_LIBRARY: library,
        PYTHONDONTWRITEBYTECODE: "1",
      };
      execFileSync(python, ["map.py"], { cwd: folder, env: { ...process.env, ...settings } });
    }));
}

test("an expression that a link defines: the bits and the pixels of the command", async () => {
  const page = await shared(EXPRESSION);
  const dice = page.locator("#random");
  const single = page.locator(".essentials, #all-options, #tile, #reset-all");
  assert.match(await page.locator("#editor").inputValue(), /fractal=ridged\nmix\(plains/);
  assert.ok((await single.all()).length === 4 && (await dice.isDisabled()));
  for (const each of await single.all()) assert.equal(await each.isVisible(), false);
  for (const move of ["", "#zoom-out", "#zoom-in"]) {
    if (move) {
      await show(page, "explore");
      await page.click(move);
    }
    await complete(page);
    const expected = await commanded(page);
    assert.ok(expected.equals(await download(page, "raw32")), "the saved samples differ");
    await sameAsCommand(page);
  }
  assert.match(
    await code(page, "text"),
    /^plains=octaves=3;peaks=seed=2 octaves=5 fractal=ridged;mix\(.*peaks\)$/,
  );
  assert.ok(await page.locator("#save-engine").isDisabled());
  // A saved PNG has the expression.
  const expected = await commanded(page);
  writeFileSync(join(folder, "expression.png"), await download(page, "png"));
  run("perlane fill -o again.r32 --params-of expression.png --bits 32");
  assert.ok(
    expected.equals(readFileSync(join(folder, "again.r32"))),
    "the command's samples for the PNG differ",
  );
  // A look is a field again; Undo returns.
  await show(page, "explore");
  await page.click("#mode-field");
  await page.click("[data-start=island]");
  await complete(page);
  assert.ok(
    (await page.locator(".essentials").isVisible()) &&
      !(await page.locator("#expression").isVisible()) &&
      !(await dice.isDisabled()),
  );
  await addressed(page, /#field=/);
  for (let i = 0; i < 2; i++) await page.click("#undo");
  await addressed(page, /#expression=plains/);
  await show(page, "explore");
  await page.locator("#expression").waitFor();
});

test("an expression without ends of its colours has those of what is seen; a wrong one says why", async () => {
  const page = await shared("#expression=0.001*x+%2B+y&at=5000,70&step=1");
  const link = new URLSearchParams((await page.evaluate(() => location.hash)).slice(1));
  const [low, high] = ["low", "high"].map((name) => Number(link.get(name)));
  assert.ok(low < 75 && high > 75 && high - low > 100 && high - low < 1000, `${low} ${high}`);
  await page
    .locator(".numbers", { hasText: "Bounds of the fieldnone" })
    .waitFor({ state: "attached" });
  await sameAsCommand(page);
  await go(page, "#expression=hill+%2B+1");
  assert.match(await page.locator("#fault").textContent(), /no field is called 'hill'/);
  assert.equal(await page.locator("#editor").inputValue(), "hill + 1");
  assert.equal(await page.locator(".mark mark").textContent(), "hill");
  await go(page, "#expression=sqrt(-1+-+x*x)");
  await page.locator("#expression").waitFor();
});

test("a large file: progress and cancel", async () => {
  const page = await shared("#field=octaves=32"); // the whole file would take minutes
  await show(page, "export");
  await page.fill("#save-width", "8192");
  await page.fill("#save-height", "8192");
  await page.click("#save");
  await page.waitForFunction(() => document.getElementById("save-progress").value > 0);
  await page.click("#save-cancel");
  await page.waitForFunction(() =>
    document.getElementById("save-message").textContent.startsWith("Cancelled"),
  );
  await page.fill("#save-width", "8193");
  await page.click("#save");
  assert.match(await page.locator("#save-message").textContent(), /8192/);
});

test("starts are looks, as the command draws them", async () => {
  const page = await shared("#field=octaves=2&style=normals&rise=3");
  await page.waitForFunction(() =>
    [...document.querySelectorAll("[data-start] canvas")].every(({ width }) => width === 96),
  );
  const names = await page.$$eval("[data-start]", (all) => all.map((each) => each.dataset.start));
  const listed = execFileSync(perlane, ["looks"], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names.splice(0, 2), ["noise", "cells"]);
  assert.deepEqual(
    names,
    listed.map((line) => line.split(" ")[0]),
  );
  const { width, height } = await page
    .locator("#map")
    .evaluate(({ width, height }) => ({ width, height }));
  for (const name of names) {
    await show(page, "explore");
    await page.click(`[data-start=${name}]`);
    await complete(page);
    await sameAsCommand(page, `perlane fill -o map.png --look ${name} --size ${width}x${height}`);
    execFileSync(
      perlane,
      ["fill", "-q", "-o", "look.r32", "--look", name, "--size", `${width}x${height}`],
      { cwd: folder },
    );
    assert.ok(
      (await commanded(page)).equals(readFileSync(join(folder, "look.r32"))),
      `${name}: samples differ`,
    );
  }
});

test("every control once", async () => {
  const page = await shared("#field=octaves=2");
  await unfold(page);
  const names = await page.$$eval("[data-option]", (all) => all.map((each) => each.dataset.option));
  assert.ok(names.length > 30, `${names.length} controls`);
  for (const name of names) {
    await page.click("#reset-all");
    const control = page.locator(`[data-option=${name}]`);
    const box = control.locator("input[type=checkbox]");
    const select = control.locator("select");
    if (await box.count()) await box.click();
    else if (await select.count()) {
      for (const value of await select
        .locator("option:not([disabled])")
        .evaluateAll((all) => all.map((each) => each.value)))
        await select.selectOption(value);
    } else {
      const kind = await control.getAttribute("class");
      if (await control.locator("input[type=range]").count())
        await control.locator("input[type=range]").press("ArrowRight");
      await type(
        page,
        name,
        kind.includes("curve")
          ? "-1:0,1:1"
          : kind.includes("axes")
            ? "4,4,0,0"
            : kind.includes("real")
              ? "0.75"
              : "3",
      );
    }
    const error = await control.locator(".error").textContent();
    const reset = control.locator(".reset");
    assert.ok(error || (await reset.isVisible()), `${name} did not change`);
    if (!error) {
      await reset.click();
      assert.ok(!(await reset.isVisible()), `${name} was not reset`);
    }
  }
  for (const id of ["style", "palette"])
    for (const value of await page.$$eval(`#${id} option:not([disabled])`, (all) =>
      all.map((each) => each.value).filter(Boolean),
    ))
      await page.selectOption(`#${id}`, value);
  for (const id of ["fit", "unfit", "home", "zoom-in", "zoom-out"]) await page.click(`#${id}`);
  await page.fill("#low", "-0.5");
  await page.press("#low", "Enter");
  await page.locator("#strength").press("ArrowRight");
  await page.fill("#go-x", "1e15");
  await page.press("#go-x", "Enter");
  await complete(page);
  assert.equal(await page.locator("#fault").isVisible(), false);
});

test("what cannot be computed says why", async () => {
  for (const hash of [
    "#field=frequency=1e300",
    "#field=warp_amplitude=1e38",
    "#at=9e18,-9e18&step=1024",
    "#field=octaves=2&palette=constructor",
  ]) {
    const page = await shared(hash);
    await page.locator(/palette|at=/.test(hash) ? "#fault" : "#map-notice").waitFor();
  }
});

test("a drag is one entry of the history; a text that is edited keeps its own undo", async () => {
  const page = await open("#field=octaves=3");
  await complete(page);
  const length = await page.evaluate(() => history.length);
  await page.mouse.move(300, 200);
  await page.mouse.down();
  for (let i = 1; i <= 2; i++) {
    await page.mouse.move(300 - 10 * i, 200);
    await page.waitForTimeout(300);
  }
  await page.mouse.up();
  await addressed(page, /&at=20,0/);
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.goBack();
  await addressed(page, /&at=0,0/);
  const before = page.url();
  await page.locator("[data-option=octaves] input[type=text]").pressSequentially("7");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(300);
  assert.equal(page.url(), before);
  await close(page);
});

test("a burst of zooming is one entry; an address of a part keeps the map and adds one", async () => {
  const page = await open("#field=octaves=3");
  await complete(page);
  const length = await page.evaluate(() => history.length);
  await page.mouse.move(300, 200);
  for (let i = 0; i < 4; i++) {
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(450);
  }
  await addressed(page, /&step=16$/);
  assert.equal(await page.evaluate(() => history.length), length + 1);
  await page.evaluate(() => {
    window.seen = [];
    addEventListener("popstate", () => {
      const timer = setInterval(() => window.seen.push(location.hash), 5);
      setTimeout(() => clearInterval(timer), 600);
    });
    location.hash = "#tab=how";
  });
  await page.waitForTimeout(900);
  const seen = await page.evaluate(() => [...new Set(window.seen)]);
  assert.ok(
    seen.every((hash) => hash.includes("tab=how")),
    seen.join(" "),
  );
  await addressed(page, /^#field=octaves=3&.*step=16&tab=how$/);
  assert.equal(await page.evaluate(() => history.length), length + 2);
  await page.goBack();
  await addressed(page, /&step=16$/);
  await page.goBack();
  await addressed(page, /&at=0,0&step=1$/);
  await close(page);
});

test("how it works: what is changed is drawn", async () => {
  const page = await shared("#tab=how");
  await page.waitForSelector(PARTS.how);
  const picture = (id) => page.evaluate((each) => document.getElementById(each).toDataURL(), id);
  for (const name of ["octaves", "gain", "frequency", "lacunarity"]) {
    const both = async () => [
      await picture("parameters-curve"),
      await picture("parameters-picture"),
    ];
    const before = await both();
    await page.locator(`#parameter-${name}`).press("ArrowRight");
    const after = await both();
    assert.notEqual(after[0], before[0], `${name}: the curve is the same`);
    assert.notEqual(after[1], before[1], `${name}: the picture is the same`);
  }
});

test("how it works: a point's value is the library's, and its numbers add up", async () => {
  const page = await shared("#tab=how&lattice=5");
  await page.waitForSelector(PARTS.how);
  for (const [x, y] of [
    [1.5, 1.25],
    [3.55, 2.4],
  ]) {
    await page.locator("#sample-x").fill(String(x));
    await page.locator("#sample-y").fill(String(y));
    const [sum, value] = await page.$$eval("#sample-sum, #sample-library", (all) =>
      all.map((each) => each.textContent),
    );
    assert.equal(sum, value);
    const rows = await page.$$eval(".sums tbody tr", (all) =>
      all
        .slice(0, 4)
        .map((row) =>
          [...row.children]
            .slice(1)
            .map((each) => each.textContent.replaceAll("−", "-").split(", ").map(Number)),
        ),
    );
    for (const [gradient, way, [dot], [weight], [part]] of rows) {
      assert.ok(Math.abs(gradient[0] * way[0] + gradient[1] * way[1] - dot) < 0.02);
      assert.ok(Math.abs(dot * weight - part) < 0.002);
    }
  }
  await page.click("#lattice-shuffle");
  await addressed(page, /&lattice=(?!5&)\d+&tab=how$/);
});

test("how it works: sections are linked; the table is beside the picture, or fits a phone", async () => {
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ]) {
    const page = await open("#tab=how", { width, height, hasTouch: width < 500 });
    await page.waitForSelector(PARTS.how);
    const links = page.locator(".sections button");
    assert.equal(await links.count(), await page.locator("#part-how > section").count());
    const inside = (each) =>
      each.evaluate((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect();
        return left >= 0 && right <= innerWidth && top >= 0 && bottom <= innerHeight;
      });
    await links.nth(0).click();
    for (const part of ["#lattice", ".sums", "#sample-sum"])
      assert.ok(await inside(page.locator(part)), `${part} at ${width} x ${height}`);
    await links.nth(3).click();
    assert.ok(
      await inside(page.locator("#parameters-picture")),
      `the picture of the parameters at ${width} x ${height}`,
    );
    for (const name of ["octaves", "gain", "frequency", "lacunarity"])
      assert.ok(await inside(page.locator(`#parameter-${name}`)), name);
    if (width > 500) {
      await close(page);
      continue;
    }
    // A finger drags the point down; beside it, the page scrolls.
    await links.nth(0).click();
    const box = await page.locator("#lattice").boundingBox();
    const touch = await page.context().newCDPSession(page);
    const scrolled = () => page.locator("#part-how").evaluate((each) => each.scrollTop);
    const swipe = async (x, y, dy) => {
      const at = (by) => [{ x: box.x + x * box.width, y: box.y + y * box.height + by }];
      await touch.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints: at(0) });
      for (let i = 1; i <= 5; i++)
        await touch.send("Input.dispatchTouchEvent", {
          type: "touchMove",
          touchPoints: at((dy * i) / 5),
        });
      await touch.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
      await page.waitForTimeout(300);
    };
    const [before, y] = [await scrolled(), await page.locator("#sample-y").inputValue()];
    await swipe((2.3 + 0.5) / 7, (1.62 + 0.5) / 5, -40);
    assert.equal(await scrolled(), before, "the page was scrolled");
    assert.ok(
      Number(await page.locator("#sample-y").inputValue()) < y - 0.3,
      "the point was not moved",
    );
    await close(page);
  }
});

test("the npm package on a GPU: the bits of WebAssembly, or an error", async () => {
  const files = await serve(package_, 0);
  const page = await (await launch("webgpu")).newPage();
  await page.goto(`http://127.0.0.1:${files.address().port}/wgsl.js`);
  const fill = (fault) =>
    page.evaluate(async (wrong) => {
      const { field, ...perlane } = await import("/sync.js");
      const { openWebGPU } = await import("/webgpu.js");
      const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
      if (!device) return "no adapter";
      const create = device.createShaderModule.bind(device);
      if (wrong)
        device.createShaderModule = ({ code }) =>
          create({ code: code.replace("^ perlane_words[7]", "^ 1u") });
      const noise = field("octaves=5 frequency=0.02");
      const words = (values) => new Uint32Array(values.buffer);
      try {
        const [a, b] = [
          await (await openWebGPU(device, perlane)).fill(noise, { size: [256, 256] }),
          noise.fill({ size: [256, 256] }),
        ].map(words);
        return a.filter((word, i) => word !== b[i]).length;
      } catch (error) {
        return error.message;
      }
    }, fault);
  const differ = await fill(false);
  if (differ === "no adapter") console.log("not run: WebGPU: the browser has no adapter");
  else {
    assert.equal(differ, 0);
    assert.match(await fill(true), /does not compute the samples/);
  }
  await page.close();
  files.close();
});

test("the first part: a look as a relief, the speed, and the digest", async () => {
  const page = await open("#", { width: 800, height: 520, graphics: "webgl" });
  await page.waitForSelector("body[data-tab=home][data-relief]");
  const relief = page.locator("#relief-screen");
  const mountains = await relief.screenshot();
  await page.click("[data-hero=dunes]");
  await addressed(page, /palette=sand.*tab=home$/);
  await changed(relief, mountains);
  await page.goBack();
  await page.waitForFunction(() => /palette=land/.test(location.hash));
  await page.click("#hero-explore");
  assert.equal(await page.evaluate(() => document.activeElement.id), "map");
  await complete(page);
  const { width, height } = await page
    .locator("#map")
    .evaluate(({ width, height }) => ({ width, height }));
  execFileSync(
    perlane,
    ["fill", "-q", "-o", "first.r32", "--look", "mountains", "--size", `${width}x${height}`],
    { cwd: folder },
  );
  assert.ok(
    readFileSync(join(folder, "first.r32")).equals(await commanded(page)),
    "the first map is not the look",
  );
  await page.click("#brand");
  const digests = page.locator("#badge code");
  await digests.first().waitFor();
  const [, expected] = /expected (0x\w+)/.exec(
    execFileSync(perlane, ["info"], { encoding: "utf8" }),
  );
  assert.deepEqual(await digests.allTextContents(), [expected, expected]);
  assert.match(await page.locator("#badge").textContent(), /✓/);
  await page.click("#measure");
  await page.waitForFunction(() =>
    /best of 5|Not measured/.test(document.getElementById("speed").textContent),
  );
  const rows = await page.locator("#speed tr").allTextContents();
  assert.deepEqual(
    rows.map((row) => row.replace(/[\d.,]+ ms$/, "MS").replace(/\d+ thread/, "N thread")),
    ["perlane, N threadsMS", "perlane, one threadMS", "simplex-noise 4 in a loop, one threadMS"],
  );
  await close(page);
});

test("every page of the documentation has links that lead somewhere", async () => {
  const seen = new Set(["index.html", "docs/index.html"]);
  for (const path of seen) {
    const text = await (await fetch(base + path)).text();
    for (const [, href] of text.matchAll(/(?:href|src)="([^"#]+)/g)) {
      if (/^(https?|data):/.test(href)) continue;
      const url = new URL(href, base + path).href;
      assert.ok(url.startsWith(base), `${path}: ${href}`);
      const next = url.slice(base.length);
      if (next.endsWith(".html")) seen.add(next);
      assert.equal((await fetch(url)).status, 200, `${path}: ${href}`);
    }
  }
  assert.ok(seen.size > 20, `${seen.size} pages`);
});

test("z moves through a volume", async () => {
  const page = await shared("#field=octaves=3+frequency=0.02&style=flat");
  const flat = await page.evaluate(() => document.getElementById("map").toDataURL());
  await unfold(page);
  await page.locator("#slice-z").fill("100");
  await addressed(page, /&z=100$/);
  await complete(page);
  assert.notEqual(await page.evaluate(() => document.getElementById("map").toDataURL()), flat);
});

test("too far out and too near say so; periods are shown three by three", async () => {
  const page = await shared("#field=octaves=3&step=128");
  await page.waitForFunction(() =>
    /static/.test(document.getElementById("map-notice").textContent),
  );
  await go(page, "#field=octaves=3&step=0.0009765625");
  await page.waitForFunction(() => /flat/.test(document.getElementById("map-notice").textContent));
  await go(page, "#field=octaves=3&at=40,40");
  await page.waitForFunction(() => document.getElementById("map-notice").hidden);
  assert.ok(!(await page.locator("#periods").isVisible()));
  await go(page, "#field=frequency=0.015625+octaves=3+period=4,4");
  await page.click("#periods");
  await addressed(page, /&at=96,96&step=4$/); // a period has 64 samples: three by three have 192 pixels
  await complete(page);
  const [across, down] = await page.evaluate(() => {
    const map = document.getElementById("map");
    const copy = new OffscreenCanvas(map.width, map.height).getContext("2d", {
      willReadFrequently: true,
    });
    copy.drawImage(map, 0, 0);
    const shown = (i) =>
      copy.getImageData(
        ...(i ? [map.width / 2 - 5, 0, 1, map.height] : [0, map.height / 2 - 5, map.width, 1]),
      ).data;
    return [0, 1].map((i) =>
      shown(i).reduce((sum, level, k) => sum + (k % 4 === 0 && level !== 18), 0),
    );
  });
  for (const each of [across, down]) assert.ok(Math.abs(each - 192) <= 4, `${each} pixels`);
});

test("Tile makes every look repeat, and saves one tile", async () => {
  const page = await shared("#field=octaves=2");
  const size =
    2 **
    Math.floor(
      Math.log2(
        Math.min(...(await page.locator("#map").evaluate(({ width, height }) => [width, height]))),
      ),
    );
  for (const name of await page.$$eval("[data-start]", (all) =>
    all.map((each) => each.dataset.start),
  )) {
    await page.click(`[data-start=${name}]`);
    await complete(page);
    await page.locator("#tile").setChecked(true); // planet repeats already
    const why = await page.$$eval("#fault, .error", (all) =>
      all.map((each) => each.textContent).join(""),
    );
    assert.ok(await page.isChecked("#tile"), `${name}: ${why}`);
    await addressed(page, /period=\d/);
    const [, cells] = /period=(\d+)/.exec(await page.evaluate(() => location.hash));
    assert.ok(cells >= 3 || name === "planet", `${name} repeats ${cells} cells`);
    await complete(page);
    if (!["island", "canyon", "marble"].includes(name)) continue;
    await show(page, "export");
    await page.check("#area-tile");
    const saved = await download(page, "raw32");
    assert.equal(saved.length, 4 * size * size);
    const command = await code(page, "command");
    run(command);
    assert.ok(
      saved.equals(readFileSync(join(folder, "map.r32"))),
      `${name}: the command's samples differ`,
    );
    run(command.replace(`--size ${size}x${size}`, `--size ${2 * size}x${2 * size}`));
    const four = readFileSync(join(folder, "map.r32"));
    for (let i = 0; i < 4 * size * size; i++) {
      const [x, y] = [i % (2 * size), Math.floor(i / (2 * size))];
      const [value, tile] = [
        four.readFloatLE(4 * i),
        saved.readFloatLE(4 * ((y % size) * size + (x % size))),
      ];
      assert.ok(
        Math.abs(value - tile) < 1e-5,
        `${name}: ${value} at ${x}, ${y}, and ${tile} in the tile`,
      ); // the warp rounds
    }
    await show(page, "explore");
    await page.click("#tile");
    assert.ok(!(await page.isChecked("#tile")));
    await addressed(page, /^(?!.*period).*field=/);
  }
});

test("copying says so in the button; languages are tabs", async () => {
  const page = await open("#field=octaves=2", {
    width: 1000,
    height: 600,
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await complete(page);
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click("#share");
  await page.waitForSelector("#share[data-said=Copied]");
  assert.equal(await pasted(), page.url());
  await page.focus("#code-command");
  for (const name of ["c", "python", "javascript"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), `code-${name}`);
    const text = await page.locator("#code-code").textContent();
    await page.click("#code-copy");
    await page.waitForSelector("#code-copy[data-said=Copied]");
    assert.equal(await pasted(), text);
    assert.match(
      text,
      { c: /#include/, python: /import perlane/, javascript: /from "perlane"/ }[name],
    );
    await page.focus(`#code-${name}`);
  }
  await close(page);
});

test("the code beside the map follows every control", async () => {
  const page = await open("#field=octaves=2", { width: 1000, height: 600 });
  await complete(page);
  const controls = page.locator("#single .control");
  assert.equal(await controls.first().getAttribute("data-option"), "basis");
  await page.locator("[data-option=octaves] input[type=range]").press("ArrowRight");
  await page.locator("[data-option=basis] select").selectOption("simplex");
  const command = await code(page, "command", "code");
  assert.match(command, /octaves=3/);
  assert.match(command, /basis=simplex/);
  await complete(page);
  run(command);
  const file = readFileSync(join(folder, "map.r32"));
  assert.ok(file.equals(await commanded(page)));
  await show(page, "explore");
  for (const [start, text] of [
    ["noise", "frequency=0.03"],
    ["cells", "frequency=0.03 basis=cellular"],
  ]) {
    await page.click(`[data-start=${start}]`);
    await complete(page);
    assert.ok((await code(page, "command", "code")).endsWith(`--field '${text}'`));
  }
  await close(page);
});

test("expressions are written on the page: examples, and errors at their place", async () => {
  const page = await shared("#field=octaves=2");
  await page.click("#mode-expression");
  assert.equal(await page.locator("#editor").inputValue(), "hills = octaves=2\nhills");
  await addressed(page, /^#expression=f=octaves=2/);
  const examples = page.locator("#expression button");
  assert.equal(await examples.count(), 4);
  for (const example of await examples.all()) {
    await example.click();
    await complete(page);
    assert.equal(await page.locator("#editor-error").textContent(), "");
    assert.equal(await page.locator("#fault").isVisible(), false);
  }
  await addressed(page, /^#expression=flow/);
  const shown = await page.evaluate(() => location.hash);
  for (const [text, place, why] of [
    ["a = octaves=99\na", "octaves=99", /from 1 to 32/],
    ["1 + hill*2", "hill", /no field/],
    ["2*(x + 1", "1", /\S/],
  ]) {
    await page.fill("#editor", text);
    assert.match(await page.locator("#editor-error").textContent(), why);
    assert.equal(await page.locator(".mark mark").textContent(), place);
    assert.equal(await page.evaluate(() => location.hash), shown);
  }
  await page.fill("#editor", "a = octaves=3 # comment\n2*a");
  assert.equal(await page.locator("#editor-error").textContent(), "");
  await addressed(page, /^#expression=a=octaves=3;2\*a/);
  await page.click("#mode-field");
  await addressed(page, /^#field=octaves=2/);
});

test("a part that is chosen before the page has started is opened, with the map of the link", async () => {
  const page = await open("#field=octaves=3&at=5,6", {
    init: () => {
      const compile = WebAssembly.compileStreaming;
      WebAssembly.compileStreaming = async (answer) => {
        await new Promise((go) => (globalThis.go = go));
        return compile(answer);
      };
    },
  });
  await page.waitForFunction(() => globalThis.go);
  await page.click("#tab-how");
  await page.evaluate(() => globalThis.go());
  await page.waitForSelector(PARTS.how);
  await addressed(page, /^#field=octaves=3&at=5,6&.*tab=how$/);
  await close(page);
});

test("relief: height and water are drawn; an orbit, but not where motion is reduced", async () => {
  const page = await open(EXPRESSION, { width: 900, height: 620, graphics: "webgl" });
  await complete(page);
  await page.click("#view");
  await page.waitForSelector("body[data-relief]");
  assert.equal(await page.isChecked("#orbit"), false);
  const relief = page.locator("#relief-screen");
  const first = await relief.screenshot();
  await page.locator("#relief-height").fill("2");
  await addressed(page, /&height=2&view=relief$/);
  await changed(relief, first);
  const high = await relief.screenshot();
  await page.click("#flooded");
  await addressed(page, /&height=2&water=none&view=relief$/);
  await changed(relief, high);
  await page.focus("#relief");
  await page.keyboard.press("ArrowLeft");
  await addressed(page, /&turn=-31&.*view=relief$/);
  await page.click("#view");
  await addressed(page, /(?<!view=relief)$/);
  assert.ok(await page.locator("#map").isVisible());
  await close(page);
  const moving = await open("#tab=explore&view=relief", {
    width: 300,
    height: 200,
    graphics: "webgl",
    reducedMotion: "no-preference",
  });
  await moving.waitForFunction(() => Number(document.body.dataset.drift) > 0);
  await close(moving);
});

test("without WebGL", async () => {
  const blind = await open("#tab=explore&view=relief", {
    init: () => {
      const usual = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (name, ...rest) {
        return name.startsWith("webgl") ? null : usual.call(this, name, ...rest);
      };
    },
  });
  await blind.waitForSelector("#relief-notice:not([hidden])");
  assert.match(await blind.locator("#relief-notice").textContent(), /WebGL 2/);
  await complete(blind);
  assert.ok(await blind.locator("#map").isVisible());
  await close(blind);
});

test("axe finds nothing in light, forced colours and a narrow screen", async () => {
  for (const settings of [
    { colorScheme: "dark" },
    { forcedColors: "active" },
    { width: 390, height: 844, hasTouch: true },
  ]) {
    const page = await open("#field=octaves=2", settings);
    await complete(page);
    await readable(page);
    await close(page);
  }
});

test("a narrow screen: home and relief", async () => {
  for (const hash of ["#tab=home", "#tab=explore&view=relief"]) {
    const page = await open(hash, { width: 320, height: 640, graphics: "webgl", hasTouch: true });
    await page.waitForSelector("body[data-relief]");
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".looks canvas")].every(({ width }) => width === 96),
    );
    await unfold(page);
    await narrow(page, hash);
    await axe(page, hash);
    await close(page);
  }
});

// ---- The run ----

const [all, ...only] =
  process.argv[2] === "--all" ? process.argv.slice(2) : ["", ...process.argv.slice(2)];
let passed = 0;
let failed = 0;
for (const [name, body] of tests.slice(0, all || only.length ? tests.length : CHECK)) {
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
    usual = undefined;
  }
}
await browser?.close();
server.close();
rmSync(folder, { recursive: true });
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed ? 1 : 0;
