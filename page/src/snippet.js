// SPDX-License-Identifier: MIT
//
// A text in several languages, one of which is shown: tabs, a button that copies, and the text.

import { h } from "./dom.js";
import { highlight } from "./highlight.js";
import { copyFrom } from "./toolbar.js";

const TITLES = {
  command: "Command",
  picture: "Picture",
  c: "C",
  python: "Python",
  javascript: "JavaScript",
  text: "Text",
  link: "Link",
};

/** Returns { element, show }; textOf(name) is the text in a language. Ids begin with `stem`. */
export function makeSnippet(stem, label, names, textOf) {
  let chosen = names[0];
  const block = h("pre", {
    id: `${stem}-code`,
    role: "tabpanel",
    tabindex: "0",
    "aria-labelledby": `${stem}-${chosen}`,
  });
  const tabs = names.map((name) =>
    h(
      "button",
      {
        type: "button",
        role: "tab",
        id: `${stem}-${name}`,
        "aria-controls": block.id,
        click: () => choose(name),
      },
      TITLES[name],
    ),
  );
  const copy = h(
    "button",
    {
      type: "button",
      id: `${stem}-copy`,
      click: async ({ currentTarget }) => {
        if (!(await copyFrom(currentTarget, block.textContent)))
          getSelection().selectAllChildren(block);
      },
    },
    "Copy",
  );
  const keydown = (event) => {
    const way = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (!way) return;
    choose(names[(names.indexOf(chosen) + way + names.length) % names.length]);
    document.getElementById(`${stem}-${chosen}`).focus();
  };

  function choose(name) {
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
    if (block.textContent !== text) block.replaceChildren(...highlight(text, chosen));
  }
  const element = h(
    "div",
    { class: "snippet", id: stem },
    h(
      "div",
      { class: "line" },
      h("div", { role: "tablist", "aria-label": label, keydown }, tabs),
      copy,
    ),
    block,
  );
  return { element, choose: () => choose(chosen), show };
}
