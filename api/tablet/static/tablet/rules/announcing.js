/** What is announced: cantes, the swap of the pinta, a tute. Barred ones are recorded as such. */
import { BIT, CANTE_PAIR, SUITS, allBut, maskOf, pointsOf, swapCard } from "./cards.js";
import { afterOwnDraw } from "./drawing.js";
import { exchange, learn } from "./learning.js";
import { partnerOf, sideOf } from "./seats.js";
import { heldByOthers, isKnown, isPlayedOut, leaderOf, mayHaveDrawn, note, swappedAway, takerOf } from "./state.js";
/** @import { ActOf, Act } from "./acts.js" */
/** @import { Card, Cards, Suit } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { Deal, RunningTable } from "./state.js" */

const CANTE_OF_TRUMP = 40;
const CANTE_OF_ANOTHER = 20;
const SIDE_SUITS = SUITS.length - 1;

/**
 * Whether an announcement is in time: between the trick's end and the end of its window.
 * @type {(deal: Deal, window: Options["swap_window"], side: Side) => boolean}
 */
const windowIsOpen = (deal, window, side) => {
  if (isPlayedOut(deal)) return false;
  if (deal.laid.length) {
    return window === "before_rival_card" && deal.laid.every((play) => sideOf(play.seat) === side);
  }
  return window !== "before_draw" || !deal.drew.includes(takerOf(deal) ?? "");
};

/**
 * Whether a side has won the trick that an announcement needs.
 * @type {(deal: Deal, side: Side, which: Options["swap_needs_trick"]) => boolean}
 */
const hasWon = ({ tricks }, side, which) => {
  const those = which === "last_trick" ? tricks.slice(-1) : tricks;
  return which === "none" || those.some((trick) => sideOf(trick.taker) === side);
};

/** Cards that a seat certainly does not hold. @type {(deal: Deal, seat: Seat) => Cards} */
const lacked = (deal, seat) => {
  let elsewhere = heldByOthers(deal, seat) | maskOf(deal.stockCards) | deal.played | deal.absent[seat];
  if (deal.lies) elsewhere |= BIT[deal.pinta];
  if (isKnown(deal, seat) && !mayHaveDrawn(deal, seat)) elsewhere |= allBut(deal.held[seat]);
  return elsewhere | allBut(deal.deck);
};

/** Whether a seat certainly lacks one of these cards. @type {(deal: Deal, seat: Seat, cards: Cards) => boolean} */
const cannotHold = (deal, seat, cards) => (cards & lacked(afterOwnDraw(deal, seat, cards), seat)) !== 0n;

/** Reasons that hold. @type {(reasons: Record<string, boolean>) => string[]} */
const holding = (reasons) => Object.keys(reasons).filter((rule) => reasons[rule]);

/**
 * A cante counts unless a condition bars it; then it is void, with the reason beside it.
 * @type {(table: RunningTable, act: ActOf<"cante">) => void}
 */
export const canteAnnounced = (table, { seat, suit = "", shown = null }) => {
  const { deal, options, line } = table;
  const barred = canteBarred(deal, seat, suit, options);
  for (const rule of barred) note(table, rule, seat, { suit });
  if (shouldBeShown(deal, suit, shown, options)) note(table, "cante-not-shown", seat, { suit });
  const suits = possibleSuits(deal, suit);
  const cards = suits.reduce((mask, each) => mask | CANTE_PAIR[each], 0n);
  const points = suit === deal.trump ? CANTE_OF_TRUMP : CANTE_OF_ANOTHER;
  const elsewhere = lacked(afterOwnDraw(deal, seat, cards), seat);
  const isVoid = barred.length > 0;
  deal.cantes.push({ line, seat, suit, points, trick: deal.tricks.length, void: isVoid, suits, elsewhere });
  if (shown && suit && !barred.includes("cante-disproved")) showToHold(table, seat, cards);
};

/** @type {(table: RunningTable, seat: Seat, cards: Cards) => void} */
const showToHold = (table, seat, cards) => {
  table.deal = afterOwnDraw(table.deal, seat, cards);
  learn(table, seat, cards);
};

/** The suit of a cante, or every side suit not yet sung. @type {(deal: Deal, suit: Suit) => Suit[]} */
const possibleSuits = ({ trump, cantes }, suit) => {
  if (suit) return [suit];
  const sung = cantes.filter((cante) => !cante.void).map((cante) => cante.suit);
  return [...SUITS].filter((each) => each !== trump && !sung.includes(each));
};

/** Rules that bar a cante. @type {(deal: Deal, seat: Seat, suit: Suit, options: Options) => string[]} */
export const canteBarred = (deal, seat, suit, options) => {
  const { tricks, trump } = deal;
  const side = sideOf(seat);
  const sung = deal.cantes.filter((cante) => !cante.void);
  const ofTrick = sung.filter((cante) => cante.trick === tricks.length && sideOf(cante.seat) === side);
  const ofPlayer = ofTrick.filter((cante) => cante.seat === seat);
  const twenties = sung.filter((cante) => cante.suit !== trump).length + (suit === trump ? 0 : 1);
  const suits = possibleSuits(deal, suit);
  return holding({
    "cante-no-trick": !hasWon(deal, side, options.cante_needs_trick) || !tricks.length,
    "cante-late": tricks.length > 0 && !windowIsOpen(deal, options.cante_window, side),
    "cante-after-swap": options.cante_before_swap && deal.swapped,
    "cante-in-arrastre": !options.cante_in_arrastre && !deal.stock,
    "cante-already-sung": twenties > SIDE_SUITS || (suit !== "" && sung.some((cante) => cante.suit === suit)),
    "cantes-per-player": ofPlayer.length >= options.cantes_per_player,
    "cantes-per-side": options.cantes_per_side > 0 && ofTrick.length >= options.cantes_per_side,
    "cante-disproved": suits.length > 0 && suits.every((each) => cannotHold(deal, seat, CANTE_PAIR[each])),
  });
};

/**
 * What an act says about earlier cantes: cards that turn out to have been elsewhere.
 * @type {(table: RunningTable, act: Act) => void}
 */
export const doubtCantes = (table, act) => {
  const { deal, line } = table;
  /** @type {(suits: Suit[], elsewhere: Cards) => boolean} */
  const isWithout = (suits, elsewhere) =>
    suits.length > 0 && suits.every((suit) => CANTE_PAIR[suit] & elsewhere);
  deal.cantes = deal.cantes.map((cante) => {
    if (cante.void || cante.line === line) return cante;
    const { seat, suit, suits } = cante;
    const elsewhere = cante.elsewhere | seenElsewhere(deal, seat, act);
    const isNew = isWithout(suits, elsewhere) && !isWithout(suits, cante.elsewhere);
    if (isNew) note(table, "cante-disproved", seat, { suit }, cante.line);
    return { ...cante, elsewhere };
  });
};

/**
 * Cards that an act shows not to have been in the hand of a singer before it.
 * @type {(deal: Deal, singer: Seat, act: Act) => Cards}
 */
const seenElsewhere = (deal, singer, act) => {
  const isOfOther = act.kind === "card" && act.seat !== singer;
  const isDrawn = act.kind === "draw" || act.kind === "wrong_draw";
  const shown = (isOfOther || isDrawn) && act.card ? BIT[act.card] : 0n;
  return (shown | maskOf(deal.stockCards) | heldByOthers(deal, singer)) & ~swappedAway(deal);
};

/**
 * Whether a cante of 20 should have been shown, or its suit named, and was not.
 * @type {(deal: Deal, suit: Suit, shown: boolean | null, options: Options) => boolean}
 */
const shouldBeShown = ({ trump, stock }, suit, shown, { cante_20_shown: how }) => {
  if (suit === trump) return false;
  const isFree = stock > 0;
  if (!suit) return how === "always" || how === "suit_named" || isFree;
  return shown === false && (how === "always" || (how === "not_in_arrastre" && isFree));
};

/**
 * The cards lie as they were put; a barred swap is noticed.
 * @type {(table: RunningTable, act: ActOf<"swap">) => void}
 */
export const pintaSwapped = (table, { seat, card = "" }) => {
  const { options, line } = table;
  const { pinta, trump } = table.deal;
  const gave = card || swapCard(options, trump);
  for (const rule of swapBarred(table.deal, seat, gave, options)) note(table, rule, seat, { card: gave, pinta });
  const deal = (table.deal = afterOwnDraw(table.deal, seat, BIT[gave]));
  exchange(table, seat, BIT[gave], BIT[pinta]);
  deal.swaps.push({ line, seat, gave, took: pinta });
  Object.assign(deal, { pinta: gave, swapped: true });
};

/** Rules that bar a swap. @type {(deal: Deal, seat: Seat, card: Card, options: Options) => string[]} */
export const swapBarred = (deal, seat, card, options) => {
  const side = sideOf(seat);
  const isUsual = card === swapCard(options, deal.trump);
  const isDos = card === `2${  deal.trump}`;
  const needs = options.swap_needs_trick;
  const hasNoLead = needs === "none" && sideOf(leaderOf(deal)) !== side;
  return holding({
    "swap-barred": !options.swap || !(isUsual || isDos),
    "two-for-seven-barred": isDos && !(options.two_for_seven && deal.pinta[0] === "7"),
    "swap-by": options.swap_by === "leader" && seat !== leaderOf(deal),
    "swap-no-trick": !hasWon(deal, side, needs) || hasNoLead,
    "swap-late": !windowIsOpen(deal, options.swap_window, side),
    "swap-only-for-value": options.swap_only_for_value && !pointsOf(deal.pinta),
    "swap-last-draw": options.swap_last_draw === "not_with_partner" && partnerDrawsPinta(deal, seat),
    "swap-disproved": cannotHold(deal, seat, BIT[card]),
  });
};

/** @type {(deal: Deal, seat: Seat) => boolean} */
const partnerDrawsPinta = ({ stock, toDraw, seats }, seat) =>
  stock > 0 && stock <= toDraw.length && partnerOf(seat, seats.length) === toDraw[stock - 1];

/**
 * A tute wins the partida if the profile knows it, it is in time and nothing disproves it.
 * @type {(table: RunningTable, act: ActOf<"tute">) => void}
 */
export const tuteAnnounced = (table, { seat, rank, shown = null }) => {
  const { deal, options, line } = table;
  const four = maskOf([...SUITS].map((suit) => rank + suit));
  const cannot = cannotHold(deal, seat, four);
  const isSeen = shown === true && !cannot;
  const isProved = isSeen || (deal.held[seat] & four) === four;
  if (!tuteIsInTime(deal, seat, options)) note(table, "tute-barred", seat);
  else if (cannot) note(table, "tute-disproved", seat);
  else if (!isProved) note(table, "cante-not-shown", seat);
  else table.endings.push({ line, how: "tute", side: sideOf(seat), hasWon: true, ofDeal: true });
  if (isSeen) showToHold(table, seat, four);
};

/** Whether a seat may announce a tute now. @type {(deal: Deal, seat: Seat, options: Options) => boolean} */
export const tuteIsInTime = (deal, seat, options) =>
  options.tute &&
  deal.tricks.length > 0 &&
  hasWon(deal, sideOf(seat), options.cante_needs_trick) &&
  windowIsOpen(deal, options.cante_window, sideOf(seat));
