// The words of a page: the server puts those that it may need into a block of data.

const block = globalThis.document?.getElementById("words");
const words = block ? JSON.parse(block.textContent) : {};

/** Language of the page: es, ca, en or fr. */
export const lang = globalThis.document?.documentElement.lang ?? "es";

const OF_FACT = { suit: "suit", incident: "incident", how: "how", basis: "basis" };
const CARD = /^[2-9ASCR3][OCEB]$/;

/** A text, its facts filled in: cards and suits by their names, a fact that is not known as a dash. */
export const t = (key, facts = {}) =>
  (words[key] ?? key).replace(/\{(\w+)\}/g, (_, name) => worded(name, facts[name]));

/** Whether the page has such a text. */
export const has = (key) => key in words;

const worded = (name, value) => {
  if (value === undefined || value === null) return ["text", "seat", "side"].includes(name) ? "" : "–";
  if (Array.isArray(value)) return value.map((one) => worded(name, one)).join(", ");
  if (name !== "text" && CARD.test(value)) return cardName(value);
  return words[`${OF_FACT[name]}.${value}`] ?? String(value);
};

/** A card in words: "tres de oros". */
export const cardName = (token) =>
  words["card.pattern"]
    .replace("{rank}", words[`rank.${token[0]}`])
    .replace("{suit}", words[`suit.${token[1]}`]);
