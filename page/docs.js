// SPDX-License-Identifier: MIT
//
// Writes the repository's documentation as pages beside the page. page/build runs it:
// docs.js REPOSITORY FOLDER.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve } from "node:path";

import { Marked } from "marked";

const [repository, folder] = process.argv.slice(2).map((path) => resolve(path));

// Sources and their pages; links between them become links between pages.
const pages = new Map([
  ["README.md", "readme.html"],
  ["bindings/npm/README.md", "javascript.html"],
  ["examples/README.md", "examples.html"],
  ["page/README.md", "page.html"],
]);
for (const file of readdirSync(join(repository, "docs"), { recursive: true }).filter((name) =>
  name.endsWith(".md"),
))
  pages.set(
    `docs/${file}`,
    file === "README.md" ? "index.html" : file.replaceAll("/", "-").replace(/\.md$/, ".html"),
  );
const copies = new Map([
  ["include/perlane.h", "perlane.h.txt"],
  ["docs/perlane.1", "perlane.1.txt"],
  ["LICENSE", "LICENSE.txt"],
]);

const plain = (html) => html.replace(/<[^>]*>/g, "").replace(/&[^;]+;/g, "");
const slug = (html) =>
  plain(html)
    .toLowerCase()
    .replace(/[^\w\- ]/g, "")
    .replaceAll(" ", "-");

/** Where a link of a source leads on the site; nothing if there is no such place. */
function target(source, href) {
  if (/^(https?:|#)/.test(href)) return href;
  const [path, anchor] = href.split("#");
  const file = relative(repository, resolve(repository, dirname(source), path));
  const page =
    pages.get(file) ??
    copies.get(file) ??
    (file.startsWith("docs/images/") && existsSync(join(repository, file))
      ? file.slice(5)
      : undefined);
  return page && (anchor ? `${page}#${anchor}` : page);
}

function render(source) {
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth }) {
        const text = this.parser.parseInline(tokens);
        return `<h${depth} id="${slug(text)}">${text}</h${depth}>\n`;
      },
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        const to = target(source, href);
        return to ? `<a href="${to}">${text}</a>` : text;
      },
      image: ({ href, text }) =>
        `<img src="${target(source, href) ?? ""}" alt="${text.replaceAll('"', "&quot;")}" loading="lazy">`,
      code: ({ text }) =>
        `<pre tabindex="0"><code>${text.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</code></pre>\n`,
    },
  });
  const body = marked
    .parse(readFileSync(join(repository, source), "utf8"))
    .replaceAll(
      "<table>",
      '<div class="table" role="region" aria-label="Table" tabindex="0"><table>',
    )
    .replaceAll("</table>", "</table></div>");
  const title = plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(body)?.[1] ?? "perlane");
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="dark light">
<title>${title === "perlane" ? title : `${title}: perlane`}</title>
<link rel="icon" href="../favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="../style.css">
</head>
<body class="docs">
<header class="top"><p class="brand"><a href="../">perlane</a></p><nav aria-label="Documentation"><a href="index.html">All pages</a> <a href="readme.html">Readme</a></nav></header>
<main class="prose">
${body}</main>
</body>
</html>
`;
}

mkdirSync(folder, { recursive: true });
for (const [source, page] of pages) writeFileSync(join(folder, page), render(source));
for (const [source, copy] of copies) cpSync(join(repository, source), join(folder, copy));
cpSync(join(repository, "docs/images"), join(folder, "images"), { recursive: true });
