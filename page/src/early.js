// SPDX-License-Identifier: MIT
//
// Starts the workers before anything else: a worker takes as long to start as the rest of the page
// to load. The page runs this module first, by itself; what it shows until then is that part.

import { linkTabs, tabOf } from "./tab.js";

document.body.dataset.tab = tabOf(location.hash);
linkTabs(location.hash);

const count = Math.max(1, Math.min(navigator.hardwareConcurrency || 2, 8));

export const workers =
  typeof Worker === "function"
    ? Array.from(
        { length: count },
        () => new Worker(new URL("worker.js", import.meta.url), { type: "module" }),
      )
    : [];
