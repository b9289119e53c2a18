// SPDX-License-Identifier: MIT
//
// What the map is of: a field, or an expression of several fields. Both are one text: that of an
// expression begins with a word that no field's text has.

const MARK = "expression=";

/** Returns the text of an expression as that of a map. */
export const marked = (text) => MARK + text;

export const isExpression = (text) => text.startsWith(MARK);

/** The expression of a map's text; nothing if it is a field. */
export const expressionOf = (text) => (isExpression(text) ? text.slice(MARK.length) : undefined);

/** Makes what a text is of. */
export function makeField(perlane, text) {
  const expression = expressionOf(text);
  return expression === undefined ? perlane.field(text) : new perlane.Expression(expression);
}

/** The one text from which makeField makes the same field. */
export const textOf = (perlane, field) =>
  field instanceof perlane.Expression ? marked(field.text) : field.text;

/** A word for the names of files of a field that a text makes. */
export const nameOf = (field, text) => (isExpression(text) ? "expression" : field.get("seed"));

/** Bounds of a field's values; -1 and 1 if it has none. */
export function boundsOf(field, dims) {
  const range = field.range(dims);
  return range.every(Number.isFinite) ? range : [-1, 1];
}
