// SPDX-License-Identifier: MIT
//
// The parts of the page, and which of them an address opens.

export const TABS = ["home", "explore", "how", "export"];

export function tabOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, "")).get("tab");
  return TABS.includes(given) ? given : hash.length > 1 ? "explore" : "home";
}

/**
 * Makes the links to parts keep what the address shows, as they must until the page has started;
 * then `#tab=how` keeps the map.
 */
export function linkTabs(hash) {
  const map = hash.replace(/^#|&?tab=\w*/g, "");
  for (const link of document.querySelectorAll("a[data-tab]"))
    link.hash = `${map && `${map}&`}tab=${link.dataset.tab}`;
}
