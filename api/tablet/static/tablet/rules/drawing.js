/** Draws: recorded, implied, late or wrong. */
import { BIT, countOf, maskOf } from "./cards.js";
import { sungAfter } from "./evidence/sung.js";
import { DUTIES } from "./duties.js";
import { accuse, learn } from "./learning.js";
import { orderFrom } from "./seats.js";
import { copyOfDeal, heldByOthers, leaderOf, newGap, note, placeOf, without } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Card, Cards } from "./cards.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Deal, Renuncio, RunningTable } from "./state.js" */

/** A seat draws, in its order or not. @type {(table: RunningTable, act: ActOf<"draw">) => void} */
export const cardDrawn = (table, { seat, card = "" }) => {
  takeBack(table);
  const { deal } = table;
  if (deal.implied.includes(seat)) {
    note(table, "draw-out-of-order", seat);
    drawLate(table, seat, card);
    return;
  }
  if (deal.toDraw.includes(seat)) noteOvertaken(table, seat);
  else note(table, "drawn-twice", seat);
  if (isLastAlone(deal, seat, card)) {
    drawLast(table, seat, card);
    return;
  }
  if (card && card === deal.pinta && deal.lies && deal.stock > 1) {
    note(table, "wrong-draw", seat, { fault: "pinta_early" });
  }
  draw(table, seat, card);
};

/**
 * Whether this is the draw of the pinta, and those before it were not noted.
 * @type {(deal: Deal, seat: Seat, card: Card) => boolean}
 */
const isLastAlone = (deal, seat, card) => {
  const { lies, pinta, stock, toDraw } = deal;
  const order = orderFrom(leaderOf(deal), deal.seats.length);
  const isLast = toDraw.includes(seat) && toDraw.every((other) => order.indexOf(other) <= order.indexOf(seat));
  return lies && (!card || card === pinta) && isLast && stock > 1 && toDraw.length === stock;
};

/**
 * The seats that wait have drawn, in order of play, and this one the pinta.
 * @type {(table: RunningTable, seat: Seat, card: Card) => void}
 */
const drawLast = (table, seat, card) => {
  const { deal } = table;
  const otherwise = copyOfDeal(deal);
  drawn(otherwise, seat, card, table.line);
  const waiting = without(deal.toDraw, seat);
  for (const other of waiting) drawn(deal, other);
  deal.implied = [...deal.implied, ...waiting];
  deal.otherwise = otherwise;
  draw(table, seat, card);
};

/**
 * The deal if the draw noted last did not follow unnoted ones: it was out of order, and took the pinta only if that was seen.
 * @type {(deal: Deal) => Deal}
 */
export const readOtherwise = (deal) => {
  const { held, absent, stock, lies, stockCards, sizes, supposed, sung, suspects, breaches, sights, ...other } = copyOfDeal(
    /** @type {Deal} */ (deal.otherwise),
  );
  const { toDraw, drew, drawnAt, implied, swapped } = other;
  const changed = { held, absent, stock, lies, stockCards, sizes, supposed, sung, suspects, breaches, sights };
  return { ...copyOfDeal(deal), ...changed, toDraw, drew, drawnAt, implied, swapped, otherwise: null };
};

/**
 * A table read in both ways, after the same act: with both, or with the one that is possible. `before` is the deal before it.
 * @type {(before: Deal, table: RunningTable, other: RunningTable) => RunningTable}
 */
export const oneOfTwo = (before, table, other) => {
  for (const { deal } of [table, other]) deal.sung = sungAfter(deal.sung, deal.sights);
  const isOtherPossible = !isImpossible(other.deal);
  if (!isOtherPossible || !isImpossible(table.deal)) {
    table.deal.otherwise = isOtherPossible ? other.deal : null;
    return table;
  }
  settle(other, before);
  const { seat, line } = lastNoted(other.deal);
  note(other, "draw-out-of-order", seat, {}, line);
  noteOtherBreaches(other, before);
  return other;
};

/** Whether no cards can lie as this deal says. @type {(deal: Deal) => boolean} */
const isImpossible = (deal) =>
  (deal.lies && (heldByOthers(deal, "") & BIT[deal.pinta]) !== 0n) || deal.sung.evidence.isBroken;

/** The draw that was noted last. @type {(deal: Deal) => {seat: Seat, line: number, isOfPinta: boolean}} */
const lastNoted = ({ seats, sights, pinta }) => {
  const drew = sights.findLast(({ kind, line }) => kind === "drew" && line > 0);
  if (drew?.kind !== "drew") throw new Error("no draw was noted");
  return { seat: seats[drew.seat], line: drew.line, isOfPinta: drew.card === BIT[pinta] };
};

/** One more draw of a gap is noted, so the draw before it did not follow unnoted ones. @type {(table: RunningTable) => void} */
const takeBack = (table) => {
  const { deal: before } = table;
  if (!before.otherwise || !before.drew.length) return;
  table.deal = readOtherwise(before);
  settle(table, before);
  noteOtherBreaches(table, before);
};

/**
 * The deal was read otherwise before. A breach is known since it was known before, or since this line.
 * @type {(table: RunningTable, before: Deal) => void}
 */
const settle = (table, before) => {
  const { deal } = table;
  const since = new Map(before.breaches.map(({ line, knownAt }) => [line, knownAt]));
  deal.breaches = deal.breaches.map((one) => ({ ...one, knownAt: since.get(one.line) ?? table.line }));
  const { seat, line, isOfPinta } = lastNoted(deal);
  if (isOfPinta) note(table, "wrong-draw", seat, { fault: "pinta_early" }, line);
};

/** The findings beside breaches that a deal did not have before, or had. @type {(table: RunningTable, before: Deal) => void} */
const noteOtherBreaches = (table, before) => {
  const { breaches } = table.deal;
  const gone = before.breaches.filter((one) => !isAmong(breaches, one));
  const added = breaches.filter((one) => !isAmong(before.breaches, one));
  const lines = [...gone, ...added].map(({ line }) => line);
  table.findings = table.findings.filter(({ line, rule }) => !lines.includes(line) || !DUTIES.includes(rule));
  for (const { line, rule, seat, trick, knownAt, proof = "" } of added) {
    note(table, rule, seat, { card: proof, trick: String(trick) }, line, knownAt);
  }
};

/** @type {(breaches: readonly Renuncio[], breach: Renuncio) => boolean} */
const isAmong = (breaches, { line, rule, proof }) =>
  breaches.some((one) => one.line === line && one.rule === rule && one.proof === proof);

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
  takeBack(table);
  const { deal } = table;
  note(table, "wrong-draw", seat, { fault });
  if (fault === "none") {
    deal.toDraw = without(deal.toDraw, seat);
    deal.sights.push({ kind: "waited", line: table.line, seat: placeOf(deal, seat) });
    return;
  }
  const isTwo = fault === "two_cards";
  if (isTwo && hasNotDrawn(deal, seat) && deal.stock > 1) draw(table, seat, "");
  const seen = fault === "pinta_early" && deal.lies ? deal.pinta : card;
  const isLate = deal.implied.includes(seat) && !(isTwo && deal.stock > 0);
  (isLate ? drawLate : draw)(table, seat, seen);
};

/** Whether none of two cards was noted before. @type {(deal: Deal, seat: Seat) => boolean} */
const hasNotDrawn = ({ toDraw, drew }, seat) => toDraw.length + drew.length > 0 && !drew.includes(seat);

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
    if (!seen && card === deal.pinta && deal.lies) deal.supposed = seat;
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
};

/** Card on top of the stock, if the record has it. @type {(deal: Deal) => Card} */
const nextCard = ({ stock, lies, pinta, stockCards }) => {
  if (stock === 1 && lies) return pinta;
  return stockCards.length === stock - (lies ? 1 : 0) ? stockCards[0] : "";
};

/** The deal after every seat that had to draw has drawn, recorded or not. @type {(before: Deal) => Deal} */
export const afterImpliedDraws = (before) => {
  const deal = copyOfDeal(before);
  const { toDraw, swapped } = deal;
  const implied = [...deal.implied, ...toDraw];
  for (const seat of toDraw) if (deal.stock) drawn(deal, seat);
  return newGap(deal, { implied, swapped });
};

/**
 * The deal once a seat has drawn unseen, if one of these cards can be in its hand only so; those before it have drawn too
 * if its card says so: the last one, or one of a known stock.
 * @type {(before: Deal, seat: Seat, cards: Cards) => Deal}
 */
export const afterOwnDraw = (before, seat, cards) => {
  const { toDraw } = before;
  if (!toDraw.includes(seat) || !(onlyByDraw(before, seat) & cards || areMore(before, seat, cards))) return before;
  const deal = copyOfDeal(before);
  const isInOrder = before.stockCards.length > 0 || drawsPinta(before, seat);
  const first = isInOrder ? toDraw.slice(0, toDraw.indexOf(seat) + 1) : [seat];
  for (const other of first) drawn(deal, other);
  deal.implied = [...deal.implied, ...first];
  return deal;
};

/**
 * Whether these and the known cards of a hand are more than it has without a draw.
 * @type {(deal: Deal, seat: Seat, cards: Cards) => boolean}
 */
const areMore = ({ held, sizes, stock }, seat, cards) => stock > 0 && countOf(held[seat] | cards) > sizes[seat];

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
