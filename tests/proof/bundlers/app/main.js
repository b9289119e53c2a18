// Both entries in a page, and one in its worker.
import { init, noise2D, selftest } from "perlane";
import * as sync from "perlane/sync";

const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
const inWorker = new Promise((resolve, reject) => {
  worker.onmessage = ({ data }) => resolve(data);
  worker.onerror = () => reject(new Error("the worker does not start"));
});

async function main() {
  await init();
  if (noise2D("seed=7")(1.5, 2.5) !== sync.noise2D("seed=7")(1.5, 2.5)) return "the entries differ";
  return [selftest().ok, sync.selftest().ok, await inWorker].join();
}
main()
  .catch(String)
  .then((result) => (document.documentElement.dataset.result = result));
