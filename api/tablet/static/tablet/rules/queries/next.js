/** Acts that make sense now, so that a page can offer them. Other acts are possible too. */
import { SUITS, swapCard } from "../cards.js";
import { maySing, tuteIsInTime } from "../cantes.js";
import { claimBarred } from "../endings.js";
import { hasDeal, isPlayedOut, turnOf } from "../state.js";
import { swapBarred } from "../swaps.js";
/** @import { Card, Suit } from "../cards.js" */
/** @import { Options } from "../options.js" */
/** @import { Seat } from "../seats.js" */
/** @import { Deal } from "../state.js" */
/** @import { TableView } from "./view.js" */

/** @type {NextActs} */
const ALWAYS = { denounce: true };

/**
 * One entry for each kind of act that makes sense: `deal` (the seat due, or ""), `pinta`, `card` (the seat whose turn it
 * is), `draw` (seats that still have to), `cante` (suits by seat, "" for a hidden one), `swap` (the card given, by
 * seat), `tute` and `claim` (seats), `denounce`, `count`, `partida`: this one is decided.
 * @typedef {{deal?: Seat, pinta?: true, card?: Seat | null, draw?: Seat[], cante?: Record<Seat, Suit[]>,
 *   swap?: Record<Seat, Card[]>, tute?: Seat[], claim?: Seat[], denounce?: true, count?: true, partida?: true}} NextActs
 * @type {(view: Pick<TableView, "state">) => NextActs}
 */
export const next = ({ state: table }) => {
  const { decided, seats, options } = table;
  if (decided) return { partida: true, ...(table.deal ? ALWAYS : {}) };
  if (!hasDeal(table) || table.deal.isCounted) return { deal: table.dealerDue };
  const { deal } = table;
  if (!deal.trump) return { pinta: true };
  const claim = seats.filter((seat) => !claimBarred(table, seat));
  const always = { ...ALWAYS, ...(claim.length && !table.claim ? { claim } : {}) };
  if (isPlayedOut(deal) || table.claim) return { ...always, count: true };
  const found = { ...always, card: turnOf(deal), draw: deal.toDraw };
  const cante = bySeat(seats, (seat) => suitsFor(deal, seat, options));
  const swap = deal.lies ? bySeat(seats, (seat) => cardsFor(deal, seat, options)) : {};
  const tute = seats.filter((seat) => tuteIsInTime(deal, seat, options));
  return { ...found, cante, swap, tute };
};

/**
 * Values of each seat, without seats that have none.
 * @template T @param {Seat[]} seats @param {(seat: Seat) => T[]} of @returns {Record<Seat, T[]>}
 */
const bySeat = (seats, of) =>
  Object.fromEntries(seats.map((seat) => [seat, of(seat)]).filter(([, found]) => found.length));

/** @type {(deal: Deal, seat: Seat, options: Options) => Suit[]} */
const suitsFor = (deal, seat, options) =>
  [...SUITS, ""].filter((suit) => maySing(deal, seat, suit, options));

/** @type {(deal: Deal, seat: Seat, options: Options) => Card[]} */
const cardsFor = (deal, seat, options) =>
  [swapCard(options, deal.trump), `2${  deal.trump}`].filter((card) => !swapBarred(deal, seat, card, options).length);
