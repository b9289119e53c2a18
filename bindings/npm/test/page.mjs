// SPDX-License-Identifier: MIT
//
// Opens the page of a folder in a browser, and prints what it shows; then fills a grid on a GPU with the
// package that is installed in the folder, and prints how that went: page.mjs FOLDER BROWSER.

import { chromium } from "../../../page/node_modules/playwright-core/index.mjs";
import { serve } from "../../../page/serve.js";

const [folder, executablePath] = process.argv.slice(2);
const args = ["--no-sandbox", "--use-webgpu-adapter=swiftshader", "--enable-unsafe-webgpu"];
const [server, browser] = [await serve(folder), await chromium.launch({ executablePath, args })];
const page = await browser.newPage();
page.setDefaultTimeout(600000);
await page.goto(`http://127.0.0.1:${server.address().port}/`);
await page.waitForFunction(() => document.body.textContent.trim());
console.log(await page.textContent("body"));

/** The number of samples that differ from those of WebAssembly, or an error; fault: of a wrong shader. */
const fill = (fault) =>
  page.evaluate(async (wrong) => {
    const { field, ...rest } = await import("/node_modules/perlane/sync.js");
    const { openWebGPU } = await import("/node_modules/perlane/webgpu.js");
    const device = await (await navigator.gpu?.requestAdapter())?.requestDevice();
    if (!device) return "not run: WebGPU: the browser has no adapter";
    const create = device.createShaderModule.bind(device);
    if (wrong)
      device.createShaderModule = ({ code }) =>
        create({ code: code.replace("+ perlane_words[7]", "+ 1u") });
    const [noise, grid] = [field("octaves=5 frequency=0.02"), { size: [256, 256] }];
    const bits = (values) => new Uint32Array(values.buffer);
    try {
      const shader = bits(await (await openWebGPU(device, rest)).fill(noise, grid));
      const expected = bits(noise.fill(grid));
      return `on a GPU ${shader.filter((word, i) => word !== expected[i]).length} samples differ`;
    } catch (error) {
      return error.message;
    }
  }, fault);
console.log(await fill(false));
console.log(await fill(true));
await browser.close();
server.close();
