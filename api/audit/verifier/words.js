// Texts in four languages, which the build puts into the page, and descriptions of events.

import { formed, phraseOf } from "../../html/static/html/grammar.js";
/** @import { Phrase } from "../../html/static/html/grammar.js" */
/** @import { ProofEvent } from "./proof.js" */

/** @type {{texts: Record<string, Record<string, string>>, events: Record<string, string>}} */
const built = JSON.parse(document.getElementById("texts")?.textContent ?? "{}");
const [EMPTY, UNKNOWN] = [["text", "seat", "side"], "\u2013"];
const FAMILIES = ["suit", "incident", "how", "where"];
const CARD = /^[A3RSC9876542][OCEB]$/;

/** Languages of the page, the default first. */
export const languages = Object.keys(built.texts);

let language = languages[0];

/** Use this language from now on. @param {string} chosen */
export function setLanguage(chosen) {
  language = languages.includes(chosen) ? chosen : languages[0];
  document.documentElement.lang = language;
}

/** The current language. */
export const currentLanguage = () => language;

/** The first language of the browser that the page has. */
export const preferredLanguage = () =>
  (navigator.languages ?? []).map((one) => one.slice(0, 2).toLowerCase()).find((one) => languages.includes(one));

/** Name of a language in itself. @type {(code: string) => string} */
export const languageName = (code) => built.texts[code]["language.name"];

/** @type {(key: string) => string} */
const text = (key) => built.texts[language][key] ?? key;

/** @param {string} name @param {any} value @returns {string} */
function formatted(name, value) {
  if (name === "text") return "";
  if (FAMILIES.includes(name) && value) return built.texts[language][`${name}.${value}`] ?? value;
  if (Array.isArray(value)) return value.map((one) => formatted(name, one)).join(", ");
  if (typeof value === "string" && CARD.test(value)) {
    return say("card.pattern", { rank: text(`rank.${value[0]}`), suit: text(`suit.${value[1]}`) });
  }
  if (typeof value === "object" && value !== null) {
    return Object.keys(value).sort().map((side) => value[side]).join("\u2013");
  }
  return String(value);
}

/** A value in a sentence; a card has the gender of its rank. @type {(text: string, value: any) => Phrase} */
const nounOf = (said, value) => {
  if (typeof value !== "string" || !CARD.test(value)) return phraseOf(said);
  const isFeminine = text("grammar.feminine").split(" ").includes(text(`rank.${value[0]}`));
  return { ...phraseOf(said), gender: isFeminine ? "f" : "m" };
};

/** A text with the values of its placeholders. @param {string} key @param {Record<string, any>} facts @returns {string} */
export function say(key, facts = {}) {
  const said = text(key).replace(/\{(\w+)(?::([^}]*))?\}/g, (_, name, form = "alone") => {
    if (!(name in facts)) return EMPTY.includes(name) ? "" : UNKNOWN;
    const value = key === "card.pattern" ? facts[name] : formatted(name, facts[name]);
    return formed(nounOf(value, facts[name]), form, built.texts[language]);
  });
  return said.replace(/ {2,}/g, " ").trim();
}

/**
 * Description of an event; its stored name if this page does not know its kind.
 * @param {Pick<ProofEvent, "name" | "state">} event @returns {string}
 */
export function describe({ name, state }) {
  const key = built.events[name];
  const facts = state.fact !== null && typeof state.fact === "object" ? state.fact : {};
  return key ? say(key, facts).trim() : name;
}

/**
 * Whether an event is an official conclusion, not a reported act.
 * @type {(event: Pick<ProofEvent, "name">) => boolean}
 */
export const isConclusion = ({ name }) => (built.events[name] ?? "").startsWith("conclusion.");
