// SPDX-License-Identifier: MIT
//
// Colours in code: comments, strings, numbers and words of the language.

import { h } from "./dom.js";

const WORDS = {
  c: "char|const|double|float|if|int|return|sizeof|static|void|include",
  python: "import|as|print|def|return",
  javascript: "import|from|await|const|new",
};
const COMMENT = {
  c: "/\\*[^]*?\\*/",
  javascript: "//.*",
  python: "#.*",
  command: "(?!)",
  picture: "(?!)",
};

/** Returns a code's parts, as texts and elements. */
export function highlight(text, language) {
  if (!(language in COMMENT)) return [text];
  const words = WORDS[language]
    ? `\\b(?:${WORDS[language]})\\b`
    : "\\bperlane fill\\b|(?<= )-{1,2}[a-z]+";
  const pattern = new RegExp(
    `(?<comment>${COMMENT[language]})|(?<string>"[^"]*"|'[^']*')|(?<word>${words})|(?<number>-?\\b\\d[\\d.]*(?:e-?\\d+)?n?\\b)`,
    "g",
  );
  const parts = [];
  let at = 0;
  for (const match of text.matchAll(pattern)) {
    const kind = Object.keys(match.groups).find((name) => match.groups[name] !== undefined);
    parts.push(text.slice(at, match.index), h("span", { class: `code-${kind}` }, match[0]));
    at = match.index + match[0].length;
  }
  return [...parts, text.slice(at)];
}
