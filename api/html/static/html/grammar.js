// Grammar: articles, prepositions and numbers of names in a sentence. The same as api/http/grammar.py.

/**
 * A name or a noun in a sentence; `gender`: "m" or "f" of a noun, which has an article; "" for a name.
 * `usual`: its form where a text asks for none; "the" if left out.
 * @typedef {{text: string, gender: string, isMany: boolean, usual?: string}} Phrase
 */

const NEVER_ELIDED = ["huit", "onze"];
const ELIDED = /^(?:[aeiou]|h.|y[^aeiou])/;
const SAID_AS_I = /^h?i(?![aeou])/;

/** A name as it is. @type {(text: string, isMany?: boolean) => Phrase} */
export const phraseOf = (text, isMany = false) => ({ text, gender: "", isMany });

/** @type {(value: unknown) => boolean} */
export const isPhrase = (value) => typeof value === "object" && value !== null && "isMany" in value;

/**
 * A phrase in a form: "alone", "the", "of", "to" or "by"; "n/one/several": the word for one or for several.
 * @type {(phrase: Phrase, form: string, words: Record<string, string>) => string}
 */
export const formed = ({ text, gender, isMany, usual = "the" }, form, words) => {
  if (form.startsWith("n/")) return form.split("/")[isMany ? 2 : 1];
  const asked = form || usual;
  if (!text || asked === "alone" || (asked === "the" && !gender)) return text;
  const pattern = words[`grammar.${asked}_${gender || "name"}${isElided(text) ? "_v" : ""}`];
  return pattern.replace("{noun}", () => text);
};

/** Names in a row: commas, and a conjunction before the last. @type {(names: string[], words: Record<string, string>) => string} */
export const joined = (names, words) => {
  const last = names[names.length - 1];
  if (names.length < 2) return names.join("");
  const pattern = words[SAID_AS_I.test(plain(last)) ? "grammar.and_i" : "grammar.and"];
  return pattern.replace("{one}", () => names.slice(0, -1).join(", ")).replace("{other}", () => last);
};

/** A text as the beginning of a sentence. @type {(text: string) => string} */
export const capital = (text) => text.slice(0, 1).toUpperCase() + text.slice(1);

/** @type {(text: string) => boolean} */
const isElided = (text) => ELIDED.test(plain(text)) && !NEVER_ELIDED.some((one) => plain(text).startsWith(one));

/** @type {(text: string) => string} */
const plain = (text) => text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
