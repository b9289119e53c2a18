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
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

import { chromium } from "playwright-core";

import { serve } from "../serve.js";

const root = fileURLToPath(new URL("../..", import.meta.url));
const given = (name, usual) => resolve(process.env[name] ?? join(root, usual));
const perlane = given("PERLANE", "build/perlane");
const library = given("PERLANE_LIBRARY", "build/own/perlane/libperlane.so");
const package_ = given("PERLANE_PACKAGE", "build/web/package");
const site = given("PERLANE_PAGE", "build/page");
const environment = join(root, "build/python/venv/bin/python");
const python = existsSync(environment) ? environment : "/usr/bin/python3"; // one that has NumPy
const folder = mkdtempSync(join(tmpdir(), "perlane-page-"));
const inFolder = { cwd: folder };

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
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...FLAGS[name]] });
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
    serviceWorkers: "block",
    reducedMotion: "reduce",
    ...settings,
  });
  context.setDefaultTimeout(120000); // only against waiting for ever
  const page = await context.newPage();
  page.on("console", (message) => {
    if (!["error", "warning"].includes(message.type())) return;
    if ([...USUAL, ...expect].some((part) => message.text().includes(part))) return;
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
/** Opens an address in a page of its own, and waits for its map. */
async function opened(hash, settings) {
  const page = await open(hash, settings);
  await complete(page);
  return page;
}
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
  else usual = await opened(hash);
  return usual;
}
/** Waits until the address, which follows the page after a moment, matches. */
async function addressed(page, pattern) {
  const matches = (source) => new RegExp(source).test(decodeURIComponent(location.hash));
  await page
    .waitForFunction(matches, pattern.source)
    .catch(() => assert.match(decodeURIComponent(new URL(page.url()).hash), pattern));
}
const text = (page, selector) => page.locator(selector).textContent();
const isShown = (page, selector) => page.locator(selector).isVisible();
const pixels = (page, id) => page.evaluate((each) => document.getElementById(each).toDataURL(), id);
const entries = (page) => page.evaluate(() => history.length);
const mapSize = (page) => page.locator("#map").evaluate(({ width, height }) => [width, height]);
const unfold = (page) =>
  page.evaluate(() => document.querySelectorAll("details").forEach((each) => (each.open = true)));

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
/** Types a value into an option's field. */
async function type(page, option, value) {
  const input = page.locator(`[data-option=${option}] input[type=text]`);
  await input.fill(value);
  await input.press("Enter");
}
const start = async (page, name) => {
  await page.click(`[data-start=${name}]`);
  await complete(page);
};
/** A text of Export; the code beside the map is in "code". */
async function code(page, name, stem = "texts") {
  await page.click(`#${stem}-${name}`);
  return text(page, `#${stem}-code`);
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

const read = (name) => readFileSync(join(folder, name));
const write = (name, contents) => writeFileSync(join(folder, name), contents);

/** Runs a command line of the page, and returns the file that it writes. */
function run(command) {
  const words = command.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ""));
  assert.equal(words.shift(), "perlane");
  execFileSync(perlane, [...words, "-q"], inFolder);
  return read(words[words.indexOf("-o") + 1]);
}
/** The samples that the exported command writes for what the map shows. */
async function commanded(page) {
  await show(page, "export");
  await page.click("#size-shown");
  return run(await code(page, "command"));
}

/** Compares the map on the screen with the PNG that the exported command draws, pixel for pixel. */
async function sameAsCommand(page, command) {
  if (!command) {
    await show(page, "export");
    await page.click("#size-shown");
    command = await code(page, "picture");
  }
  const source = `data:image/png;base64,${run(command).toString("base64")}`;
  const differ = await page.evaluate(async (address) => {
    const image = Object.assign(new Image(), { src: address });
    await image.decode();
    const map = document.getElementById("map");
    if (image.width !== map.width || image.height !== map.height) throw new Error("sizes differ");
    const [expected, shown] = [image, map].map((picture) => {
      const context = new OffscreenCanvas(image.width, image.height).getContext("2d");
      context.drawImage(picture, 0, 0);
      return new Uint32Array(context.getImageData(0, 0, image.width, image.height).data.buffer);
    });
    return shown.reduce((sum, pixel, i) => sum + (pixel !== expected[i]), 0);
  }, source);
  assert.equal(differ, 0, `pixels differ from those of ${command}`);
}

const tests = [];
const test = (name, body) => tests.push([name, body]);

// ---- Tests of make check: samples, pictures and files are the command's ----

const FAR = "at=1000000000000003,-999999999999997&step=1";
const PLACE = "#field=octaves=5+frequency=0.01+seed=99&at=123456789012345,-7&step=0.5";
const EXPRESSION = `#expression=${encodeURIComponent(`plains = octaves=3; peaks = seed=2 octaves=5   fractal=ridged # high
  mix(plains, peaks, smooth(-0.2, 0.4,  plains)) # at the end
    - 0.001*at(x + 9*plains, y, peaks)`)}&at=1234567,-7&step=0.5&low=-0.75&high=1`;

test("the saved samples are the command's", async () => {
  for (const hash of [
    `#field=seed=18446744073709551615+octaves=8+frequency=0.01&${FAR}`,
    "#field=octaves=5+frequency=0.01+curve=-1:-0.5,0:0.1,1:1+terraces=9&at=12345,678&step=0.125",
    "#field=octaves=5+frequency=0.02&at=-40,99&step=0.5&z=12.25",
  ]) {
    const page = await shared(hash);
    const expected = await commanded(page);
    assert.ok(expected.length > 300000);
    assert.ok(expected.equals(await download(page, "raw32")), hash);
  }
});

test("the picture is the command's", async () => {
  for (const look of [
    `octaves=6+frequency=0.02&${FAR}&style=flat&low=-0.7&high=0.6`,
    `octaves=6+frequency=0.02&${FAR}&light=30&altitude=25&palette=land`,
    `octaves=6+frequency=0.02&${FAR}&style=normals&relief=1.7`,
  ])
    await sameAsCommand(await shared(`#field=${look}`));
});

test("a saved PNG and a raw file of 16 bits; sizes of engines", async () => {
  const page = await opened(`#field=octaves=6+frequency=0.004&${FAR}`);
  await show(page, "export");
  const size = [701, 333];
  const png = await download(page, "png", size);
  const raw = await download(page, "raw16", size);
  write("saved.png", png);
  execFileSync(perlane, ["verify", "saved.png"], inFolder);
  const expected = run("perlane fill -o again.r16 --params-of saved.png");
  assert.equal(expected.length, 2 * size[0] * size[1]);
  assert.ok(expected.equals(raw), "the raw file differs");
  for (const [engine, format, edge] of [
    ["Unreal", "png", "1009"],
    ["Unity", "raw", "1025"],
    ["Godot", "raw16", "1024"],
  ]) {
    await page.click(`#save-sizes >> text=${engine}`);
    for (const [id, value] of Object.entries({ format, width: edge, height: edge }))
      assert.equal(await page.inputValue(`#save-${id}`), value, engine);
  }
  await page.fill("#save-low", "0.7");
  await page.fill("#save-high", "0.7");
  await page.click("#save");
  assert.match(await text(page, "#save-message"), /Black and white must be two/);
  await close(page);
});

test("a larger file has what is seen in more samples", async () => {
  const page = await shared("#field=octaves=4+frequency=0.01&at=1000000007,-12&step=0.5");
  const shown = await commanded(page);
  const [w, h] = await mapSize(page);
  const finer = await download(page, "raw32", [2 * w, 2 * h]);
  assert.ok(finer.equals(run(await code(page, "command"))), "the command's samples differ");
  for (let y = 0; y < h; y += 7)
    for (let x = 0; x < w; x += 7)
      assert.equal(
        finer.readUInt32LE(4 * (4 * y * w + 2 * x)),
        shown.readUInt32LE(4 * (y * w + x)),
      );
});

// Each writes a program, and runs it.
const PROGRAMS = {
  c(source) {
    write("map.c", source);
    const link = [library, `-Wl,-rpath,${dirname(library)}`];
    const flags = ["-O2", "-Wall", "-Werror", `-I${root}include`, "-o", "program"];
    execFileSync("cc", [...flags, "map.c", ...link], inFolder);
    execFileSync(join(folder, "program"), inFolder);
  },
  javascript(source) {
    if (!existsSync(join(folder, "node_modules"))) {
      mkdirSync(join(folder, "node_modules"));
      symlinkSync(package_, join(folder, "node_modules/perlane"));
    }
    const store = `import { writeFileSync } from "node:fs";
writeFileSync("map.r32", new Uint8Array(values.buffer));`;
    write("map.mjs", `${source}\n${store}`);
    execFileSync(process.execPath, ["map.mjs"], inFolder);
  },
  python(source) {
    write("map.py", `${source}\nvalue.astype("<f4").tofile("map.r32")\n`);
    const PYTHONPATH = join(root, "bindings/python");
    const settings = { PYTHONPATH, PERLANE_LIBRARY: library, PYTHONDONTWRITEBYTECODE: "1" };
    execFileSync(python, ["map.py"], { ...inFolder, env: { ...process.env, ...settings } });
  },
};
async function program(language, hash) {
  const page = await shared(hash);
  const expected = await commanded(page);
  rmSync(join(folder, "map.r32"));
  PROGRAMS[language](await code(page, language));
  assert.ok(expected.equals(read("map.r32")), `${language} computes other samples`);
}
test("the program in C", () => program("c", PLACE));

// ---- Links, and the browser's history ----

test("the link holds everything; of a wrong one, every part is named", async () => {
  const page = await shared("#field=octaves=3");
  await start(page, "island");
  await page.selectOption("#style", "normals");
  await page.selectOption("#palette", "embers");
  await page.locator("#light").fill("120");
  await page.focus("#map");
  for (const key of ["ArrowRight", "ArrowDown", "+", "+"]) await page.keyboard.press(key);
  await page.click("#random");
  const state = async () => {
    await complete(page);
    const map = await pixels(page, "map");
    await show(page, "export");
    return [map, ...(await Promise.all([code(page, "link")])), await code(page, "text")];
  };
  const first = await state();
  assert.match(first[1], /&style=normals&palette=embers&.*light=120&/);
  assert.match(first[2], /^seed=\d+ /);
  await go(page, "#field=octaves=99&at=x,1&step=3&palette=__proto__&tilt=1&tab=none");
  for (const name of ["octaves", "at", "step", "palette", "tilt", "tab"])
    assert.match(await text(page, "#fault"), new RegExp(`\\b${name} must be `));
  await go(page, "#at=1e5,-2&step=2");
  await addressed(page, /&at=100000,-2&step=2$/);
  assert.equal(await isShown(page, "#fault"), false);
  await go(page, new URL(first[1]).hash);
  assert.deepEqual(await state(), first);
});

test("a wrong link keeps the visitor's text, until another field is chosen", async () => {
  const page = await shared("#field=octaves=2");
  for (const part of ["expression=a = octaves=99; a", "field=octaves=99 gain=0.3"]) {
    await go(page, `#${encodeURI(part)}&at=5,7`);
    assert.match(await text(page, "#fault"), /octaves must be/);
    await addressed(page, new RegExp(`^#${part.replaceAll(" ", ".")}&at=5,7`));
    await page.focus("#map");
    await page.keyboard.press("ArrowRight");
    await addressed(page, new RegExp(`^#${part.replaceAll(" ", ".")}&at=69,7`));
  }
  await page.click("#random");
  await addressed(page, /^#field=(?!.*octaves=99)/);
});

test("the history: one entry for a drag or a burst of zooming, later where the browser refuses", async () => {
  const page = await opened("#field=octaves=3");
  const length = await entries(page);
  await page.mouse.move(300, 200);
  await page.mouse.down();
  for (let i = 1; i <= 2; i++) {
    await page.mouse.move(300 - 10 * i, 200);
    await page.waitForTimeout(300);
  }
  await page.mouse.up();
  await addressed(page, /&at=20,0/);
  assert.equal(await entries(page), length + 1);
  await page.goBack();
  await addressed(page, /&at=0,0/);
  // A text that is edited keeps its own undo.
  await page.locator("[data-option=octaves] input[type=text]").pressSequentially("7");
  await page.keyboard.press("Control+z");
  await page.waitForTimeout(300);
  await addressed(page, /^#field=octaves=3&at=0,0/);
  await page.mouse.move(300, 200);
  for (let i = 0; i < 4; i++) {
    await page.mouse.wheel(0, 100);
    await page.waitForTimeout(450);
  }
  await addressed(page, /&step=16$/);
  assert.equal(await entries(page), length + 1);
  // An address of a part keeps the map.
  await go(page, "#tab=how");
  await addressed(page, /^#field=octaves=3&.*step=16&tab=how$/);
  await page.goBack();
  await addressed(page, /&step=16$/);
  await page.goBack();
  await addressed(page, /&at=0,0&step=1$/);
  await page.evaluate(() => {
    const push = history.pushState;
    history.pushState = () => {
      throw new DOMException("too many calls", "SecurityError");
    };
    setTimeout(() => (history.pushState = push), 1200);
  });
  await page.focus("#map");
  for (let i = 0; i < 2; i++) {
    await page.keyboard.press("ArrowRight");
    await page.waitForTimeout(600);
  }
  await addressed(page, /&at=128,0/);
  await page.click("#undo");
  await addressed(page, /&at=0,0/);
  await close(page);
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

// ---- Pointers, keys, small screens, and readers of screens ----

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
    map.setPointerCapture = () => {};
    const send = (type, pointerId, clientX) => {
      const where = { pointerId, clientX, clientY: 200, bubbles: true, button: 0 };
      map.dispatchEvent(new PointerEvent(type, where));
    };
    send("pointerdown", 11, 150);
    send("pointerdown", 12, 250);
    for (let d = 0; d <= 120; d += 10) {
      send("pointermove", 11, 150 - d);
      send("pointermove", 12, 250 + d);
    }
    send("pointerup", 11, 30);
    send("pointerup", 12, 370);
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
  const outline = () => getComputedStyle(document.activeElement).outlineStyle;
  assert.notEqual(await page.evaluate(outline), "none");
  for (const [key, address] of Object.entries({
    ArrowRight: /at=64,0&step=1$/,
    "-": /at=32,0&step=2$/,
    Home: /at=0,0&step=1$/,
  })) {
    await page.keyboard.press(key);
    await addressed(page, address);
  }
  await reach("random");
  await page.keyboard.press("Enter");
  await addressed(page, /seed=/);
  await page.keyboard.press("Control+z");
  await addressed(page, /^#field=octaves=2&at=0,0/);
  await page.keyboard.press("Control+y");
  await addressed(page, /seed=/);
  const error = "[data-option=octaves] .error";
  await type(page, "octaves", "33");
  assert.match(await text(page, error), /octaves must be/);
  await type(page, "octaves", "5");
  await addressed(page, /octaves=5/);
  assert.equal(await text(page, error), "");
  for (const [tab, last] of Object.entries({ how: "lattice-angle", export: "texts-copy" })) {
    await page.focus("#brand");
    await reach(`tab-${tab}`);
    await page.keyboard.press("Enter");
    await page.waitForSelector(PARTS[tab]);
    await reach(last);
  }
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.getElementById("said").textContent);
});

/** Nothing is wider than the screen, and every control is large enough for a finger. */
async function narrow(page, tab) {
  const wrong = await page.evaluate(() => {
    const named = (each) => each.id || each.className || each.tagName;
    const seen = (selector) =>
      [...document.querySelectorAll(selector)].filter((each) =>
        each.checkVisibility({ visibilityProperty: true }),
      );
    const wide = seen("header *, main *").filter(
      (each) =>
        !each.parentElement.closest(".looks, .table") &&
        each.getBoundingClientRect().right > innerWidth + 1,
    );
    const small = seen(
      "button, .button, #tabs a, select, summary, .radio, input:not([type=range], [type=radio])",
    ).filter((each) => Math.min(each.offsetWidth, each.offsetHeight) < 44);
    return [document.documentElement.scrollWidth - innerWidth, wide.map(named), small.map(named)];
  });
  assert.deepEqual(wrong, [0, [], []], `${tab}: too wide, or too small`);
}

/** Contrast, names, roles: what axe finds. */
async function axe(page, tab) {
  const source = readFileSync(join(root, "page/node_modules/axe-core/axe.min.js"), "utf8");
  await page
    .evaluate((script) => window.axe ?? (0, eval)(script), source)
    .catch(() => page.addScriptTag({ content: source }));
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  const found = violations.map(({ id, nodes }) => [
    id,
    ...nodes.slice(0, 3).map(({ html }) => html),
  ]);
  assert.deepEqual(found, [], tab);
}

/** Opens each part of a page for a check. */
async function everyPart(page, check) {
  for (const tab of ["explore", "how", "export"]) {
    await show(page, tab);
    await unfold(page);
    await check(page, tab);
  }
}

test("a narrow screen", async () => {
  const page = await opened("#field=octaves=2", { width: 768, height: 1024, hasTouch: true });
  await everyPart(page, narrow);
  await page.setViewportSize({ width: 320, height: 640 });
  await everyPart(page, narrow);
  await page.setViewportSize({ width: 360, height: 640 });
  // The map stays visible above the sheet, which opens over a part of it.
  await show(page, "explore");
  const under = (y) => page.evaluate((at) => document.elementFromPoint(180, at).id, y);
  const top = () => page.locator("#panel").evaluate((each) => each.getBoundingClientRect().top);
  assert.ok((await top()) > 420);
  assert.equal(await under(300), "map");
  await page.click("#sheet");
  assert.equal(await page.getAttribute("#sheet", "aria-expanded"), "true");
  const opened_ = await top();
  assert.ok(opened_ < 320 && opened_ > 160, `the open sheet begins at ${opened_}`);
  assert.equal(await under(opened_ - 20), "map");
  await close(page);
});

test("axe finds nothing", async () => everyPart(await shared("#field=octaves=2"), axe));

// ---- What is missing, late or refused ----

test("offline", async () => {
  const lost = { expect: ["ERR_INTERNET_DISCONNECTED", "dynamically imported module"] };
  const page = await opened("#field=octaves=2", { serviceWorkers: "allow", ...lost });
  // A part that could not be loaded is loaded when it is opened again.
  const other = await opened("#field=octaves=2", lost);
  await other.context().setOffline(true);
  await other.click("#tab-export");
  await other.waitForSelector("#fault:not([hidden])");
  await other.context().setOffline(false);
  await show(other, "export");
  assert.equal(await isShown(other, "#fault"), false);
  await close(other);
  // The service worker has a copy of everything.
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await complete(page);
  for (const tab of ["how", "export"]) await show(page, tab);
  assert.equal(await isShown(page, "#fault"), false);
  await close(page);
});

test("what cannot run says so in a sentence, and shows a picture", async () => {
  const refuse = () =>
    (WebAssembly.compileStreaming = () => Promise.reject(new WebAssembly.CompileError("Refused")));
  for (const [init, missing] of [
    [() => (WebAssembly.validate = () => false), /SIMD/],
    [() => delete globalThis.WebAssembly, /WebAssembly switched off/],
    [refuse, /policy forbids WebAssembly/],
  ]) {
    const page = await open("#field=octaves=2", { init });
    await page.waitForSelector("#fault:not([hidden])");
    assert.match(await text(page, "#fault"), missing);
    const decoded = (image) => image.decode().then(() => image.width > 300);
    assert.ok(await page.locator(".still").evaluate(decoded));
    assert.equal(await page.locator("button:visible").count(), 0);
    await close(page);
  }
});

test("nothing is shown before it is drawn, and the headline from the first", async () => {
  for (const hash of ["#tab=home", "#tab=explore"]) {
    const init = () => (WebAssembly.compileStreaming = () => new Promise(() => {}));
    const page = await open(hash, { colorScheme: "light", init });
    await page.waitForSelector("body[data-tab]");
    const late =
      "#map, #relief, #probe, .toolbar button, #controls *, .strip button, #code-code, #badge *";
    assert.equal(await page.locator(late).filter({ visible: true }).count(), 0);
    assert.equal(await isShown(page, "#hero-title"), hash === "#tab=home");
    await close(page);
  }
});

test("without WebGL the map stands in for the relief", async () => {
  const page = await open("#tab=home", { colorScheme: "light", width: 1000, height: 700 });
  await page.waitForSelector("body[data-webgl=none][data-map=complete]");
  const ground = (each) => getComputedStyle(each).backgroundColor;
  assert.match(await page.locator(".words").evaluate(ground), /^color\(srgb 0\.9.* 0\.88\)$/);
  assert.ok(!(await isShown(page, "#toolbar")));
  await go(page, "#field=octaves=2&view=relief");
  assert.match(await text(page, "#relief-notice"), /WebGL 2/);
  assert.ok(await isShown(page, "#map"));
  await close(page);
});

test("what cannot be computed says why", async () => {
  for (const [hash, place] of Object.entries({
    "#field=frequency=1e300": "#map-notice",
    "#field=warp_amplitude=1e38": "#map-notice",
    "#at=9e18,-9e18&step=1024": "#fault",
    "#field=octaves=2&palette=constructor": "#fault",
  })) {
    const page = await shared(hash);
    await page.locator(place).waitFor();
  }
});

test("every page of the documentation is shown, fits a phone, and has links that lead somewhere", async () => {
  const page = await open("docs/index.html", { width: 390, height: 844 });
  const names = readdirSync(join(site, "docs")).filter((name) => name.endsWith(".html"));
  assert.ok(names.length > 20, `${names.length} pages`);
  const answers = new Map();
  for (const path of ["index.html", ...names.map((name) => `docs/${name}`)]) {
    await page.goto(base + path);
    if (path !== "index.html") {
      assert.ok(await isShown(page, "main h1"), path);
      assert.ok((await page.locator("main").innerText()).length > 100, path);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth);
      assert.ok(wide <= 390, `${path} is ${wide} pixels wide`);
    }
    const source = await (await fetch(base + path)).text();
    for (const [, href] of source.matchAll(/(?:href|src)="([^"#]+)/g)) {
      if (/^(https?|data):/.test(href)) continue;
      const { href: url } = new URL(href, base + path);
      assert.ok(url.startsWith(base), `${path}: ${href}`);
      if (!answers.has(url)) answers.set(url, (await fetch(url)).status);
      assert.equal(answers.get(url), 200, `${path}: ${href}`);
    }
  }
  for (const path of ["%ff", "none", "%2e%2e/%2e%2e/etc/passwd"])
    assert.equal((await fetch(base + path)).status, 404);
  await close(page);
});

// ---- Tests of proof ----

const CHECK = tests.length;

for (const language of Object.keys(PROGRAMS))
  test(`the program in ${language} of a field, a slice and an expression`, async () => {
    for (const hash of [PLACE, `${PLACE}&z=3.5`, EXPRESSION]) await program(language, hash);
  });

test("the picture is the command's without slopes, with one value, and on a fine screen", async () => {
  for (const field of [
    "octaves=2+curve=-1:0.25,1:0.25",
    "octaves=2&low=0.5&high=0.5",
    "basis=cellular+frequency=0.05",
    "basis=white+frequency=0.05",
    "fractal=eroded+octaves=5&z=2.5",
  ])
    await sameAsCommand(await shared(`#field=${field}&palette=viridis&relief=0.5&step=0.5`));
  const fine = await opened("#field=octaves=3", { width: 620, height: 300, deviceScaleFactor: 2 });
  const width = await fine.locator("#screen").evaluate((each) => each.clientWidth);
  assert.equal((await mapSize(fine))[0], 2 * width);
  await sameAsCommand(fine);
  await close(fine);
});

test("an expression that a link defines: the bits and the pixels of the command", async () => {
  const page = await shared(EXPRESSION);
  assert.match(await page.inputValue("#editor"), /fractal=ridged\nmix\(plains/);
  const ofFields = ["#essentials", "#all-options", "#tile", "#reset-all"];
  for (const each of ofFields) assert.equal(await isShown(page, each), false, each);
  assert.ok(await page.isDisabled("#random"));
  await page.click("#zoom-out");
  await complete(page);
  const expected = await commanded(page);
  assert.ok(expected.equals(await download(page, "raw32")), "the saved samples differ");
  await sameAsCommand(page);
  const written = /^plains=octaves=3;peaks=seed=2 octaves=5 fractal=ridged;mix\(.*peaks\)$/;
  assert.match(await code(page, "text"), written);
  write("expression.png", await download(page, "png"));
  execFileSync(perlane, ["verify", "expression.png"], inFolder);
  // A look is a field again; Undo returns.
  await show(page, "explore");
  await page.click("#mode-field");
  await start(page, "island");
  for (const each of ofFields) assert.ok(await isShown(page, each), each);
  assert.ok(!(await isShown(page, "#expression")) && !(await page.isDisabled("#random")));
  await addressed(page, /#field=/);
  for (let i = 0; i < 2; i++) await page.click("#undo");
  await addressed(page, /#expression=plains/);
  await show(page, "explore");
  await page.locator("#expression").waitFor();
});

test("an expression without ends of its colours has those of what is seen; a wrong one says why", async () => {
  const page = await shared("#expression=0.001*x+%2B+y&at=5000,70&step=1");
  const [low, high] = [
    Number(await page.inputValue("#low")),
    Number(await page.inputValue("#high")),
  ];
  assert.ok(low < 75 && high > 75 && high - low > 100 && high - low < 1000, `${low} ${high}`);
  await sameAsCommand(page);
  await go(page, "#expression=hill+%2B+1");
  assert.match(await text(page, "#fault"), /no field is called 'hill'/);
  assert.equal(await page.inputValue("#editor"), "hill + 1");
  assert.equal(await text(page, "#mark mark"), "hill");
  await go(page, "#expression=sqrt(-1+-+x*x)"); // has no bounds, and no values
});

test("expressions are written on the page: examples, and errors at their place", async () => {
  const page = await opened("#field=octaves=2");
  await page.click("#mode-expression");
  assert.equal(await page.inputValue("#editor"), "hills = octaves=2\nhills");
  await addressed(page, /^#expression=f=octaves=2/);
  const examples = await page.locator("#expression button").all();
  assert.equal(examples.length, 4);
  for (const example of examples) {
    await example.click();
    await complete(page);
    assert.equal(await text(page, "#editor-error"), "");
    assert.equal(await isShown(page, "#fault"), false);
  }
  await addressed(page, /^#expression=flow/);
  const shown = await page.evaluate(() => location.hash);
  for (const [wrong, place, why] of [
    ["a = octaves=99\na", "octaves=99", /from 1 to 32/],
    ["1 + hill*2", "hill", /no field/],
    ["2*(x + 1", "1", /\S/],
  ]) {
    await page.fill("#editor", wrong);
    assert.match(await text(page, "#editor-error"), why);
    assert.equal(await text(page, "#mark mark"), place);
    assert.equal(await page.evaluate(() => location.hash), shown);
  }
  await page.fill("#editor", "a = octaves=3 # comment\n2*a");
  assert.equal(await text(page, "#editor-error"), "");
  await addressed(page, /^#expression=a=octaves=3;2\*a/);
  await page.click("#mode-field");
  await addressed(page, /^#field=octaves=2/);
});

test("a large file: progress and cancel", async () => {
  const page = await shared("#field=octaves=32"); // the whole file would take minutes
  await show(page, "export");
  await page.click("#save-sizes >> text=8192²");
  await page.click("#save");
  await page.waitForFunction(() => document.getElementById("save-progress").value > 0);
  await page.click("#save-cancel");
  await page.locator("#save-message", { hasText: "Cancelled" }).waitFor();
  await page.fill("#save-width", "8193");
  await page.click("#save");
  assert.match(await text(page, "#save-message"), /8192/);
});

test("starts are looks, as the command draws them", async () => {
  const page = await shared("#field=octaves=2&style=normals&rise=3");
  const drawn = () =>
    [...document.querySelectorAll("[data-start] canvas")].every(({ width }) => width === 96);
  await page.waitForFunction(drawn);
  const names = await page.$$eval("[data-start]", (all) => all.map((each) => each.dataset.start));
  const listed = execFileSync(perlane, ["looks"], { encoding: "utf8" }).trim().split("\n");
  assert.deepEqual(names.splice(0, 2), ["noise", "cells"]);
  const looks = listed.map((line) => line.split(" ")[0]);
  assert.deepEqual(names, looks);
  const size = (await mapSize(page)).join("x");
  for (const name of names) {
    await show(page, "explore");
    await start(page, name);
    await sameAsCommand(page, `perlane fill -o map.png --look ${name} --size ${size}`);
    const samples = run(`perlane fill -o look.r32 --look ${name} --size ${size}`);
    assert.ok((await commanded(page)).equals(samples), `${name}: samples differ`);
  }
});

// What is typed into an option of a kind.
const VALUES = { curve: "-1:0,1:1", axes: "4,4,0,0", real: "0.75", integer: "3", seed: "3" };
test("every control once", async () => {
  const page = await shared("#field=octaves=2");
  await unfold(page);
  const names = await page.$$eval("[data-option]", (all) => all.map((each) => each.dataset.option));
  assert.ok(names.length > 30, `${names.length} controls`);
  const values = (select) =>
    select.evaluate(({ options }) => [...options].map(({ value }) => value));
  for (const name of names) {
    await page.click("#reset-all");
    const control = page.locator(`[data-option=${name}]`);
    const [box, select, slider] = ["[type=checkbox]", "select", "[type=range]"].map((each) =>
      control.locator(each),
    );
    if (await box.count()) await box.click();
    else if (await select.count())
      for (const value of await values(select)) await select.selectOption(value);
    else {
      if (await slider.count()) await slider.press("ArrowRight");
      await type(page, name, VALUES[(await control.getAttribute("class")).split(" ")[1]]);
    }
    const error = await control.locator(".error").textContent();
    const reset = control.locator(".reset");
    assert.ok(error || (await reset.isVisible()), `${name} did not change`);
    if (!error) await reset.click();
    assert.ok(error || !(await reset.isVisible()), `${name} was not reset`);
  }
  for (const id of ["#style", "#palette"])
    for (const value of await values(page.locator(id))) await page.selectOption(id, value);
  await page.click("#fit");
  await addressed(page, /&low=-0\.\d+&high=0\.\d+/);
  await page.click("#unfit");
  await addressed(page, /^(?!.*&low)/);
  await page.fill("#low", "-0.5");
  await page.press("#low", "Enter");
  await page.locator("#strength").press("ArrowRight");
  await addressed(page, /&low=-0.5&relief=1.1$/);
  await page.fill("#go-x", "1e15");
  await page.press("#go-x", "Enter");
  await addressed(page, /&at=1000000000000000,0/);
  await page.click("#home");
  await page.check("#slice");
  const flat = await pixels(page, "map");
  await page.locator("#slice-z").fill("100");
  await addressed(page, /&at=0,0&.*&z=100&/);
  await complete(page);
  assert.notEqual(await pixels(page, "map"), flat);
  assert.equal(await isShown(page, "#fault"), false);
});

test("Tile makes plain noise, cells, and land repeat, and saves one tile", async () => {
  const page = await opened("#field=octaves=2");
  const size = 2 ** Math.floor(Math.log2(Math.min(...(await mapSize(page)))));
  for (const name of ["noise", "cracked-earth", "marble", "archipelago"]) {
    await start(page, name);
    await page.check("#tile");
    assert.ok(await page.isChecked("#tile"), `${name}: ${await text(page, "#fault")}`);
    await addressed(page, /period=\d/);
    const [, cells] = /period=(\d+)/.exec(await page.evaluate(() => location.hash));
    assert.ok(cells >= 3, `${name} repeats ${cells} cells`);
    await complete(page);
    await show(page, "export");
    await page.check("#area-tile");
    const saved = await download(page, "raw32");
    assert.equal(saved.length, 4 * size * size);
    const command = await code(page, "command");
    assert.ok(saved.equals(run(command)), `${name}: the command's samples differ`);
    const four = run(command.replace(`--size ${size}x${size}`, `--size ${2 * size}x${2 * size}`));
    for (let i = 0; i < 4 * size * size; i++) {
      const [x, y] = [i % (2 * size), Math.floor(i / (2 * size))];
      const tile = saved.readFloatLE(4 * ((y % size) * size + (x % size)));
      const apart = Math.abs(four.readFloatLE(4 * i) - tile);
      assert.ok(apart < 1e-5, `${name}: a seam of ${apart} at ${x}, ${y}`); // the warp rounds
    }
    await show(page, "explore");
    await page.uncheck("#tile");
    await addressed(page, /^(?!.*period).*field=/);
  }
  await close(page);
});

test("the code beside the map follows every control; languages are tabs, and are copied", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await opened("#field=octaves=2", { width: 1000, height: 600, permissions });
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click("#share");
  await page.waitForSelector("#share[data-said=Copied]");
  assert.equal(await pasted(), page.url());
  await page.focus("#code-command");
  for (const [name, part] of [
    ["c", /#include/],
    ["python", /import perlane/],
    ["javascript", /from "perlane"/],
  ]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await page.evaluate(() => document.activeElement.id), `code-${name}`);
    await page.click("#code-copy");
    await page.waitForSelector("#code-copy[data-said=Copied]");
    assert.equal(await pasted(), await text(page, "#code-code"));
    assert.match(await pasted(), part);
    await page.focus(`#code-${name}`);
  }
  const first = page.locator("#single .control").first();
  assert.equal(await first.getAttribute("data-option"), "basis");
  await page.locator("[data-option=octaves] input[type=range]").press("ArrowRight");
  await first.locator("select").selectOption("simplex");
  const command = await code(page, "command", "code");
  assert.match(command, /octaves=3.*basis=simplex|basis=simplex.*octaves=3/);
  await complete(page);
  assert.ok(run(command).equals(await commanded(page)));
  await show(page, "explore");
  for (const [name, field] of [
    ["noise", "frequency=0.03"],
    ["cells", "frequency=0.03 basis=cellular"],
  ]) {
    await start(page, name);
    assert.ok((await text(page, "#code-code")).endsWith(`--field '${field}'`));
  }
  await close(page);
});

test("how it works: what is changed is drawn, and the numbers of a point add up", async () => {
  const page = await shared("#tab=how");
  await page.waitForSelector(PARTS.how);
  for (const [id, canvases] of [
    ...["octaves", "gain", "frequency", "lacunarity"].map((name) => [
      `parameter-${name}`,
      ["parameters-curve", "parameters-picture"],
    ]),
    ["lattice-angle", ["lattice"]],
    ["lattice-length", ["lattice"]],
  ]) {
    const picture = async () => Promise.all(canvases.map((each) => pixels(page, each)));
    const before = await picture();
    await page.locator(`#${id}`).press("ArrowLeft");
    (await picture()).forEach((each, i) =>
      assert.notEqual(each, before[i], `${id}: ${canvases[i]}`),
    );
  }
  for (const [x, y] of [
    [1.5, 1.25],
    [3.55, 2.4],
  ]) {
    await page.locator("#sample-x").fill(String(x));
    await page.locator("#sample-y").fill(String(y));
    const rows = await page.$$eval("#sums tr", (all) =>
      all.map((row) => [...row.querySelectorAll("td")].map((each) => each.textContent)),
    );
    assert.equal(rows[4].at(-1), rows[5].at(-1));
    const numbers = rows.map((row) =>
      row.map((each) => each.replaceAll("−", "-").split(", ").map(Number)),
    );
    for (const [gradient, way, [dot], [weight], [part]] of numbers.slice(0, 4)) {
      assert.ok(Math.abs(gradient[0] * way[0] + gradient[1] * way[1] - dot) < 0.02);
      assert.ok(Math.abs(dot * weight - part) < 0.002);
    }
    assert.match(await text(page, "#cell-proof"), /at most [\d.]+e-[6-9]/);
  }
});

test("how it works: a finger drags the point, and does not scroll the page", async () => {
  const page = await open("#tab=how", { width: 390, height: 844, hasTouch: true });
  await page.waitForSelector(PARTS.how);
  const box = await page.locator("#lattice").boundingBox();
  const touch = await page.context().newCDPSession(page);
  const scrolled = () => page.locator("#part-how").evaluate((each) => each.scrollTop);
  const [x, y] = [box.x + (2.8 / 7) * box.width, box.y + (2.12 / 5) * box.height];
  const send = (kind, points) =>
    touch.send("Input.dispatchTouchEvent", { type: kind, touchPoints: points });
  await send("touchStart", [{ x, y }]);
  for (let i = 1; i <= 5; i++) await send("touchMove", [{ x, y: y - 8 * i }]);
  await send("touchEnd", []);
  await page.waitForTimeout(300);
  assert.equal(await scrolled(), 0, "the page was scrolled");
  assert.ok((await page.inputValue("#sample-y")) < 1.62 - 0.3, "the point was not moved");
  await close(page);
});

test("the npm package on a GPU: the bits of WebAssembly, or an error", async () => {
  const files = await serve(package_, 0);
  const page = await (await launch("webgpu")).newPage();
  await page.goto(`http://127.0.0.1:${files.address().port}/wgsl.js`);
  const fill = (fault) =>
    page.evaluate(async (wrong) => {
      const { field, ...rest } = await import("/sync.js");
      const { openWebGPU } = await import("/webgpu.js");
      const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
      if (!device) return "no adapter";
      const create = device.createShaderModule.bind(device);
      if (wrong)
        device.createShaderModule = ({ code }) =>
          create({ code: code.replace("+ perlane_words[7]", "+ 1u") });
      const [noise, grid] = [field("octaves=5 frequency=0.02"), { size: [256, 256] }];
      const bits = (values) => new Uint32Array(values.buffer);
      try {
        const shader = bits(await (await openWebGPU(device, rest)).fill(noise, grid));
        const expected = bits(noise.fill(grid));
        return shader.filter((word, i) => word !== expected[i]).length;
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

const WEBGL = { graphics: "webgl" };

test("the first part: a look as a relief, the digest, and the speed", async () => {
  const page = await open("#", { width: 800, height: 520, ...WEBGL });
  await page.waitForSelector("body[data-tab=home][data-relief]");
  const relief = page.locator("#relief-screen");
  const mountains = await relief.screenshot();
  const [words, looks] = await Promise.all(
    [".words", "#hero-looks"].map((each) => page.locator(each).boundingBox()),
  );
  assert.ok(words.y + words.height <= looks.y, "the words are over the looks");
  await page.click("[data-hero=dunes]");
  await addressed(page, /palette=sand.*tab=home$/);
  await changed(relief, mountains);
  await page.goBack();
  await addressed(page, /palette=land/);
  await page.click("#hero-explore");
  assert.equal(await page.evaluate(() => document.activeElement.id), "map");
  await complete(page);
  const size = (await mapSize(page)).join("x");
  const look = run(`perlane fill -o first.r32 --look mountains --size ${size}`);
  assert.ok(look.equals(await commanded(page)), "the first map is not the look");
  await page.click("#brand");
  const digests = page.locator("#badge code");
  await digests.first().waitFor();
  const info = execFileSync(perlane, ["info"], { encoding: "utf8" });
  const [, expected] = /expected (0x\w+)/.exec(info);
  assert.deepEqual(await digests.allTextContents(), [expected, expected]);
  assert.match(await text(page, "#badge"), /✓/);
  await page.click("#measure");
  await page.locator("#speed", { hasText: /best of 5|Not measured/ }).waitFor();
  const rows = await page.locator("#speed tr").allTextContents();
  assert.deepEqual(
    rows.map((row) => row.replace(/[\d.,]+ ms$/, "MS").replace(/\d+ thread/, "N thread")),
    ["perlane, N threadsMS", "perlane, one threadMS", "simplex-noise 4 in a loop, one threadMS"],
  );
  await close(page);
  const motion = { width: 300, height: 200, reducedMotion: "no-preference", ...WEBGL };
  const moving = await open("#tab=home", motion);
  await moving.waitForFunction(() => Number(document.body.dataset.drift) > 0);
  await close(moving);
});

test("relief: height and water are drawn, keys turn it, and the map returns", async () => {
  const page = await opened(EXPRESSION, { width: 900, height: 620, ...WEBGL });
  await page.click("#view");
  await page.waitForSelector("body[data-relief]");
  const relief = page.locator("#relief-screen");
  for (const [change, address] of [
    [() => page.locator("#relief-height").fill("2"), /&height=2&view=relief$/],
    [() => page.click("#flooded"), /&height=2&water=none&view=relief$/],
    [() => page.locator("#relief").press("ArrowLeft"), /&turn=-31&.*view=relief$/],
  ]) {
    const before = await relief.screenshot();
    await change();
    await addressed(page, address);
    await changed(relief, before);
  }
  assert.equal(await page.evaluate(() => document.body.dataset.drift), undefined);
  await page.click("#view");
  await addressed(page, /(?<!view=relief)$/);
  assert.ok(await isShown(page, "#map"));
  await close(page);
});

test("axe finds nothing in the dark, in forced colours and on a narrow screen", async () => {
  for (const settings of [
    { colorScheme: "dark" },
    { forcedColors: "active" },
    { width: 390, height: 844, hasTouch: true },
  ]) {
    const page = await opened("#field=octaves=2", settings);
    await everyPart(page, axe);
    await close(page);
  }
});

test("a narrow screen: home and relief", async () => {
  for (const hash of ["#tab=home", "#tab=explore&view=relief"]) {
    const page = await open(hash, { width: 320, height: 640, hasTouch: true, ...WEBGL });
    await page.waitForSelector("body[data-relief]");
    const drawn = () =>
      [...document.querySelectorAll(".looks canvas")].every(({ width }) => width === 96);
    await page.waitForFunction(drawn);
    await unfold(page);
    await narrow(page, hash);
    await axe(page, hash);
    await close(page);
  }
});

// ---- The run ----

const isAll = process.argv[2] === "--all";
const only = process.argv.slice(isAll ? 3 : 2);
const chosen = isAll || only.length ? tests : tests.slice(0, CHECK);
let failed = 0;
for (const [name, body] of chosen) {
  if (only.length && !only.some((part) => name.includes(part))) continue;
  problems = [];
  const begun = performance.now();
  try {
    await body();
    assert.deepEqual(problems, [], "on the console or the network");
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
console.log(failed ? `${failed} failed` : "all passed");
process.exitCode = failed ? 1 : 0;
