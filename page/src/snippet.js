// SPDX-License-Identifier: MIT
//
// A text in several languages, one of which is shown: tabs, a button that copies, and the text.

import { button, copyFrom, h, onKeys } from "./dom.js";
import { highlight } from "./highlight.js";

const TITLES = {
  command: "Command",
  picture: "Picture",
  c: "C",
  python: "Python",
  javascript: "JavaScript",
  text: "Text",
  link: "Link",
};

const PLAIN = ["text", "link"]; // have no words of a language

/** Returns { element, choose, show }; textOf(name) is the text in a language. Ids begin with `stem`. */
export function makeSnippet(stem, label, names, textOf) {
  let chosen = names[0];
  const block = h("pre", { id: `${stem}-code`, role: "tabpanel", tabindex: "0" });
  const tabs = names.map((name) =>
    button(TITLES[name], () => choose(name), {
      role: "tab",
      id: `${stem}-${name}`,
      "aria-controls": block.id,
    }),
  );
  async function copy({ currentTarget }) {
    if (!(await copyFrom(currentTarget, block.textContent)))
      getSelection().selectAllChildren(block);
  }
  const list = h("div", { role: "tablist", "aria-label": label }, tabs);
  const move = (way) => () => {
    choose(names.at((names.indexOf(chosen) + way) % names.length));
    tabs[names.indexOf(chosen)].focus();
  };
  onKeys(list, { ArrowLeft: move(-1), ArrowRight: move(1) });

  function choose(name = chosen) {
    chosen = name;
    tabs.forEach((tab, i) => {
      tab.setAttribute("aria-selected", String(names[i] === name));
      tab.tabIndex = names[i] === name ? 0 : -1;
    });
    block.setAttribute("aria-labelledby", `${stem}-${name}`);
    show();
  }

  function show() {
    const text = textOf(chosen);
    if (block.textContent !== text)
      block.replaceChildren(...(PLAIN.includes(chosen) ? [text] : highlight(text)));
  }
  const line = h("div", { class: "line" }, list, button("Copy", copy, { id: `${stem}-copy` }));
  return { element: h("div", { class: "snippet", id: stem }, line, block), choose, show };
}
