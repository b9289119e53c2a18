// A bundler that does not copy the module.
import { init, selftest } from "perlane";

init().then(
  () => (document.documentElement.dataset.result = String(selftest().ok)),
  (error) => (document.documentElement.dataset.result = String(error)),
);
