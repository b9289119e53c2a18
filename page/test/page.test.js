// SPDX-License-Identifier: MIT
//
// Tests of the page in Chromium, without a screen. Its samples are compared bit for bit with those of
// the command. `make check` runs test(), `make page-check` and tests/proof/run page with --all proof(), too.
//
//   PERLANE=build/perlane PERLANE_LIBRARY=build/own/perlane/libperlane.so
//       node [--test-name-pattern=WORDS] page.test.js [--all]
//
// CHROMIUM names another browser.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { after, afterEach, test } from "node:test";
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
const python = fs.existsSync(environment) ? environment : "/usr/bin/python3"; // one that has NumPy
const folder = fs.mkdtempSync(join(tmpdir(), "perlane-page-"));

const skip = !process.argv.includes("--all") && "make page-check runs it";
const proof = (name, body) => test(name, { skip }, body);

// A subpath, as on a project's pages.
const PREFIX = "/some/where/";
fs.mkdirSync(join(folder, "site/some"), { recursive: true });
fs.symlinkSync(site, join(folder, "site/some/where"));
const server = await serve(join(folder, "site"));
const base = `http://127.0.0.1:${server.address().port}${PREFIX}`;

// One browser at a time. WebGL on the CPU makes frames slow, so only its tests have it.
const FLAGS = {
  none: ["--disable-gpu", "--disable-software-rasterizer"],
  webgl: ["--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
};
let browser;
let graphics; // that it has
let usual; // the page of tests that need no other settings
async function launch(name) {
  if (graphics === name) return browser;
  await browser?.close();
  usual = undefined;
  graphics = name;
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  browser = await chromium.launch({ executablePath, args: ["--no-sandbox", ...FLAGS[name]] });
  return browser;
}

// ---- Pages ----

const problems = []; // errors on any console, and requests to other places
// Warnings of browsers without a GPU, and of all tests but one.
const USUAL = [
  "No available adapters",
  "Failed to create WebGPU Context Provider",
  "Service Worker registration blocked by Playwright",
];

afterEach(async () => {
  for (const context of browser?.contexts() ?? [])
    if (context !== usual?.context()) await context.close();
  assert.deepEqual(problems.splice(0), [], "on the console or the network");
});
after(async () => {
  await browser?.close();
  server.close();
  fs.rmSync(folder, { recursive: true });
});

async function open(
  hash,
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
  await page.goto(base + hash);
  return page;
}

const complete = (page) => page.waitForSelector("body[data-ready][data-map=complete]");
/** Opens an address in a page of its own, and waits for its map. */
async function opened(hash, settings) {
  const page = await open(hash, settings);
  await complete(page);
  return page;
}
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
  await launch("none");
  if (usual) await go(usual, hash);
  else usual = await opened(hash);
  return usual;
}
/** Waits until the address, which follows the page after a moment, matches. */
const addressed = (page, pattern) =>
  page.waitForURL(({ hash }) => pattern.test(decodeURIComponent(hash)));
/** Makes changes one after another, each of which the address follows. */
async function follows(page, changes) {
  for (const [change, address] of changes) {
    await change();
    await addressed(page, address);
  }
}
const text = (page, selector) => page.locator(selector).textContent();
const isShown = (page, selector) => page.locator(selector).isVisible();
const pixels = (page, id) => page.evaluate((each) => document.getElementById(each).toDataURL(), id);
const focused = (page) => page.evaluate(() => document.activeElement?.id);
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
/** Fills an input, and presses Enter in it. */
async function type(page, selector, value) {
  await page.fill(selector, value);
  await page.press(selector, "Enter");
}
const editor = (option) => `[data-option=${option}] input[type=text]`;
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
  return fs.readFileSync(await file.path());
}

// ---- The command ----

const read = (name) => fs.readFileSync(join(folder, name));
const write = (name, contents) => fs.writeFileSync(join(folder, name), contents);
const execute = (program, words, env) =>
  execFileSync(program, words, { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" });

/** Runs a command line of the page, and returns the file that it writes. */
function run(command) {
  const words = command.match(/'[^']*'|\S+/g).map((word) => word.replaceAll("'", ""));
  assert.equal(words.shift(), "perlane");
  execute(perlane, [...words, "-q"]);
  return read(words[words.indexOf("-o") + 1]);
}
/** The file that the exported command writes for what the map shows. */
async function commanded(page, name = "command") {
  await show(page, "export");
  await page.click("#size-shown");
  return run(await code(page, name));
}

/** Compares the map on the screen with a PNG, that of the exported command, pixel for pixel. */
async function samePicture(page, png) {
  const file = (png ?? (await commanded(page, "picture"))).toString("base64");
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
  }, `data:image/png;base64,${file}`);
  assert.equal(differ, 0, `pixels differ: ${page.url()}`);
}

// ---- Samples, pictures and files are the command's ----

const FAR = "at=1000000000000003,-999999999999997&step=1";
const PLACE = "#field=octaves=5+frequency=0.01+seed=99&at=123456789012345,-7&step=0.5";
const EXPRESSION = `#expression=${encodeURIComponent(`plains = octaves=3; peaks = seed=2 octaves=5   fractal=ridged # high
  mix(plains, peaks, smooth(-0.2, 0.4,  plains)) # at the end
    - 0.001*at(x + 9*plains, y, peaks)`)}&at=1234567,-7&step=0.5&low=-0.75&high=1`;

test("the saved samples are the command's; a larger file has them among others", async () => {
  let page, shown;
  for (const hash of [
    `#field=seed=18446744073709551615+octaves=8+frequency=0.01&${FAR}`,
    "#field=octaves=5+frequency=0.01+curve=-1:-0.5,0:0.1,1:1+terraces=9&at=12345,678&step=0.125",
    "#field=octaves=5+frequency=0.02&at=-40,99&step=0.5&z=12.25",
    "#field=octaves=4+frequency=0.01&at=1000000007,-12&step=0.5",
  ]) {
    page = await shared(hash);
    shown = await commanded(page);
    assert.ok(shown.length > 300000);
    assert.ok(shown.equals(await download(page, "raw32")), hash);
  }
  const [w, h] = await mapSize(page);
  const finer = await download(page, "raw32", [2 * w, 2 * h]);
  assert.ok(finer.equals(run(await code(page, "command"))), "the command's samples differ");
  for (let i = 0; i < w * h; i += 7) {
    const at = 4 * Math.floor(i / w) * w + 2 * (i % w);
    assert.equal(finer.readUInt32LE(4 * at), shown.readUInt32LE(4 * i));
  }
});

test("the picture is the command's", async () => {
  for (const look of [
    `octaves=6+frequency=0.02&${FAR}&style=flat&low=-0.7&high=0.6`,
    `octaves=6+frequency=0.02&${FAR}&light=30&altitude=25&palette=land`,
    `octaves=6+frequency=0.02&${FAR}&style=normals&relief=1.7`,
    // without slopes, and with one value
    "octaves=2+curve=-1:0.25,1:0.25&palette=viridis&relief=0.5",
    "octaves=2&low=0.5&high=0.5",
    "basis=white+frequency=0.05",
    "fractal=eroded+octaves=5&z=2.5&step=0.5",
  ])
    await samePicture(await shared(`#field=${look}`));
  await samePicture(await shared(EXPRESSION));
  const fine = await opened("#field=octaves=3", { width: 620, height: 300, deviceScaleFactor: 2 });
  const width = await fine.locator("#screen").evaluate((each) => each.clientWidth);
  assert.equal((await mapSize(fine))[0], 2 * width);
  await samePicture(fine);
});

test("a saved PNG and a raw file of 16 bits; sizes of engines; wrong sizes; Cancel", async () => {
  const page = await opened(EXPRESSION);
  await show(page, "export");
  write("saved.png", await download(page, "png"));
  execute(perlane, ["verify", "saved.png"]);
  await go(page, `#field=octaves=6+frequency=0.004&${FAR}&tab=export`);
  const size = [701, 333];
  write("saved.png", await download(page, "png", size));
  execute(perlane, ["verify", "saved.png"]);
  const expected = run("perlane fill -o again.r16 --params-of saved.png");
  assert.equal(expected.length, 2 * size[0] * size[1]);
  assert.ok(expected.equals(await download(page, "raw16", size)), "the raw file differs");
  const ids = ["#save-format", "#save-width", "#save-height"];
  for (const engine of ["Unreal png 1009 1009", "Unity raw 1025 1025", "Godot raw16 1024 1024"]) {
    const [name, ...values] = engine.split(" ");
    await page.click(`#save-sizes >> text=${name}`);
    assert.deepEqual(await Promise.all(ids.map((id) => page.inputValue(id))), values);
  }
  await page.fill("#save-low", await page.inputValue("#save-high"));
  await page.click("#save");
  assert.match(await text(page, "#save-message"), /Black and white must be two/);
  await page.fill("#save-width", "8193");
  await page.click("#save");
  assert.match(await text(page, "#save-message"), /8192/);
  await go(page, "#field=octaves=32&tab=export"); // the whole file would take minutes
  await page.selectOption("#save-format", "raw32");
  await page.click("#save-sizes >> text=8192²");
  await page.click("#save");
  await page.waitForFunction(() => document.getElementById("save-progress").value > 0);
  await page.click("#save-cancel");
  await page.locator("#save-message", { hasText: "Cancelled" }).waitFor();
});

// Each writes a program, and runs it.
const PROGRAMS = {
  c(source) {
    write("map.c", source);
    const link = [library, `-Wl,-rpath,${dirname(library)}`];
    execute("cc", ["-O2", "-Wall", "-Werror", `-I${root}include`, "-oprogram", "map.c", ...link]);
    execute(join(folder, "program"));
  },
  javascript(source) {
    fs.mkdirSync(join(folder, "node_modules"), { recursive: true });
    fs.rmSync(join(folder, "node_modules/perlane"), { force: true });
    fs.symlinkSync(package_, join(folder, "node_modules/perlane"));
    const store = `import { writeFileSync } from "node:fs";
writeFileSync("map.r32", new Uint8Array(values.buffer));`;
    write("map.mjs", `${source}\n${store}`);
    execute(process.execPath, ["map.mjs"]);
  },
  python(source) {
    write("map.py", `${source}\nvalue.astype("<f4").tofile("map.r32")\n`);
    const PYTHONPATH = join(root, "bindings/python");
    execute(python, ["-B", "map.py"], { PYTHONPATH, PERLANE_LIBRARY: library });
  },
};
test("the programs of a field, a slice and an expression", async () => {
  for (const hash of [PLACE, `${PLACE}&z=3.5`, EXPRESSION])
    for (const [language, execute] of Object.entries(PROGRAMS)) {
      const page = await shared(hash);
      const expected = await commanded(page);
      fs.rmSync(join(folder, "map.r32"));
      execute(await code(page, language));
      assert.ok(expected.equals(read("map.r32")), `${language} computes other samples: ${hash}`);
    }
});

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
    return [map, await code(page, "link"), await code(page, "text")];
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

test("a wrong link keeps the visitor's text; what cannot be computed says why", async () => {
  const page = await shared("#field=octaves=2");
  for (const part of ["expression=a = octaves=99; a", "field=octaves=99 gain=0.3"]) {
    await go(page, `#${encodeURI(part)}&at=5,7`);
    assert.match(await text(page, "#fault"), /octaves must be/);
    await page.focus("#map");
    await page.keyboard.press("ArrowRight");
    await addressed(page, new RegExp(`^#${part.replaceAll(" ", ".")}&at=69,7`));
  }
  await go(page, "#field=octavess=2");
  assert.match(await text(page, "#fault"), /did you mean octaves\?$/);
  await page.click("#random");
  await addressed(page, /^#field=(?!.*octavess)/);
  for (const hash of ["#field=frequency=1e300", "#field=warp_amplitude=1e38"]) {
    await go(page, hash);
    await page.locator("#map-notice").waitFor();
  }
  await go(page, "#at=9e18,-9e18&step=1024");
  await page.locator("#fault").waitFor();
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
  await page.locator(editor("octaves")).pressSequentially("7");
  await page.keyboard.press("Control+z");
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
  for (const before of [/&step=16$/, /&at=0,0&step=1$/]) {
    await page.goBack();
    await addressed(page, before);
  }
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
});

test("until the page has started, it shows only what is drawn, and keeps the part that is chosen", async () => {
  const wait = () => {
    const compile = WebAssembly.compileStreaming;
    WebAssembly.compileStreaming = async (answer) => {
      await new Promise((go) => (globalThis.go = go));
      return compile(answer);
    };
  };
  for (const hash of ["#tab=home", "#field=octaves=3&at=5,6"]) {
    const page = await open(hash, { init: wait });
    await page.waitForFunction(() => globalThis.go);
    const late =
      "#map, #relief, #probe, .toolbar button, #controls *, .strip button, #code-code, #badge *";
    assert.equal(await page.locator(late).filter({ visible: true }).count(), 0);
    assert.equal(await isShown(page, "#hero-title"), hash === "#tab=home");
    await page.click("#tab-how");
    await page.evaluate(() => globalThis.go());
    await page.waitForSelector(PARTS.how);
    await addressed(
      page,
      hash === "#tab=home" ? /tab=how$/ : /^#field=octaves=3&at=5,6&.*tab=how$/,
    );
  }
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
    const send = (type, apart) =>
      [-1, 1].forEach((side) => {
        const where = { pointerId: 12 + side, clientX: 200 + side * apart, clientY: 200 };
        map.dispatchEvent(new PointerEvent(type, { ...where, bubbles: true, button: 0 }));
      });
    send("pointerdown", 50);
    for (let d = 50; d <= 170; d += 10) send("pointermove", d);
    send("pointerup", 170);
  });
  await addressed(page, /&step=0.125$/);
});

test("the keyboard reaches every part; wrong values, Undo and Redo", async () => {
  const page = await shared("#field=octaves=2");
  const reach = async (id) => {
    for (let i = 0; i < 120 && (await focused(page)) !== id; i++) await page.keyboard.press("Tab");
    assert.equal(await focused(page), id);
  };
  await page.focus("#brand");
  await reach("map");
  const outline = () => getComputedStyle(document.activeElement).outlineStyle;
  assert.notEqual(await page.evaluate(outline), "none");
  const press = (key) => () => page.keyboard.press(key);
  await follows(page, [
    [press("ArrowRight"), /at=64,0&step=1$/],
    [press("-"), /at=32,0&step=2$/],
    [press("Home"), /at=0,0&step=1$/],
    [() => reach("random"), /at=0,0&step=1$/],
    [press("Enter"), /seed=/],
    [press("Control+z"), /^#field=octaves=2&at=0,0/],
    [press("Control+y"), /seed=/],
  ]);
  await type(page, editor("octaves"), "33");
  assert.match(await text(page, "[data-option=octaves] .error"), /octaves must be/);
  await type(page, editor("octaves"), "5");
  await addressed(page, /octaves=5/);
  assert.equal(await text(page, "[data-option=octaves] .error"), "");
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
async function fits(page, tab) {
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
  const source = fs.readFileSync(join(root, "page/node_modules/axe-core/axe.min.js"), "utf8");
  await page.evaluate((script) => window.axe ?? (0, eval)(script), source);
  const { violations } = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }));
  const found = violations.map(({ id, nodes }) => [id, nodes[0].html]);
  assert.deepEqual(found, [], tab);
}

/** Opens each part of a page for checks. */
async function everyPart(page, ...checks) {
  for (const tab of ["explore", "how", "export"]) {
    await show(page, tab);
    await unfold(page);
    for (const check of checks) await check(page, tab);
  }
}

const TOUCH = { width: 320, height: 640, hasTouch: true };

test("axe finds nothing, and nothing is too wide or too small on a narrow screen", async () => {
  await everyPart(await shared("#field=octaves=2"), axe);
  await everyPart(await opened("#field=octaves=2", { ...TOUCH, width: 768 }), fits);
  await everyPart(await opened("#field=octaves=2", TOUCH), fits, axe);
});
proof("axe finds nothing in the dark and in forced colours", async () => {
  await everyPart(await opened("#field=octaves=2", { colorScheme: "dark" }), axe);
  await everyPart(await opened("#field=octaves=2", { forcedColors: "active" }), axe);
});

test("a phone shows the map, its code, and below a sheet with the controls", async () => {
  const page = await opened("#field=octaves=2", TOUCH);
  const box = (id) => page.locator(id).boundingBox();
  for (const [octaves, least] of Object.entries({ 3: 300, 4: 100 })) {
    const [screen, strip, panel] = await Promise.all(["#screen", "#part-code", "#panel"].map(box));
    assert.ok(strip.y - screen.y > least, `${strip.y - screen.y} pixels of the map are seen`);
    assert.ok(strip.height > 80 && strip.y + strip.height <= panel.y);
    await page.locator("[data-option=octaves] [type=range]").fill(octaves);
    assert.match(await text(page, "#code-code"), new RegExp(`octaves=${octaves}'$`));
    assert.match(await code(page, "python", "code"), new RegExp(`octaves=${octaves}"`));
    await page.click("#code-command");
    await page.click("#sheet"); // opens it over a part of the map
  }
});

// ---- What is missing, late or refused ----

test("offline", async () => {
  const page = await opened("#field=octaves=2", { serviceWorkers: "allow" });
  await page.waitForFunction(() => navigator.serviceWorker.controller);
  await page.context().setOffline(true);
  await page.reload();
  await complete(page);
  for (const tab of ["how", "export"]) await show(page, tab);
  assert.equal(await isShown(page, "#fault"), false);
});

test("what cannot run says so in a sentence, and shows a picture", async () => {
  const refuse = () =>
    (WebAssembly.compileStreaming = () => Promise.reject(new WebAssembly.CompileError("Refused")));
  for (const [init, missing] of [
    [() => (WebAssembly.validate = () => false), /SIMD/],
    [() => delete globalThis.WebAssembly, /WebAssembly switched off/],
    [refuse, /policy forbids WebAssembly/],
  ]) {
    const page = await open("#field=octaves=2", { init, expect: ["was preloaded"] });
    await page.waitForSelector("#fault:not([hidden])");
    assert.match(await text(page, "#fault"), missing);
    const decoded = (image) => image.decode().then(() => image.width > 300);
    assert.ok(await page.locator(".still").evaluate(decoded));
    assert.equal(await page.locator("button:visible").count(), 0);
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
});

test("every page of the documentation is shown, fits a phone, and has links that lead somewhere", async () => {
  const page = await open("docs/index.html", { width: 390, height: 844 });
  const names = fs.readdirSync(join(site, "docs")).filter((name) => name.endsWith(".html"));
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
});

// ---- Tests of proof ----

proof("expressions are written on the page: examples, and errors at their place", async () => {
  const page = await opened("#field=octaves=2");
  await page.click("#mode-expression");
  assert.equal(await page.inputValue("#editor"), "hills = octaves=2\nhills");
  await addressed(page, /^#expression=f=octaves=2/);
  for (const example of await page.locator("#expression button").all()) {
    await example.click();
    await complete(page);
    assert.equal(await text(page, "#editor-error"), "");
    assert.equal(await isShown(page, "#fault"), false);
  }
  await addressed(page, /^#expression=flow/);
  const shown = page.url();
  for (const wrong of [
    "a = octaves=99\na ~ octaves=99",
    "1 + hill*2 ~ hill",
    "2*(x + 1 ~ 1",
    "x + *2 ~ *",
  ]) {
    const [written, place] = wrong.split(" ~ ");
    await page.fill("#editor", written);
    assert.match(await text(page, "#editor-error"), /\S/);
    assert.equal(await text(page, "#mark mark"), place);
    assert.equal(page.url(), shown);
  }
  await page.fill("#editor", "a = octaves=3 # comment\n2*a");
  assert.equal(await text(page, "#editor-error"), "");
  await addressed(page, /^#expression=a=octaves=3;2\*a/);
  await page.click("#mode-field");
  await addressed(page, /^#field=octaves=2/);
  const fields = ["#essentials", "#all-options", "#tile", "#reset-all"]; // controls of one field
  const seen = () => Promise.all(["#expression", ...fields].map((each) => isShown(page, each)));
  await go(page, EXPRESSION);
  assert.match(await page.inputValue("#editor"), /fractal=ridged\nmix\(plains/);
  assert.deepEqual(await seen(), [true, false, false, false, false]);
  assert.ok(await page.isDisabled("#random"));
  await page.click("#mode-field");
  await addressed(page, /^#field=/);
  await start(page, "island");
  await addressed(page, /valleys=/);
  assert.deepEqual(await seen(), [false, true, true, true, true]);
  for (let i = 0; i < 2; i++) await page.click("#undo");
  await addressed(page, /#expression=plains/);
  // Without ends, its colours are for what is seen.
  await go(page, "#expression=0.001*x+%2B+y&at=5000,70&step=1");
  const [low, high] = await Promise.all(["#low", "#high"].map((id) => page.inputValue(id)));
  assert.ok(low < 75 && high > 75 && high - low > 100 && high - low < 1000, `${low} ${high}`);
  await go(page, "#expression=sqrt(-1+-+x*x)"); // has no bounds, and no values
});

proof("starts are looks, as the command draws them", async () => {
  const page = await shared("#field=octaves=2&style=normals&rise=3");
  const drawn = () =>
    [...document.querySelectorAll("[data-start] canvas")].every(({ width }) => width === 96);
  await page.waitForFunction(drawn);
  const names = await page.$$eval("[data-start]", (all) => all.map((each) => each.dataset.start));
  const looks = execute(perlane, ["looks"]).match(/^\S+/gm);
  assert.deepEqual(names, ["noise", "cells", ...looks]);
  const size = (await mapSize(page)).join("x");
  for (const name of looks) {
    await show(page, "explore");
    await start(page, name);
    await samePicture(page, run(`perlane fill -o map.png --look ${name} --size ${size}`));
    const samples = run(`perlane fill -o look.r32 --look ${name} --size ${size}`);
    assert.ok((await commanded(page)).equals(samples), `${name}: samples differ`);
  }
});

// What is typed into an option of a kind.
const VALUES = { curve: "-1:0,1:1", axes: "4,4,0,0", real: "0.75", integer: "3", seed: "3" };
proof("every control once", async () => {
  const page = await shared("#field=octaves=2");
  await unfold(page);
  const names = await page.$$eval("[data-option]", (all) => all.map((each) => each.dataset.option));
  assert.ok(names.length > 30, `${names.length} controls`);
  const each = async (select) => {
    const values = await select.evaluate(({ options }) => [...options].map(({ value }) => value));
    for (const value of values) await select.selectOption(value);
  };
  for (const name of names) {
    await page.click("#reset-all");
    const control = page.locator(`[data-option=${name}]`);
    const part = (selector) => control.locator(selector);
    if (await part("[type=checkbox]").count()) await part("[type=checkbox]").click();
    else if (await part("select").count()) await each(part("select"));
    else {
      if (await part("[type=range]").count()) await part("[type=range]").press("ArrowRight");
      await type(page, editor(name), VALUES[(await control.getAttribute("class")).split(" ")[1]]);
    }
    if (await part(".error").textContent()) continue;
    await part(".reset").click(); // which is seen where the value changed
    assert.ok(!(await part(".reset").isVisible()), `${name} was not reset`);
  }
  for (const id of ["#style", "#palette"]) await each(page.locator(id));
  const flat = await pixels(page, "map");
  await follows(page, [
    [() => page.click("#fit"), /&low=-0\.\d+&high=0\.\d+/],
    [() => page.click("#unfit"), /^(?!.*&low)/],
    [() => type(page, "#low", "-0.5"), /&low=-0.5$/],
    [() => page.locator("#strength").press("ArrowRight"), /&low=-0.5&relief=1.1$/],
    [() => type(page, "#go-x", "1e15"), /&at=1000000000000000,0/],
    [() => page.click("#home"), /&at=0,0/],
    [() => page.check("#slice"), /&z=0&/],
    [() => page.fill("#slice-z", "100"), /&at=0,0&.*&z=100&/],
  ]);
  await complete(page);
  assert.notEqual(await pixels(page, "map"), flat);
  assert.equal(await isShown(page, "#fault"), false);
});

proof("Tile makes plain noise, cells, and land repeat, and saves one tile", async () => {
  const page = await opened("#field=octaves=2");
  const size = 2 ** Math.floor(Math.log2(Math.min(...(await mapSize(page)))));
  for (const name of ["noise", "cracked-earth", "marble", "archipelago"]) {
    await start(page, name);
    await page.check("#tile");
    await addressed(page, /period=([3-9]|\d\d)/); // three cells and more
    await complete(page);
    await show(page, "export");
    await page.check("#area-tile");
    const saved = await download(page, "raw32");
    assert.equal(saved.length, 4 * size * size);
    const command = await code(page, "command");
    assert.ok(saved.equals(run(command)), `${name}: the command's samples differ`);
    for (const next of [`${size},0`, `0,${size}`]) {
      const beside = run(command.replace("--first=0,0", `--first=${next}`));
      for (let i = 0; i < saved.length; i += 4) {
        const apart = Math.abs(beside.readFloatLE(i) - saved.readFloatLE(i)); // the warp rounds
        assert.ok(apart < 1e-5, `${name}: a seam of ${apart} at ${i / 4}`);
      }
    }
    await show(page, "explore");
    await page.uncheck("#tile");
    await addressed(page, /^(?!.*period).*field=/);
  }
});

proof("the code beside the map: languages are tabs, and are copied; plain starts", async () => {
  const permissions = ["clipboard-read", "clipboard-write"];
  const page = await opened("#field=octaves=2", { width: 1000, height: 600, permissions });
  const pasted = () => page.evaluate(() => navigator.clipboard.readText());
  await page.click("#share");
  await page.waitForSelector("#share[data-said=Copied]");
  assert.equal(await pasted(), page.url());
  await page.focus("#code-command");
  for (const name of ["c", "python", "javascript"]) {
    await page.keyboard.press("ArrowRight");
    assert.equal(await focused(page), `code-${name}`);
    await page.click("#code-copy");
    await page.waitForSelector("#code-copy[data-said=Copied]");
    assert.equal(await pasted(), await text(page, "#code-code"));
    await page.focus(`#code-${name}`);
  }
  assert.equal(await page.getAttribute("#single .control", "data-option"), "basis");
  await page.click("#code-command");
  await start(page, "noise");
  assert.match(await text(page, "#code-code"), /--field 'frequency=0.03'$/);
  await start(page, "cells");
  assert.match(await text(page, "#code-code"), /--field 'frequency=0.03 basis=cellular'$/);
  assert.ok(run(await text(page, "#code-code")).equals(await commanded(page)));
});

proof("how it works: what is changed is drawn, and the numbers of a point add up", async () => {
  const page = await shared("#tab=how");
  await page.waitForSelector(PARTS.how);
  const parameters = ["octaves", "gain", "frequency", "lacunarity"].map(
    (each) => `parameter-${each}`,
  );
  for (const id of [...parameters, "lattice-angle", "lattice-length"]) {
    const canvases = id[0] === "p" ? ["parameters-curve", "parameters-picture"] : ["lattice"];
    const before = await Promise.all(canvases.map((each) => pixels(page, each)));
    await page.locator(`#${id}`).press("ArrowLeft");
    for (const [i, each] of canvases.entries())
      assert.notEqual(await pixels(page, each), before[i], `${id}: ${each}`);
  }
  await page.locator("#sample-x").fill("3.55");
  await page.locator("#sample-y").fill("2.4");
  const rows = await page.$$eval("#sums tr", (all) =>
    all.map((row) => [...row.querySelectorAll("td")].map((each) => each.textContent)),
  );
  assert.equal(rows[4].at(-1), rows[5].at(-1));
  for (const row of rows.slice(0, 4)) {
    const numbers = row.map((each) => each.replaceAll("−", "-").split(", ").map(Number));
    const [gradient, way, [dot], [weight], [part]] = numbers;
    assert.ok(Math.abs(gradient[0] * way[0] + gradient[1] * way[1] - dot) < 0.02);
    assert.ok(Math.abs(dot * weight - part) < 0.002);
  }
  assert.match(await text(page, "#cell-proof"), /at most [\d.]+e-[6-9]/);
});

proof("how it works: a finger drags the point, and does not scroll the page", async () => {
  const page = await open("#tab=how", TOUCH);
  await page.waitForSelector(PARTS.how);
  const box = await page.locator("#lattice").boundingBox();
  const touch = await page.context().newCDPSession(page);
  const [x, y] = [box.x + (2.8 / 7) * box.width, box.y + (2.12 / 5) * box.height];
  const send = (kind, points) =>
    touch.send("Input.dispatchTouchEvent", { type: kind, touchPoints: points });
  await send("touchStart", [{ x, y }]);
  for (let i = 1; i <= 5; i++) await send("touchMove", [{ x, y: y - 8 * i }]);
  await send("touchEnd", []);
  await page.waitForFunction(() => document.getElementById("sample-y").value < 1.62 - 0.3);
  assert.equal(await page.locator("#part-how").evaluate((each) => each.scrollTop), 0);
});

const WEBGL = { graphics: "webgl" };

proof("the first part: a look as a relief, the digest, and the speed", async () => {
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
  assert.equal(await focused(page), "map");
  await complete(page);
  const size = (await mapSize(page)).join("x");
  const look = run(`perlane fill -o first.r32 --look mountains --size ${size}`);
  assert.ok(look.equals(await commanded(page)), "the first map is not the look");
  await page.click("#brand");
  const digests = page.locator("#badge code");
  await digests.first().waitFor();
  const [, expected] = /expected (0x\w+)/.exec(execute(perlane, ["info"]));
  assert.deepEqual(await digests.allTextContents(), [expected, expected]);
  assert.match(await text(page, "#badge"), /✓/);
  await page.click("#measure");
  await page.locator("#speed", { hasText: /best of 5|Not measured/ }).waitFor();
  const rows = await page.locator("#speed tr").allTextContents();
  assert.deepEqual(
    rows.map((row) => row.replace(/[\d.,]+ ms$/, "MS").replace(/\d+ thread/, "N thread")),
    ["perlane, N threadsMS", "perlane, one threadMS", "simplex-noise 4 in a loop, one threadMS"],
  );
  const motion = { width: 300, height: 200, reducedMotion: "no-preference", ...WEBGL };
  const moving = await open("#tab=home", motion);
  await moving.waitForFunction(() => Number(document.body.dataset.drift) > 0);
});

proof("relief: height and water are drawn, keys turn it, and the map returns", async () => {
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
});

proof("a phone: home and relief", async () => {
  for (const hash of ["#tab=home", "#tab=explore&view=relief"]) {
    const page = await open(hash, { ...TOUCH, ...WEBGL });
    await page.waitForSelector("body[data-relief]");
    const drawn = () =>
      [...document.querySelectorAll(".looks canvas")].every(({ width }) => width === 96);
    await page.waitForFunction(drawn);
    await unfold(page);
    await fits(page, hash);
    await axe(page, hash);
  }
});
