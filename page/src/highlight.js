// SPDX-License-Identifier: MIT
//
// Colours in code: comments, strings, words of the languages and numbers.

import { h } from "./dom.js";

const PARTS = new RegExp(
  [
    "(?<comment>/\\*[^]*?\\*/|//.*|^# .*)",
    "(?<string>\"[^\"]*\"|'[^']*')",
    "(?<word>\\b(?:perlane fill|char|const|double|float|if|int|return|sizeof|static|include|import|as|print|from|await|new)\\b|(?<= )-{1,2}[a-z]+)",
    "(?<number>-?\\b\\d[\\d.]*(?:e-?\\d+)?n?\\b)",
  ].join("|"),
  "gm",
);

/** Returns a code's parts, as texts and elements. */
export function highlight(text) {
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(PARTS)) {
    const [kind] = Object.entries(match.groups).find(([, part]) => part !== undefined);
    parts.push(text.slice(at, match.index), h("span", { class: `code-${kind}` }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)];
}
