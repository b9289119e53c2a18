// SPDX-License-Identifier: MIT
//
// The parts of the page, and which of them an address opens.

export const TABS = ["home", "explore", "relief", "how", "export"];

export function tabOf(hash) {
  const given = new URLSearchParams(hash.replace(/^#/, "")).get("tab");
  return TABS.includes(given) ? given : hash.length > 1 ? "explore" : "home";
}
