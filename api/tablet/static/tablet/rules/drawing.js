/** Draws: recorded, implied, late or wrong. */
import { BIT, maskOf } from "./cards.js";
import { accuse, learn } from "./learning.js";
import { orderFrom } from "./seats.js";
import { copyOfDeal, leaderOf, newGap, note, placeOf, without } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Card, Cards } from "./cards.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Deal, RunningTable } from "./state.js" */

/** A seat draws, in its order or not. @type {(table: RunningTable, act: ActOf<"draw">) => void} */
export const cardDrawn = (table, { seat, card = "" }) => {
  const { deal } = table;
  if (deal.implied.includes(seat)) {
    note(table, "draw-out-of-order", seat);
    drawLate(table, seat, card);
    return;
  }
  if (deal.toDraw.includes(seat)) noteOvertaken(table, seat);
  else note(table, "drawn-twice", seat);
  if (card && card === deal.pinta && deal.lies && deal.stock > 1) {
    note(table, "wrong-draw", seat, { fault: "pinta_early" });
  }
  draw(table, seat, card);
};

/**
 * Findings on seats whose draw was recorded before that of a seat that draws first.
 * @type {(table: RunningTable, seat: Seat) => void}
 */
const noteOvertaken = (table, seat) => {
  const { deal, findings } = table;
  const order = orderFrom(leaderOf(deal), deal.seats.length);
  const rule = "draw-out-of-order";
  deal.drew.forEach((other, place) => {
    const at = deal.drawnAt[place];
    const isEarly = at > 0 && order.indexOf(other) > order.indexOf(seat);
    const isNew = !findings.some((one) => one.line === at && one.rule === rule);
    if (isEarly && isNew) note(table, rule, other, {}, at);
  });
};

/**
 * A draw recorded after the lead: at the lead it was implied, and now its card becomes known.
 * @type {(table: RunningTable, seat: Seat, card: Card) => void}
 */
const drawLate = (table, seat, card) => {
  const { deal } = table;
  deal.implied = without(deal.implied, seat);
  if (!card) return;
  deal.lies = deal.lies && card !== deal.pinta;
  deal.stockCards = without(deal.stockCards, card);
  deal.sights.push({ kind: "recalled", line: table.line, seat: placeOf(deal, seat), card: BIT[card] });
  learn(table, seat, BIT[card]);
};

/** A draw that the recorder reports as wrong. @type {(table: RunningTable, act: ActOf<"wrong_draw">) => void} */
export const wrongDraw = (table, { seat, fault, card = "" }) => {
  const { deal } = table;
  note(table, "wrong-draw", seat, { fault });
  if (fault === "none") {
    deal.toDraw = without(deal.toDraw, seat);
    return;
  }
  const isTwo = fault === "two_cards";
  if (isTwo && deal.toDraw.includes(seat) && deal.stock > 1) draw(table, seat, "");
  const seen = fault === "pinta_early" && deal.lies ? deal.pinta : card;
  const isLate = deal.implied.includes(seat) && !(isTwo && deal.stock > 0);
  (isLate ? drawLate : draw)(table, seat, seen);
};

/** @type {(table: RunningTable, seat: Seat, card: Card) => void} */
const draw = (table, seat, card) => {
  const before = table.deal.held[seat];
  drawn(table.deal, seat, card, table.line);
  accuse(table, seat, table.deal.held[seat] & ~before);
};

/**
 * A seat has drawn the next card of the stock, or the card seen.
 * @type {(deal: Deal, seat: Seat, seen?: Card, line?: number) => void}
 */
const drawn = (deal, seat, seen = "", line = 0) => {
  const card = seen || nextCard(deal);
  deal.sights.push({ kind: "drew", line, seat: placeOf(deal, seat), card: card ? BIT[card] : 0n });
  deal.absent[seat] &= deal.apart;
  if (card) {
    deal.absent[seat] &= ~BIT[card];
    deal.held[seat] |= BIT[card];
    deal.lies = deal.lies && card !== deal.pinta && deal.stock > 1;
    deal.stockCards = without(deal.stockCards, card);
  }
  deal.stock -= 1;
  deal.sizes[seat] += 1;
  deal.toDraw = without(deal.toDraw, seat);
  deal.drew.push(seat);
  deal.drawnAt.push(line);
  deal.unseen = !card && line ? seat : "";
};

/** Card on top of the stock, if the record has it. @type {(deal: Deal) => Card} */
const nextCard = ({ stock, lies, pinta, stockCards }) => {
  if (stock === 1 && lies) return pinta;
  return stockCards.length === stock - (lies ? 1 : 0) ? stockCards[0] : "";
};

/** The deal after every seat that had to draw has drawn, recorded or not. @type {(before: Deal) => Deal} */
export const afterImpliedDraws = (before) => {
  const deal = withPintaDrawn(copyOfDeal(before));
  const { toDraw, swapped } = deal;
  for (const seat of toDraw) if (deal.stock) drawn(deal, seat);
  return newGap(deal, { implied: toDraw, swapped });
};

/**
 * The pinta goes to the seat that draws last, if only its draw was recorded: draws that were not recorded happened before
 * it, in order of play, unless a recorded one came after it.
 * @type {(deal: Deal) => Deal}
 */
const withPintaDrawn = (deal) => {
  const { unseen: seat, toDraw, lies, stock, pinta } = deal;
  const order = orderFrom(leaderOf(deal), deal.seats.length);
  const isLast = !deal.isOfEarlierLaw && lies && toDraw.length > 0 && stock === toDraw.length && seat !== "";
  if (!isLast || toDraw.some((other) => order.indexOf(other) > order.indexOf(seat))) return deal;
  deal.sights.push({ kind: "recalled", line: 0, seat: placeOf(deal, seat), card: BIT[pinta] });
  deal.held[seat] |= BIT[pinta];
  deal.lies = false;
  return deal;
};

/**
 * The deal after an implied draw of a seat, if it can hold one of these cards only after that draw.
 * @type {(before: Deal, seat: Seat, cards: Cards) => Deal}
 */
export const afterOwnDraw = (before, seat, cards) => {
  const { toDraw } = before;
  if (seat === before.unseen && before.lies && cards & BIT[before.pinta]) {
    return withPintaDrawn(copyOfDeal(before)).lies ? before : afterImpliedDraws(before);
  }
  if (!toDraw.includes(seat) || !(onlyByDraw(before, seat) & cards)) return before;
  const deal = copyOfDeal(before);
  const first = toDraw.slice(0, toDraw.indexOf(seat) + 1);
  for (const other of first) drawn(deal, other);
  deal.implied = [...deal.implied, ...first];
  return deal;
};

/**
 * Cards that a seat can hold only after its draw: the last seat to draw takes the pinta.
 * @type {(deal: Deal, seat: Seat) => Cards}
 */
const onlyByDraw = (deal, seat) =>
  drawsPinta(deal, seat) ? BIT[deal.pinta] : maskOf(deal.stockCards) | (deal.absent[seat] & ~deal.apart);

/** Whether a seat which has to draw takes the last card. @type {(deal: Deal, seat: Seat) => boolean} */
const drawsPinta = ({ toDraw, stock, lies }, seat) => lies && toDraw[stock - 1] === seat;

/** Whether a draw in this gap can have happened: draws need not be recorded. @type {(deal: Deal, seat: Seat) => boolean} */
export const mayHaveDrawn = (deal, seat) => deal.toDraw.includes(seat);

/** The card that a seat draws or has drawn in this gap, if the record says which. @type {(deal: Deal, seat: Seat) => Cards} */
export const ownDraw = (deal, seat) => {
  const { toDraw, stock, stockCards, lies, pinta } = deal;
  if (!mayHaveDrawn(deal, seat)) return 0n;
  if (drawsPinta(deal, seat)) return BIT[pinta];
  const isOrdered = stockCards.length > 0 && stockCards.length === stock - (lies ? 1 : 0);
  return isOrdered ? BIT[stockCards[toDraw.indexOf(seat)]] : 0n;
};

/** Whether that draw took an unseen card. @type {(deal: Deal, seat: Seat) => boolean} */
export const mayHaveDrawnUnseen = (deal, seat) => mayHaveDrawn(deal, seat) && !ownDraw(deal, seat);
