// Pages of a running service, without a browser: their scripts run, and a test finds elements, taps them, fills in forms, follows
// links and reads what there is as with the driver of a browser. Nothing is laid out or painted: what is hidden by a style sheet is there.
import { setTimeout as rest } from "node:timers/promises";
import { SentForm } from "./page.mjs";
import { forget, loads, network, open, openSaved, signIn, site } from "./site.mjs";

export { network, signIn };

const PATIENCE_MS = 50_000;
/** The page waits for this part of a time only: until it looks again, until a finger has been held for long. */
const PART = 1 / 10;
const { setTimeout } = globalThis;
globalThis.setTimeout = (run, ms = 0, ...given) => setTimeout(run, ms * PART, ...given);
/** Errors of the page since it was last left. @type {string[]} */
const complaints = [];
/** Modules of a page have its number in their addresses: one that was left is not heard any more. */
const complain = (...said) => {
  const text = said.join(" ");
  const [, from] = /\?load=(\d+)/.exec(text) ?? [];
  if (!from || Number(from) === loads) complaints.push(text);
};
process.on("unhandledRejection", (error) => complain(error?.stack ?? error));

const unspaced = (text) => text.replace(/\s+/g, " ").trim();

/** What jsdom lacks: dialogs, media, and what a browser does by itself with links, forms and details. */
const complete = (window) => {
  window.matchMedia = globalThis.matchMedia = () => ({ matches: false, addEventListener: () => {}, removeEventListener: () => {} });
  window.HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  window.HTMLDialogElement.prototype.close = function close(value) {
    if (value !== undefined) this.returnValue = value;
    this.open = false;
    this.dispatchEvent(new Event("close"));
  };
  window.HTMLFormElement.prototype.submit = function submit() {
    send(this);
  };
  window.Element.prototype.setPointerCapture = () => {}; // what is pressed hears of it anyway
  Object.defineProperty(window.HTMLLinkElement.prototype, "onload", { set: (loaded) => setTimeout(loaded) });
  window.addEventListener("error", ({ error, message }) => complain(error?.stack ?? message));
  window.addEventListener("click", followLink);
  window.addEventListener("submit", sendForm);
  const { location } = window;
  const led = { assign: goto, replace: goto, reload };
  globalThis.location = new Proxy({}, {
    get: (_, name) => led[name] ?? (typeof location[name] === "function" ? location[name].bind(location) : location[name]),
    set: (_, name, value) => {
      if (name === "href") goto(value);
      else location[name] = value;
      return true;
    },
  });
};

/** Where the page is being led to; nothing is asked of the page before it is there. */
let arrival = Promise.resolve();
/** Of the last answer. */
let last = { status: 0, headers: new Headers() };

/** Leads to another page, or to another place of this one. */
const goto = (address, settings) => {
  const [here, there] = [new URL(document.URL), new URL(address, document.URL)];
  const isWithin = there.hash && !settings && here.href.split("#")[0] === there.href.split("#")[0];
  if (isWithin) {
    window.location.hash = there.hash;
    return arrival;
  }
  arrival = open(there, settings, (window, answer) => {
    last = answer;
    complete(window);
  });
  return arrival;
};

/** Loads the page again. */
export const reload = () => goto(document.URL, {}).then(() => null);

/** What a browser does with a click on a link that no script takes. */
const followLink = (event) => {
  const link = event.target.closest?.("a[href]");
  if (!link || event.defaultPrevented || link.target === "_blank" || link.hasAttribute("download")) return;
  event.preventDefault();
  goto(link.href);
};

/** What a browser does with a form that no script sends. */
const sendForm = (event) => {
  const { target: form, submitter } = event;
  if (event.defaultPrevented || form.method === "dialog") return;
  event.preventDefault();
  send(form, submitter);
};

/** A form for `fetch` of node; no file is in it. */
const inParts = (given) => {
  const sent = new SentForm();
  for (const [name, value] of given) {
    if (value.size) throw new Error(`a file in ${name}: for a browser`);
    sent.append(name, typeof value === "string" ? value : new File([], value.name));
  }
  return sent;
};

/** Sends a form, by one of its buttons or by none. */
const send = (form, submitter = null) => {
  const given = new FormData(form, submitter);
  const [action, method] = ["action", "method"].map((name) => submitter?.getAttribute(`form${name}`) ?? form.getAttribute(name) ?? "");
  const address = new URL(action || document.URL, document.URL);
  const texts = new URLSearchParams(Array.from(given, ([name, value]) => [name, typeof value === "string" ? value : value.name]));
  if (method.toLowerCase() === "post") {
    goto(address, { method: "POST", body: form.enctype === "multipart/form-data" ? inParts(given) : texts });
    return;
  }
  address.search = texts;
  goto(address);
};

/** A page of a service opens, for a person who has these cookies. */
export const visit = async (address, cookies, path, languages = ["es-ES"]) => {
  Object.assign(site, { address, languages });
  forget();
  signIn(cookies);
  console.error = complain;
  await goto(new URL(path, address), {}); // a new page, also if only its hash is another
};

/** A saved page opens from the disk. */
export const openFile = (address) => {
  console.error = complain;
  openSaved(address, complete);
};

/** Goes to a view of the page, or to another page. */
export const go = async (address) => {
  await arrival;
  await goto(address);
};

/** Where the page is, with its title and the status of its answer. */
export const where = async () => {
  await arrival;
  return { url: document.URL, title: document.title, status: last.status };
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

const HEADINGS = "h1, h2, h3, h4, h5, h6, [role=heading]";
const ROLES = { heading: HEADINGS, checkbox: "[type=checkbox]", radio: "[type=radio]", textbox: "textarea, input:not([type]), [type=text], [type=search], [type=email]",
  combobox: "select", status: "[role=status], output", table: "table", row: "tr", listitem: "li", dialog: "dialog", navigation: "nav", button: "button, [role=button]", group: "[role=group], fieldset", link: "a[href]", alert: "[role=alert]" };
const within = (all, css) => [...new Set(all.flatMap((one) => [...one.querySelectorAll(css)]))];
const STEPS = {
  css: (all, css) => within(all, css),
  role: (all, role, name) => within(all, ROLES[role]).filter((one) => !isHidden(one) && (name === null || unspaced(nameOf(one)) === name)),
  label: (all, text) => within(all, "label").filter((one) => unspaced(one.textContent).startsWith(text)).map((one) => one.control).filter(Boolean),
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
  to_have_value: (all, value) => only(all, (one) => fits(one.value, value)),
  to_be_checked: (all) => only(all, (one) => one.checked),
  to_be_enabled: (all) => only(all, (one) => !one.disabled),
  to_be_focused: (all) => only(all, (one) => one === document.activeElement),
  to_have_class: (all, names) => only(all, (one) => fits(one.getAttribute("class") ?? "", names)),
  to_have_accessible_name: (all, name) => only(all, (one) => unspaced(nameOf(one)) === name),
};

/** Waits for something, and tells what there was instead. */
const until = async (steps, what, look) => {
  await arrival;
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
/** Until what is drawn after an event is drawn, with its effects, and the page is there that it led to. */
const drawn = async () => {
  for (let turn = 0; turn < 3; turn += 1) await rest();
  await arrival;
};
/** Tells of a new value. */
const changed = (one) => ["input", "change"].forEach((kind) => one.dispatchEvent(new Event(kind, { bubbles: true })));
/** A key that goes down and up: Enter and a space press a button, Enter sends a form. */
const typed = (one, key) => {
  const event = (kind) => new KeyboardEvent(kind, { key, bubbles: true, cancelable: true });
  const isDone = !one.dispatchEvent(event("keydown"));
  if (!isDone && one.matches("button, a[href], summary") && ["Enter", " "].includes(key)) one.click();
  else if (!isDone && key === "Enter" && one.matches("input")) one.form?.requestSubmit();
  document.activeElement.dispatchEvent(event("keyup"));
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
  fill: (one, text) => {
    one.focus();
    one.value = text;
    changed(one);
  },
  choose: (one, wanted) => {
    const option = [...one.options].find(({ value, label }) => [value, label].includes(wanted));
    if (!option) throw new Error(`no ${wanted} in ${one.outerHTML}`);
    option.selected = true;
    changed(one);
  },
  check: (one, isChecked) => {
    if (one.checked !== isChecked) one.click();
  },
  type: (one, key) => {
    one.focus();
    typed(one, key);
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

/** Presses a key where the focus is. */
export const key = async (name) => {
  await arrival;
  typed(document.activeElement, name);
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
  visible: (all) => all.map((one) => !isHidden(one)),
  properties: (all, name) => all.map((one) => one[name]),
};

/** What all that is found has now. */
export const read = (steps, what, ...given) => arrival.then(() => OF_ALL[what](found(steps), ...given));
/** The only element that is found, once it is there. */
export const one = async (steps, what, ...given) => OF_ALL[what](await until(steps, `one with ${what}`, (all) => all.length === 1), ...given)[0];
