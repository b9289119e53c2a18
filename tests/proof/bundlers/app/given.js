// A bundler that returns addresses of files.
import { init, selftest } from "perlane";
import address from "perlane/perlane.wasm";

init(fetch(address)).then(
  () => (document.documentElement.dataset.result = String(selftest().ok)),
  (error) => (document.documentElement.dataset.result = String(error)),
);
