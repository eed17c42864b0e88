/** The deal: dealer, pinta, hands and stock of an open record, misdeals. */
import { BIT, SUIT_MASK, countOf, deckMask, maskOf, suitOf } from "./cards.js";
import { afterOwnDraw, mayHaveDrawnUnseen } from "./drawing.js";
import { exclude, learn } from "./learning.js";
import { leftOf, nextSeat, orderFrom } from "./seats.js";
import { allDeals, leaderOf, newDeal, note, placeOf, swappedAway, without } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Seat } from "./seats.js" */
/** @import { RunningTable, Table } from "./state.js" */

const REDEALS_ALLOWED = 1;

/** A new deal; the one before it, if any, joins those that count. @type {(table: Table, act: ActOf<"deal">) => void} */
export const dealStarted = (table, { dealer, cut = null, removed, cutter = "", packets = "" }) => {
  const { options, dealerDue } = table;
  if (dealerDue && dealer !== dealerDue) note(table, "wrong-dealer", dealer, { due: dealerDue });
  const left = cut === null ? options.cut_min : Math.min(cut, countOf(deckMask(options, removed)) - cut);
  if (left < options.cut_min) note(table, "cut-too-small", dealer, { cut: String(cut) });
  const due = leftOf(dealer, options.players, options.direction);
  if (cutter && cutter !== due) note(table, "wrong-cutter", cutter, { due });
  if (packets && packets !== options.deal_packets) note(table, "wrong-packets", dealer, { packets: options.deal_packets });
  const deals = allDeals(table);
  if (table.deal) table.misdeals = 0;
  const deal = newDeal(table, deals.length + 1, dealer, removed);
  const sizes = deal.seats.map((seat) => deal.sizes[seat]);
  deal.sights.push({ kind: "dealt", line: table.line, deck: deal.deck, sizes, stock: deal.stock });
  Object.assign(table, { deals, deal, dealerDue: "", ruledDealer: "", claim: null });
};

/**
 * The deal is void; the same dealer deals again, or passes the pack on at the second time.
 * @type {(table: RunningTable, act: ActOf<"misdeal">) => void}
 */
export const misdealt = (table, { hands = {} }) => {
  const { dealer } = table.deal;
  const dealt = Object.entries(hands).map(([seat, cards]) => `${seat} ${cards}`);
  note(table, "misdeal", dealer, { hands: dealt.join(" ") });
  if (table.seats.every((seat) => hands[seat] === table.options.hand_size)) note(table, "misdeal-unfounded", dealer);
  const passes = table.options.misdeal === "redeal_then_pass" && table.misdeals >= REDEALS_ALLOWED;
  const misdeals = passes ? 0 : table.misdeals + 1;
  takeAway(table, passes ? nextSeat(dealer, table.seats.length) : dealer);
  table.misdeals = misdeals;
};

/** Cancels the running deal; this seat is due to deal. @type {(table: Table, dealerDue: Seat) => void} */
export const takeAway = (table, dealerDue) => {
  const endings = table.endings.filter((ending) => !ending.ofDeal);
  Object.assign(table, { deal: null, dealerDue, claim: null, endings, misdeals: 0 });
};

/**
 * A seat holds a wrong number of cards, and play goes on with them.
 * @type {(table: RunningTable, act: ActOf<"wrong_deal">) => void}
 */
export const wrongDealFound = (table, { seat, cards }) => wronglyDealt(table, seat, cards);

/** @type {(table: RunningTable, seat: Seat, cards: number, more?: number) => void} */
const wronglyDealt = (table, seat, cards, more = cards - table.deal.sizes[seat]) => {
  const { deal } = table;
  note(table, "wrong-deal", seat, { cards: String(cards) });
  deal.sights.push({ kind: "resized", line: table.line, seat: placeOf(deal, seat), more });
  deal.sizes[seat] = Math.max(deal.sizes[seat] + more, 0);
  const before = deal.stock;
  if (before) deal.stock = Math.max(before - more, 0);
  deal.toDraw = deal.toDraw.slice(0, deal.stock);
  deal.otherwise = null;
  if (before && !deal.stock && deal.lies) takePinta(table);
  else if (more < 0 && !before && deal.supposed) leavePinta(table, -more);
};

/** One card more was dealt: the draw before took the pinta, unless it was seen. @type {(table: RunningTable) => void} */
const takePinta = (table) => {
  const { deal, line } = table;
  const last = deal.sights.findLast(({ kind }) => kind === "drew");
  if (last?.kind !== "drew" || last.card) {
    deal.stock = 1;
    return;
  }
  deal.lies = false;
  deal.supposed = deal.seats[last.seat];
  deal.sights.push({ kind: "recalled", line, seat: last.seat, card: BIT[deal.pinta] });
  learn(table, deal.supposed, BIT[deal.pinta]);
};

/**
 * Fewer cards were dealt: the pinta that nobody saw drawn still lies there.
 * @type {(table: RunningTable, stock: number) => void}
 */
const leavePinta = (table, stock) => {
  const { deal, line } = table;
  const card = BIT[deal.pinta];
  const place = placeOf(deal, deal.supposed);
  const at = deal.sights.findLastIndex(({ kind }) => kind === "drew");
  const isSeen = deal.sights.slice(at).some((one) => one.kind === "held" && one.seat === place && one.cards & card);
  if (deal.played & card || isSeen) return;
  const since = deal.sights.slice(0, at + 1).reduce((latest, one) => Math.max(latest, one.line), 0);
  if (deal.tricks.length && !deal.laid.length && !deal.drew.length) {
    deal.toDraw = orderFrom(leaderOf(deal), deal.seats.length).slice(0, stock);
  }
  deal.sights.push({ kind: "returned", line, seat: place, card, since });
  deal.held[deal.supposed] &= ~card;
  const isGone = (/** @type {{line: number, rule: string}} */ one) =>
    deal.breaches.some((breach) => breach.line === one.line && breach.rule === one.rule);
  table.findings = table.findings.filter((one) => !isGone(one));
  Object.assign(deal, { stock, lies: true, supposed: "", breaches: [], suspects: [] });
};

/**
 * The trump is known; the pinta lies under the stock, or is the dealer's last card.
 * @type {(table: RunningTable, act: ActOf<"pinta">) => void}
 */
export const pintaTurned = (table, { card }) => {
  const { deal } = table;
  const lies = table.options.pinta_from !== "dealers_last_card";
  Object.assign(deal, { trump: suitOf(card), pinta: card, lies, stockCards: without(deal.stockCards, card) });
  const seat = lies ? -1 : placeOf(deal, deal.dealer);
  deal.sights.push({ kind: "turned", line: table.line, seat, card: BIT[card] });
  if (!lies) learn(table, deal.dealer, BIT[card]);
};

/**
 * Cards of a seat become known: those it still holds of the hand dealt, or its hand now. A hand may be entered in part:
 * fewer cards than were dealt prove nothing about the others.
 * @type {(table: RunningTable, act: ActOf<"hand">) => void}
 */
export const handEntered = (table, { seat, cards, moment = "dealt" }) => {
  const mask = maskOf(cards);
  if (moment === "now") {
    const deal = afterOwnDraw(table.deal, seat, mask);
    const more = cards.length - deal.sizes[seat] - (deal.toDraw.includes(seat) ? 1 : 0);
    table.deal = deal;
    if (more > 0) wronglyDealt(table, seat, cards.length, more);
    const drawing = mayHaveDrawnUnseen(deal, seat);
    deal.sights.push({ kind: "held", line: table.line, seat: placeOf(deal, seat), cards: mask, drawing, isSecret: true });
    learn(table, seat, mask);
    return;
  }
  const { deal } = table;
  const isStart = !deal.tricks.length && !deal.laid.length;
  const many = Math.max(cards.length, countOf(deal.held[seat] | (mask & ~swappedAway(deal))));
  if (many > deal.sizes[seat] && isStart) wronglyDealt(table, seat, many);
  const isWhole = cards.length >= table.options.hand_size;
  deal.sights.push({ kind: "was_dealt", line: table.line, seat: placeOf(deal, seat), cards: mask, isWhole });
  const left = mask & ~(swappedAway(deal) | deal.played);
  if (deal.isEntered) {
    exclude(deal, seat, left);
    return;
  }
  table.deal = afterOwnDraw(deal, seat, left);
  learn(table, seat, left);
};

/**
 * The order of the stock becomes known; a wrong number of cards gives a finding.
 * @type {(table: RunningTable, act: ActOf<"stock">) => void}
 */
export const stockEntered = (table, { cards }) => {
  const { stock, lies, trump } = table.deal;
  const isWrong = cards.length !== Math.max(stock - (lies || !trump ? 1 : 0), 0);
  if (isWrong) note(table, "wrong-deal", "", { cards: String(cards.length) });
  table.deal.stockCards = cards;
  table.deal.sights.push({ kind: "stacked", line: table.line, cards: maskOf(cards) });
};

/**
 * Cards shown are known to be held; a suit shown void, or a whole hand, excludes the others.
 * @type {(table: RunningTable, act: ActOf<"show">) => void}
 */
export const cardsShown = (table, { seat, cards = [], void: lacking = [], whole = false }) => {
  if (!cards.length && !lacking.length && !whole) return;
  const mask = maskOf(cards);
  const deal = (table.deal = afterOwnDraw(table.deal, seat, mask));
  let absent = whole ? deal.deck & ~(mask | deal.held[seat]) : 0n;
  for (const suit of lacking) absent |= SUIT_MASK[suit];
  const seen = { line: table.line, seat: placeOf(deal, seat) };
  const isWaiting = whole && deal.toDraw.includes(seat);
  if (isWaiting) deal.sights.push({ kind: "waited", ...seen });
  deal.sights.push({ kind: "held", ...seen, cards: mask, drawing: !isWaiting && mayHaveDrawnUnseen(deal, seat) });
  deal.sights.push({ kind: "lacked", ...seen, cards: absent });
  deal.absent[seat] |= absent;
  learn(table, seat, mask);
};
