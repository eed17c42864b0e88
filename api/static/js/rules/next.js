/** Which acts make sense now, so that a page can offer them. What is not here may happen all the same. */
import { SUITS, swapCard } from "./cards.js";
import { canteBarred, swapBarred, tuteIsInTime } from "./announcing.js";
import { claimBarred } from "./judging.js";
import { isPlayedOut, turnOf } from "./state.js";

/**
 * One entry for each kind of act that makes sense: `deal` (the seat due, or ""), `pinta`, `card` (the seat whose turn it
 * is), `draw` (seats that still have to), `cante` (suits by seat, "" for a hidden one), `swap` (the card given, by
 * seat), `tute` and `claim` (seats), `denounce`, `count`, `partida`: this one is decided.
 */
export const next = ({ state: table }) => {
  const { deal, decided, seats, options } = table;
  if (decided) return { partida: true, ...(deal ? { denounce: true } : {}) };
  if (!deal || deal.isCounted) return { deal: table.dealerDue };
  if (!deal.trump) return { pinta: true };
  const claim = seats.filter((seat) => !claimBarred(table, seat));
  const always = { denounce: true, ...(claim.length && !table.claim ? { claim } : {}) };
  if (isPlayedOut(deal) || table.claim) return { ...always, count: true };
  const found = { ...always, card: turnOf(deal), draw: deal.toDraw };
  const cante = bySeat(seats, (seat) => suitsFor(deal, seat, options));
  const swap = deal.lies ? bySeat(seats, (seat) => cardsFor(deal, seat, options)) : {};
  const tute = seats.filter((seat) => tuteIsInTime(deal, seat, options));
  return { ...found, cante, swap, tute };
};

/** Seats for which there is something, with it. */
const bySeat = (seats, of) =>
  Object.fromEntries(seats.map((seat) => [seat, of(seat)]).filter(([, found]) => found.length));

const suitsFor = (deal, seat, options) =>
  [...SUITS, ""].filter((suit) => !canteBarred(deal, seat, suit, options).length);

const cardsFor = (deal, seat, options) =>
  [swapCard(options, deal.trump), "2" + deal.trump].filter((card) => !swapBarred(deal, seat, card, options).length);
