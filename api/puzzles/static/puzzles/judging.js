// What the engine says of a problem in play: which cards still do it, what each is worth, which one is laid with best play.
import { MOST_NODES } from "../replay/engine.js";
import { after } from "./play.js";
/** @import { CardPrices, Engine } from "../replay/engine.js" */
/** @import { PuzzleState } from "./play.js" */

/** @typedef {CardPrices & {reaching: string[]}} Judged `reaching`: lawful cards after which the side of A1 still reaches its goal */

/** @type {(engine: Engine, state: PuzzleState) => Judged} */
export const judged = (engine, state) => {
  const prices = engine.prices(state.known);
  if (!prices) throw new Error("the end of an arrastre is within the nodes");
  const reaching = prices.lawful.filter((card) => {
    const { known, need, rival, won } = after(state, card);
    return won ?? engine.reaches(known, "A", need, MOST_NODES, rival);
  });
  return { ...prices, reaching };
};

/** The card of a seat that plays its best: one that does it, or prevents it, and of these one worth most. @type {(judged: Judged) => string} */
export const bestOf = ({ seat, lawful, reaching, values }) => {
  const good = lawful.filter((card) => reaching.includes(card) === (seat[0] === "A"));
  return (good.length ? good : lawful).reduce((best, card) => (values[card] > values[best] ? card : best));
};
