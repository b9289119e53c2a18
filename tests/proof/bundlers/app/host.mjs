// All entries outside of a page: prints, or returns, what they compute.
import * as perlane from "perlane";
import * as small from "perlane/noise";
import * as sync from "perlane/sync";

export async function result() {
  await perlane.init();
  const values = [perlane, sync, small].map(({ noise2D }) => noise2D("seed=7")(1.5, 2.5));
  return [perlane.selftest().ok, sync.selftest().ok, new Set(values).size === 1].join();
}
