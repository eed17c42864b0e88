// A page without a browser, for modules that read or draw one: document of jsdom, database of fake-indexeddb, texts of the
// language files. Import it before the modules that are tested. What a browser lays out, paints or keeps is not here.
import "fake-indexeddb/auto";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { JSDOM } from "jsdom";

const API = new URL("../../../api/", import.meta.url);
/** Names that node has too, but which have to be those of the page. */
const OF_PAGE = ["navigator", "Event", "CustomEvent", "MessageEvent", "EventTarget", "FormData", "addEventListener", "removeEventListener", "dispatchEvent"];
/** Names that stay those of node: the page would have none, or others than a browser. */
const OF_NODE = ["crypto", "performance", "fetch", "setTimeout", "setInterval", "clearTimeout", "clearInterval", "queueMicrotask"];

/** Forms as `fetch` of node sends them; those of the page have the same name. */
export const SentForm = globalThis.FormData;

/** Texts of nested objects, by the path of their keys: "card.pattern". */
const flat = (texts, before = "") =>
  Object.entries(texts).flatMap(([key, text]) => (typeof text === "string" ? [[before + key, text]] : flat(text, `${before}${key}.`)));

/** All texts of a language. @type {(lang: string) => Record<string, string>} */
export const textsOf = (lang) => {
  const files = readdirSync(API).map((room) => new URL(`${room}/lang/${lang}.json`, API));
  const found = files.filter((file) => existsSync(file)).map((file) => JSON.parse(readFileSync(file, "utf8")));
  return Object.fromEntries(found.flatMap((one) => flat(one)));
};

/** A page with a body and all texts of its language. */
export const htmlOf = (body = "", lang = "es") => {
  const words = JSON.stringify(textsOf(lang)).replaceAll("<", "\\u003c");
  return `<!doctype html><html lang="${lang}"><body>${body}<script id="words" type="application/json">${words}</script></body></html>`;
};

/** Makes a page the one that modules find; those imported before keep what they have read of the old one. */
export const openPage = (html = htmlOf(), url = "http://127.0.0.1/", languages = ["es-ES"]) => {
  const { window } = new JSDOM(html, { url, pretendToBeVisual: true });
  Object.defineProperties(window.navigator, { language: { value: languages[0] }, languages: { value: languages } });
  window.isSecureContext = true; // as a browser says of this computer
  window.Element.prototype.scrollIntoView = () => {}; // nothing is laid out
  window.requestAnimationFrame = (draw) => setTimeout(draw); // that of jsdom keeps a process from its end
  window.cancelAnimationFrame = (asked) => clearTimeout(asked);
  for (const name of Object.getOwnPropertyNames(window)) {
    if (OF_NODE.includes(name) || (name in globalThis && !made.has(name) && !OF_PAGE.includes(name))) continue;
    made.add(name);
    const set = (value) => Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
    Object.defineProperty(globalThis, name, { get: () => window[name], set, configurable: true });
  }
  for (const name of ["addEventListener", "removeEventListener", "dispatchEvent"]) globalThis[name] = window[name].bind(window);
  return window;
};

const made = new Set();
openPage();
