// What is said of a card that was analysed, in numbers and in words.
import { t } from "../html/words.js";
import { el } from "./dom.js";
/** @import { AnalysedCard } from "./analysis.js" */
/** @import { Child } from "./dom.js" */

/** Whether a card took so much, or gave it. @type {(one: AnalysedCard, least: number) => boolean} */
export const isLarge = (one, least) => Math.abs(one.cost) >= least;

/** A number with its sign. @type {(points: number) => string} */
export const signed = (points) => (points < 0 ? `−${-points}` : points ? `+${points}` : "0");

/** What is said of a card beside its act. @type {(one: AnalysedCard | undefined) => Child} */
export const told = (one) => {
  if (!one) return null;
  const how = one.cost < 0 ? "more" : one.cost === 0 ? "as_good" : one.cost === 1 ? "less_1" : "less";
  return el("p", { class: "took" }, t(`analysis.${how}`, { n: Math.abs(one.cost), cards: one.best }));
};
