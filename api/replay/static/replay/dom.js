// Creation of elements by tag. Null and false children are left out; an attribute with the value true has no value.

/** @typedef {Record<string, any>} Attributes a name that begins with "on" is a listener */
/** @typedef {Node | string | null | undefined | false} SingleChild */
/** @typedef {SingleChild | readonly Child[]} Child */

const SVG = "http://www.w3.org/2000/svg";

/** A flat list of children, without null and false. @type {(children: Child[]) => (Node | string)[]} */
export const leavesOf = (children) =>
  /** @type {any[]} */ (children).flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false);

const CONTAINERS = ["SECTION", "UL", "OL", "DIV"];

/** Whether one element takes the place of another, so that only what differs inside is drawn again. @type {(old: Node, now: Node) => boolean} */
const isSamePlace = (old, now) =>
  old instanceof HTMLElement && now instanceof HTMLElement && CONTAINERS.includes(now.tagName) && old.tagName === now.tagName && old.dataset.seat === now.dataset.seat;

/** @type {(node: Element, of: Element) => void} */
const takeAttributes = (node, of) => {
  for (const { name } of [...node.attributes]) if (!of.hasAttribute(name)) node.removeAttribute(name);
  for (const { name, value } of [...of.attributes]) if (node.getAttribute(name) !== value) node.setAttribute(name, value);
};

/** Takes out of `pool` what may stay for an element; the element itself if there is nothing. @type {(pool: ChildNode[], now: Node) => Node} */
const kept = (pool, now) => {
  const equal = pool.findIndex((old) => old.isEqualNode(now));
  if (equal >= 0) return pool.splice(equal, 1)[0];
  const same = pool.findIndex((old) => isSamePlace(old, now));
  if (same < 0) return now;
  const [old] = /** @type {HTMLElement[]} */ (pool.splice(same, 1));
  takeAttributes(old, /** @type {HTMLElement} */ (now));
  renew(old, [...now.childNodes]);
  return old;
};

/**
 * Gives an element these children; those that are equal already stay, since drawings are dear to draw again. For elements without listeners.
 * @type {(node: Element, children: Node[]) => void}
 */
export const renew = (node, children) => {
  const pool = [...node.childNodes];
  const next = children.map((now) => kept(pool, now));
  for (const gone of pool) gone.remove();
  next.forEach((one, index) => { if (node.childNodes[index] !== one) node.insertBefore(one, node.childNodes[index] ?? null); });
};

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
