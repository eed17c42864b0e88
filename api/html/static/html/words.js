// Texts of a page. The server puts those that the page can need into a block of data.
import { capital, formed, isPhrase, joined, phraseOf } from "./grammar.js";
/** @import { Phrase } from "./grammar.js" */

/** @typedef {Record<string, unknown>} Facts values for the names in braces */

const block = globalThis.document?.getElementById("words");
/** @type {Record<string, string>} */
const words = block ? JSON.parse(block.textContent ?? "{}") : {};

/** Language of the page: es, ca, en or fr. */
export const lang = globalThis.document?.documentElement.lang ?? "es";

/** Time zone of the club, in which the page shows times; where the page does not say it, that of the device. */
export const timeZone = globalThis.document?.documentElement.dataset.timeZone;

/** Name of the club, if it chose one and the page says it. */
export const club = globalThis.document?.documentElement.dataset.club ?? "";

/** @type {Record<string, string>} */
const OF_FACT = { suit: "suit", incident: "incident", how: "how", basis: "basis" };
const CARD = /^[2-9ASCR3][OCEB]$/;
const FACT = /\{(\w+)(?::([^}]*))?\}/g;

/**
 * A text with its facts: cards and suits by their names, seats and sides as phrases, an unknown fact as a dash.
 * @type {(key: string, facts?: Facts) => string}
 */
export const t = (key, facts = {}) => {
  const text = words[key] ?? key;
  const said = text.replace(FACT, (_, name, form = "") => inForm(name, facts[name], form)).replace(/ {2,}/g, " ");
  const [, first] = /^\{(\w+)(?::(?!n\/)[^}]*)?\}/.exec(text) ?? [];
  return first && isPhrase(facts[first]) ? capital(said) : said;
};

/** Whether the page has a text with this key. @type {(key: string) => boolean} */
export const has = (key) => key in words;

/** What players call a profile; the club's own and those of a table have no text here. @type {(id: string) => string} */
export const rulesName = (id) => t(has(`rulebook.${id}`) ? `rulebook.${id}` : "rulebook.other");

/**
 * An article in words: the rules, the section, and what the value rests on. Rules without sections state a value by themselves.
 * @type {(article: {profile: string, section: string, basis: string}) => string}
 */
export const cited = ({ profile, section, basis }) => {
  const said = t(`basis.${basis === "stated" && !section ? "own" : basis}`);
  return t(section ? "authority.section" : "authority.whole", { rules: rulesName(profile), section, basis: said });
};

/** @type {(name: string, value: unknown, form: string) => string} */
const inForm = (name, value, form) => {
  if (isPhrase(value)) return formed(/** @type {Phrase} */ (value), form, words);
  if (form && typeof value === "string" && CARD.test(value)) return formed(nounOf(cardName(value), words[`rank.${value[0]}`]), form, words);
  const text = worded(name, value);
  return form ? formed(phraseOf(text), form, words) : text;
};

/** @type {(name: string, value: unknown) => string} */
const worded = (name, value) => {
  if (value === undefined || value === null) return ["text", "seat", "side"].includes(name) ? "" : "–";
  if (Array.isArray(value)) return value.map((one) => worded(name, one)).join(", ");
  if (name !== "text" && typeof value === "string" && CARD.test(value)) return cardName(value);
  return words[`${OF_FACT[name]}.${value}`] ?? String(value);
};

/** A card in words: "tres de oros". @type {(token: string) => string} */
export const cardName = (token) =>
  t("card.pattern", { rank: words[`rank.${token[0]}`], suit: words[`suit.${token[1]}`] });

/** A noun in a sentence, with the gender of its first word. @type {(text: string, first: string) => Phrase} */
export const nounOf = (text, first) => ({
  ...phraseOf(text),
  gender: words["grammar.feminine"]?.split(" ").includes(first) ? "f" : "m",
  usual: "alone",
});

/** Players in a row, as people say them. @type {(players: Phrase[]) => string} */
export const listed = (players) => joined(players.map((one) => formed(one, "the", words)), words);

/** A name or a noun in a form, in a sentence of its own. @type {(phrase: Phrase, form?: string) => string} */
export const inWords = (phrase, form = "alone") => capital(formed(phrase, form, words));
