// The arrastres of a decided partida: the position before each card, and what the engine's answer says of it. No DOM.
import { left } from "./engine.js";
/** @import { CardPrices, KnownPosition } from "./engine.js" */

/**
 * @typedef {object} PlayedKnown a card of an arrastre; what is left out is as before the last card
 * @property {number} line
 * @property {string} seat
 * @property {string} card
 * @property {string[]} [sung]
 * @property {string[]} [winners]
 * @property {Record<string, number>} [made] points of each side in the deal, its cantes with them
 *
 * @typedef {{deal: number, not_known?: string, trump?: string, hands?: Record<string, string[]>, cards?: PlayedKnown[]}} Arrastre
 * @typedef {{options: Record<string, any>, deals: Arrastre[]}} Arrastres
 * @typedef {{line: number, seat: string, card: string, known: KnownPosition, made: Record<string, number>}} ArrastreCard
 * @typedef {{line: number, cost: number, best: string[], leads: [before: number, after: number] | null}} AnalysedCard `leads` of the first side
 */

/** Every card of an arrastre with the position before it. @type {(options: Record<string, any>, arrastre: Arrastre) => ArrastreCard[]} */
export const positionsOf = (options, { trump = "", hands = {}, cards = [] }) => {
  let held = hands;
  let leader = "";
  /** @type {string[]} */
  let laid = [];
  /** @type {Record<string, any>} */
  let now = {};
  return cards.map(({ line, seat, card, ...changed }) => {
    now = { ...now, ...changed };
    if (laid.length === options.players) laid = [];
    if (!laid.length) leader = seat;
    const known = { options, trump, leader, hands: held, laid, sung: now.sung, winners: now.winners };
    held = { ...held, [seat]: held[seat].filter((one) => one !== card) };
    laid = [...laid, card];
    return { line, seat, card, known, made: now.made };
  });
};

/** What a card took beside the best lawful one, and the lead before and after it. @type {(one: ArrastreCard, prices: CardPrices) => AnalysedCard} */
export const analysedCard = ({ line, seat, card, known, made }, { values, lawful, best }) => {
  const sides = Object.keys(made).sort();
  const side = seat[0];
  /** @type {(value: number) => number} */
  const leadOfFirst = (value) => (made[side] - made[sides[side === sides[0] ? 1 : 0]] + 2 * value - left(known)) * (side === sides[0] ? 1 : -1);
  return {
    line,
    cost: best - values[card],
    best: lawful.filter((one) => values[one] === best),
    leads: sides.length > 2 ? null : [leadOfFirst(best), leadOfFirst(values[card])],
  };
};
