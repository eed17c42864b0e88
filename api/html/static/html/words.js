// Texts of a page. The server puts those that the page can need into a block of data.

/** @typedef {Record<string, unknown>} Facts values for the names in braces */

const block = globalThis.document?.getElementById("words");
/** @type {Record<string, string>} */
const words = block ? JSON.parse(block.textContent ?? "{}") : {};

/** Language of the page: es, ca, en or fr. */
export const lang = globalThis.document?.documentElement.lang ?? "es";

/** Time zone of the club, in which the page shows times; where the page does not say it, that of the device. */
export const timeZone = globalThis.document?.documentElement.dataset.timeZone;

/** @type {Record<string, string>} */
const OF_FACT = { suit: "suit", incident: "incident", how: "how", basis: "basis" };
const CARD = /^[2-9ASCR3][OCEB]$/;

/**
 * A text with its facts: cards and suits by their names, an unknown fact as a dash.
 * @type {(key: string, facts?: Facts) => string}
 */
export const t = (key, facts = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => worded(name, facts[name]));

/** Whether the page has a text with this key. @type {(key: string) => boolean} */
export const has = (key) => key in words;

/** What players call a profile; the club's own and those of a table have no text here. @type {(id: string) => string} */
export const rulesName = (id) => t(has(`rulebook.${id}`) ? `rulebook.${id}` : "rulebook.other");

/** @type {(name: string, value: unknown) => string} */
const worded = (name, value) => {
  if (value === undefined || value === null) return ["text", "seat", "side"].includes(name) ? "" : "–";
  if (Array.isArray(value)) return value.map((one) => worded(name, one)).join(", ");
  if (name !== "text" && typeof value === "string" && CARD.test(value)) return cardName(value);
  return words[`${OF_FACT[name]}.${value}`] ?? String(value);
};

/** A card in words: "tres de oros". @type {(token: string) => string} */
export const cardName = (token) =>
  words["card.pattern"]
    .replace("{rank}", words[`rank.${token[0]}`])
    .replace("{suit}", words[`suit.${token[1]}`]);
