// All entries in a page, and two in its worker.
import { init, noise2D, selftest } from "perlane";
import * as small from "perlane/noise";
import * as sync from "perlane/sync";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = () => reject(new Error("the worker does not start"));
});

async function main() {
  await init();
  const values = [noise2D, sync.noise2D, small.noise2D].map((make) => make("seed=7")(1.5, 2.5));
  if (new Set(values).size > 1) return `the entries differ: ${values}`;
  return [selftest().ok, sync.selftest().ok, await inWorker].join();
}
main()
  .catch(String)
  .then((result) => (document.documentElement.dataset.result = result));
