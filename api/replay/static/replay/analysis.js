// The arrastres of a decided partida: the position before each card, and what the engine's answer says of it. No DOM.
import { left, seatToPlay, sideOf, worthOfCante } from "./engine.js";
/** @import { CardPrices, KnownPosition, BestPlayCard } from "./engine.js" */

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
 * @typedef {{seat: string, suit: string, points: number}} LineCante
 * @typedef {ArrastreCard & {winner: string, isClosing: boolean, then: KnownPosition, sung: LineCante[], after: Record<string, number>, isTried?: boolean,
 *   isUnlawful?: boolean}} LineCard
 *   a card of best play; `sung` after it; `after`: what each side then has; `isTried`: somebody chose it,
 *   `isUnlawful`: though it was not lawful
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
  const side = sideOf(seat);
  /** @type {(value: number) => number} */
  const leadOfFirst = (value) => (made[side] - made[sides[side === sides[0] ? 1 : 0]] + 2 * value - left(known)) * (side === sides[0] ? 1 : -1);
  return {
    line,
    cost: best - values[card],
    best: lawful.filter((one) => values[one] === best),
    leads: sides.length > 2 ? null : [leadOfFirst(best), leadOfFirst(values[card])],
  };
};

/** Cards of best play as those of an arrastre, each with what the sides have made. @type {(laid: BestPlayCard[], made: Record<string, number>) => LineCard[]} */
export const lineCards = (laid, made) => {
  let now = made;
  return laid.map(({ seat, card, before, then, winner }) => {
    const isClosing = (before.laid ?? []).length + 1 === before.options.players;
    const isLast = !then.hands[seatToPlay(then)].length;
    const sung = sungBetween(before, then);
    const [one, after] = [now, { ...now }];
    if (isClosing) after[sideOf(winner)] += left(before) - (isLast ? 0 : left(then));
    for (const cante of sung) after[sideOf(cante.seat)] += cante.points;
    now = after;
    return { line: 0, seat, card, known: before, made: one, winner, isClosing, then, sung, after };
  });
};

/** @type {(before: KnownPosition, then: KnownPosition) => LineCante[]} */
const sungBetween = (before, then) =>
  (then.sung ?? []).filter((suit) => !before.sung?.includes(suit)).map((suit) => {
    const holds = (/** @type {string} */ seat) => [`R${suit}`, `S${suit}`].every((card) => then.hands[seat].includes(card));
    return { seat: Object.keys(then.hands).find(holds) ?? "", suit, points: worthOfCante(suit, then.trump) };
  });
