// Elements by their tag: what is null or false is left out; an attribute that is true is there.

/** @typedef {Record<string, any>} Attributes one that begins with "on" is a listener */
/** @typedef {Node | string | null | undefined | false} SingleChild */
/** @typedef {SingleChild | readonly Child[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/** What there is of children, one after another. @type {(children: Child[]) => (Node | string)[]} */
export const leavesOf = (children) =>
  /** @type {any[]} */ (children).flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

/**
 * @template {Element} E @param {E} node @param {Attributes | null} attributes @param {Child[]} children @returns {E}
 */
const filled = (node, attributes, children) => {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...leavesOf(children));
  return node;
};

/**
 * An element.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Attributes | null} attributes @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * An element of a drawing.
 * @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Attributes | null} attributes @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
