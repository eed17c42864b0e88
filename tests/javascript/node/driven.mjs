// The tablet of a running service, without a browser: its whole program draws a page, in which a test finds elements, taps them
// and reads them as with the driver of a browser. Nothing is laid out or painted: what is hidden by a style sheet is there.
import { openPage } from "./page.mjs";
import { site } from "./site.mjs";

const PATIENCE_MS = 10_000;
/** The page waits for this part of a time only: until it looks again, until a finger has been held for long. */
const PART = 1 / 10;
const { setTimeout } = globalThis;
globalThis.setTimeout = (run, ms = 0, ...given) => setTimeout(run, ms * PART, ...given);
/** Errors of the page since it was last left. @type {string[]} */
const complaints = [];

const rest = (ms = 0) => new Promise((done) => setTimeout(done, ms));
const unspaced = (text) => text.replace(/\s+/g, " ").trim();

/** What jsdom lacks. */
const complete = (window) => {
  window.matchMedia = globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} });
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  window.HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  Object.defineProperty(window.HTMLLinkElement.prototype, "onload", { set: (loaded) => setTimeout(loaded) });
  window.addEventListener("error", ({ error, message }) => complaints.push(String(error?.stack ?? message)));
};

/** Opens the tablet as a person who has this cookie. */
export const visit = async (address, cookie, path) => {
  Object.assign(site, { address, cookie });
  const answer = await fetch(path);
  complete(openPage(await answer.text(), `${address}${path}`));
  console.error = (...said) => complaints.push(said.join(" "));
  await import("/static/tablet/main.js");
};

/** Goes to a view. */
export const go = (view) => {
  location.hash = view;
};

/** What went wrong since this was last asked. */
export const wrong = () => complaints.splice(0);

const isHidden = (one) => {
  if (one.closest("[hidden], dialog:not([open])")) return true;
  const folded = one.closest("details:not([open])");
  return Boolean(folded && one !== folded && !one.closest("summary"));
};

/** Text of an element as it is read out. */
const nameOf = (node) => {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType !== Node.ELEMENT_NODE || node.getAttribute("aria-hidden") === "true") return "";
  return node.getAttribute("aria-label") ?? [...node.childNodes].map(nameOf).join("");
};

const ROLES = { button: "button, [role=button]", group: "[role=group], fieldset", link: "a[href]", alert: "[role=alert]" };
const within = (all, css) => [...new Set(all.flatMap((one) => [...one.querySelectorAll(css)]))];
const STEPS = {
  css: (all, css) => within(all, css),
  role: (all, role, name) => within(all, ROLES[role]).filter((one) => !isHidden(one) && (name === null || unspaced(nameOf(one)) === name)),
  text: (all, text) => all.filter((one) => unspaced(one.textContent).includes(text)),
  nth: (all, place) => (all.at(place) ? [all.at(place)] : []),
};
const found = (steps) => steps.reduce((all, [step, ...given]) => STEPS[step](all, ...given), [document]);

const fits = (text, wanted) => {
  if (typeof wanted === "object") return new RegExp(wanted.pattern).test(text);
  return text === unspaced(wanted);
};
const contains = (text, wanted) => (typeof wanted === "object" ? fits(text, wanted) : text.includes(unspaced(wanted)));
const only = (all, check) => all.length === 1 && check(all[0]);
const CHECKS = {
  to_have_count: (all, count) => all.length === count,
  to_be_visible: (all) => only(all, (one) => !isHidden(one)),
  to_be_hidden: (all) => all.every(isHidden),
  to_be_disabled: (all) => only(all, (one) => one.disabled),
  to_contain_text: (all, text) => only(all, (one) => contains(unspaced(one.textContent), text)),
  to_have_text: (all, text) => only(all, (one) => fits(unspaced(one.textContent), text)),
  to_have_attribute: (all, name, value) => only(all, (one) => one.hasAttribute(name) && fits(one.getAttribute(name), value)),
  to_have_class: (all, names) => only(all, (one) => fits(one.getAttribute("class") ?? "", names)),
  to_have_accessible_name: (all, name) => only(all, (one) => unspaced(nameOf(one)) === name),
};

/** Waits for something, and tells what there was instead. */
const until = async (steps, what, look) => {
  const end = Date.now() + PATIENCE_MS;
  for (let all = found(steps); ; all = found(steps)) {
    if (look(all)) return all;
    if (Date.now() > end) break;
    await rest(4);
  }
  const seen = found(steps).map((one) => `${one.outerHTML.slice(0, 300)}\n  ${unspaced(one.textContent).slice(0, 500)}`);
  const page = unspaced((document.querySelector("dialog[open]") ?? document.getElementById("main"))?.textContent ?? "").slice(0, 800);
  throw new Error(`${what} of ${JSON.stringify(steps)}; there is:\n${seen.join("\n")}\non:\n${page}`);
};

/** Waits until a check of what is found is true, or is not. */
export const expected = (steps, isTrue, check, ...given) =>
  until(steps, `${isTrue ? "" : "not "}${check} ${JSON.stringify(given)}`, (all) => CHECKS[check](all, ...given) === isTrue).then(() => null);

/** Whether a finger reaches an element: over an open dialog lies nothing else. */
const isReached = (one) => {
  const dialog = [...document.querySelectorAll("dialog[open]")].at(-1);
  return !isHidden(one) && !one.disabled && (!dialog || dialog.contains(one));
};

const dispatch = (one, kind) => one.dispatchEvent(new MouseEvent(kind, { bubbles: true, cancelable: true }));
/** Until what is drawn after an event is drawn, with its effects. */
const drawn = async () => {
  for (let turn = 0; turn < 3; turn += 1) await rest();
};
/** Where the finger is. @type {Element | null} */
let pressed = null;
const ACTS = {
  tap: (one) => {
    dispatch(one, "pointerdown");
    dispatch(one, "pointerup");
    one.focus();
    one.click();
  },
  press: (one) => {
    pressed = one;
    dispatch(one, "pointerdown");
  },
  write: (one, text) => {
    one.value += text;
    one.dispatchEvent(new Event("input", { bubbles: true }));
  },
};

/** Does something with the only element that is found, once it is reached. */
export const done = async (steps, act, ...given) => {
  const [one] = await until(steps, `to ${act}`, (all) => only(all, isReached));
  ACTS[act](one, ...given);
  await drawn();
};

/** Lifts the finger. */
export const release = async () => {
  dispatch(pressed, "pointerup");
  await drawn();
};

const OF_ALL = {
  count: (all) => all.length,
  texts: (all) => all.map((one) => unspaced(one.textContent)),
  values: (all, name) => all.map((one) => one.getAttribute(name)),
};

/** What all that is found has now. */
export const read = (steps, what, ...given) => OF_ALL[what](found(steps), ...given);
/** The only element that is found, once it is there. */
export const one = async (steps, what, ...given) => OF_ALL[what](await until(steps, `one with ${what}`, (all) => all.length === 1), ...given)[0];
