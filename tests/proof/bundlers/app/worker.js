import { init, selftest } from "perlane";
import * as sync from "perlane/sync";

init().then(
  () => postMessage(selftest().ok && sync.selftest().ok),
  (error) => postMessage(String(error)),
);
