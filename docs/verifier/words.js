// Texts in four languages, put into the page when it is built, and acts in words.

/** @import { ProofEvent } from "./proof.js" */

/** @type {{texts: Record<string, Record<string, string>>, events: Record<string, string>}} */
const built = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");
const [EMPTY, UNKNOWN] = [["text", "seat"], "\u2013"];
const FAMILIES = ["suit", "incident", "how", "where"];
const CARD = /^[A3RSC9876542][OCEB]$/;

/** Languages of the page, the usual one first. */
export const languages = Object.keys(built.texts);

let language = languages[0];

/** Speak this language from now on. @param {string} chosen */
export function speak(chosen) {
  language = languages.includes(chosen) ? chosen : languages[0];
  document.documentElement.lang = language;
}

/** The language spoken. */
export const spoken = () => language;

/** The first language of the browser that the page has. */
export const preferred = () =>
  (navigator.languages ?? []).map((one) => one.slice(0, 2).toLowerCase()).find((one) => languages.includes(one));

/** Name of a language in itself. @type {(code: string) => string} */
export const nameOf = (code) => built.texts[code]["language.name"];

/** @type {(key: string) => string} */
const text = (key) => built.texts[language][key] ?? key;

/** @param {string} name @param {any} value @returns {string} */
function worded(name, value) {
  if (name === "text") return "";
  if (FAMILIES.includes(name) && value) return built.texts[language][`${name}.${value}`] ?? value;
  if (Array.isArray(value)) return value.map((one) => worded(name, one)).join(", ");
  if (typeof value === "string" && CARD.test(value)) {
    return say("card.pattern", { rank: text(`rank.${value[0]}`), suit: text(`suit.${value[1]}`) });
  }
  return String(value);
}

/** A text with its facts filled in. @param {string} key @param {Record<string, any>} facts @returns {string} */
export function say(key, facts = {}) {
  return text(key).replace(/\{(\w+)\}/g, (_, name) => {
    if (!(name in facts)) return EMPTY.includes(name) ? "" : UNKNOWN;
    return key === "card.pattern" ? facts[name] : worded(name, facts[name]);
  });
}

/**
 * An event in words; one of a kind that this page does not know keeps its stored name.
 * @param {Pick<ProofEvent, "name" | "state">} event @returns {string}
 */
export function describe({ name, state }) {
  const key = built.events[name];
  const facts = state.fact !== null && typeof state.fact === "object" ? state.fact : {};
  return key ? say(key, facts).trim() : name;
}

/**
 * Whether an event is an official conclusion, and not something reported.
 * @type {(event: Pick<ProofEvent, "name">) => boolean}
 */
export const isConclusion = ({ name }) => (built.events[name] ?? "").startsWith("conclusion.");
