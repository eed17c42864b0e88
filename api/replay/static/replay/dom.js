// Creation of elements by tag. Null and false children are left out; an attribute with the value true has no value.

/** @typedef {Record<string, any>} Attributes a name that begins with "on" is a listener */
/** @typedef {Node | string | null | undefined | false} SingleChild */
/** @typedef {SingleChild | readonly Child[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/** A flat list of children, without null and false. @type {(children: Child[]) => (Node | string)[]} */
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
 * An HTML element.
 * @template {keyof HTMLElementTagNameMap} T @param {T} tag @param {Attributes | null} attributes @param {...Child} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export const el = (tag, attributes, ...children) => filled(document.createElement(tag), attributes, children);

/**
 * An SVG element.
 * @template {keyof SVGElementTagNameMap} T @param {T} tag @param {Attributes | null} attributes @param {...Child} children
 * @returns {SVGElementTagNameMap[T]}
 */
export const svg = (tag, attributes, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);
