/** What is announced: cantes, the swap of the pinta, a tute. Barred ones are recorded as such. */
import { BIT, CANTE_PAIR, SUITS, maskOf, pointsOf, swapCard } from "./cards.js";
import { CANTE_OF_ANOTHER, CANTE_OF_TRUMP } from "./counting.js";
import { afterOwnDraw } from "./drawing.js";
import { exchanged, learnt } from "./learning.js";
import { partnerOf, sideOf } from "./seats.js";
import { added, isKnown, isPlayedOut, leaderOf, mayHaveDrawn, note, swappedAway, takerOf } from "./state.js";

const SIDE_SUITS = SUITS.length - 1;

/** Whether an announcement is in time: between the trick's end and the end of its window. */
const windowIsOpen = (deal, window, side) => {
  if (isPlayedOut(deal)) return false;
  if (deal.laid.length) {
    const isOwn = deal.laid.every((play) => sideOf(play.seat) === side);
    return window === "before_rival_card" && isOwn;
  }
  const taker = takerOf(deal);
  return window !== "before_draw" || !taker || !deal.gap.drew.includes(taker);
};

/** Whether a side has won the trick that an announcement needs. */
const hasWon = (deal, side, which) => {
  const tricks = which === "last_trick" ? deal.tricks.slice(-1) : deal.tricks;
  return which === "none" || tricks.some((trick) => sideOf(trick.taker) === side);
};

/** Whether a seat certainly lacks one of these cards. */
const cannotHold = (deal, seat, cards) => (cards & lacked(afterOwnDraw(deal, seat, cards), seat)) !== 0n;

/** Cards that a seat certainly does not hold. */
const lacked = (deal, seat) => {
  let elsewhere = deal.played | deal.absent[seat] | ~deal.deck | maskOf(deal.stockCards);
  for (const other of deal.seats) if (other !== seat) elsewhere |= deal.held[other];
  if (deal.lies && deal.pinta) elsewhere |= BIT[deal.pinta];
  if (isKnown(deal, seat) && !mayHaveDrawn(deal, seat)) elsewhere |= deal.deck & ~deal.held[seat];
  return elsewhere;
};

/** A cante counts unless a condition bars it; then it is void, with the reason beside it. */
export const canteAnnounced = (table, line, { seat, suit = "", shown = null }) => {
  const { deal, options } = table;
  const barred = canteBarred(deal, seat, suit, options);
  let noted = barred.reduce((now, rule) => note(now, line, rule, seat, { suit }), table);
  if (shouldBeShown(deal, suit, shown, options)) noted = note(noted, line, "cante-not-shown", seat, { suit });
  const suits = possibleSuits(deal, suit);
  const cards = suits.reduce((mask, each) => mask | CANTE_PAIR[each], 0n);
  const cante = {
    line,
    seat,
    suit,
    points: suit === deal.trump ? CANTE_OF_TRUMP : CANTE_OF_ANOTHER,
    trick: deal.tricks.length,
    void: barred.length > 0,
    suits,
    elsewhere: lacked(afterOwnDraw(deal, seat, cards), seat),
  };
  const sung = added(deal, "cantes", cante);
  const isSeen = shown === true && suit && !barred.includes("cante-disproved");
  return { ...noted, deal: isSeen ? shownToHold(sung, seat, cards, line, options) : sung };
};

const shownToHold = (deal, seat, cards, line, options) =>
  learnt(afterOwnDraw(deal, seat, cards), seat, cards, line, options);

/** The suit of a cante, or every side suit not yet sung. */
const possibleSuits = (deal, suit) => {
  if (suit) return [suit];
  const sung = deal.cantes.filter((cante) => !cante.void).map((c) => c.suit);
  return [...SUITS].filter((each) => each !== deal.trump && !sung.includes(each));
};

/** Rules that bar a cante. */
export const canteBarred = (deal, seat, suit, options) => {
  const side = sideOf(seat);
  const sung = deal.cantes.filter((cante) => !cante.void);
  const ofTrick = sung.filter((cante) => cante.trick === deal.tricks.length && sideOf(cante.seat) === side);
  const perPlayer = sung.filter((cante) => cante.trick === deal.tricks.length && cante.seat === seat).length;
  const named = new Set(sung.map((cante) => cante.suit).filter(Boolean));
  const hidden = sung.filter((cante) => !cante.suit).length;
  const ofSideSuits = [...named].filter((each) => each !== deal.trump).length;
  const twenties = ofSideSuits + hidden + (suit !== deal.trump ? 1 : 0);
  const suits = possibleSuits(deal, suit);
  const hasTrick = deal.tricks.length > 0;
  return holding({
    "cante-no-trick": !hasWon(deal, side, options.cante_needs_trick) || !hasTrick,
    "cante-late": hasTrick && !windowIsOpen(deal, options.cante_window, side),
    "cante-after-swap": options.cante_before_swap && deal.gap.swapped,
    "cante-in-arrastre": !options.cante_in_arrastre && deal.stock === 0,
    "cante-already-sung": named.has(suit) || twenties > SIDE_SUITS,
    "cantes-per-player": perPlayer >= options.cantes_per_player,
    "cantes-per-side": options.cantes_per_side > 0 && ofTrick.length >= options.cantes_per_side,
    "cante-disproved": suits.length > 0 && suits.every((each) => cannotHold(deal, seat, CANTE_PAIR[each])),
  });
};

const holding = (reasons) => Object.keys(reasons).filter((rule) => reasons[rule]);

/** What an act says about earlier cantes: cards that turn out to have been elsewhere. */
export const cantesDoubted = (table, line, act) => {
  const { deal } = table;
  let noted = table;
  const cantes = deal.cantes.map((cante) => {
    if (cante.void || cante.line === line) return cante;
    const elsewhere = cante.elsewhere | seenElsewhere(deal, cante.seat, act);
    if (!isWithout(cante, cante.elsewhere) && isWithout(cante, elsewhere)) {
      noted = note(noted, cante.line, "cante-disproved", cante.seat, { suit: cante.suit }, line);
    }
    return { ...cante, elsewhere };
  });
  return { ...noted, deal: { ...deal, cantes } };
};

const isWithout = (cante, elsewhere) =>
  cante.suits.length > 0 && cante.suits.every((suit) => CANTE_PAIR[suit] & elsewhere);

/** Cards that an act shows not to have been in the hand of a singer before it. */
const seenElsewhere = (deal, singer, act) => {
  let found = maskOf(deal.stockCards);
  for (const seat of deal.seats) if (seat !== singer) found |= deal.held[seat];
  const isOfOther = act.kind === "card" && act.seat !== singer;
  const isDrawn = (act.kind === "draw" || act.kind === "wrong_draw") && act.card;
  if (isOfOther || isDrawn) found |= BIT[act.card];
  return found & ~maskOf(swappedAway(deal));
};

/** Whether a cante of 20 should have been shown, or its suit named, and was not. */
const shouldBeShown = (deal, suit, shown, options) => {
  if (suit === deal.trump) return false;
  const isHidden = !suit;
  const isArrastre = deal.stock === 0;
  const needed = {
    always: isHidden || shown === false,
    not_in_arrastre: !isArrastre && (isHidden || shown === false),
    suit_named: isHidden,
    suit_on_request_in_arrastre: isHidden && !isArrastre,
  };
  return needed[options.cante_20_shown];
};

/** The cards lie as they were put; a barred swap is noticed. */
export const pintaSwapped = (table, line, { seat, card = "" }) => {
  const { options } = table;
  const { pinta, trump } = table.deal;
  const gave = card || swapCard(options, trump);
  const barred = swapBarred(table.deal, seat, gave, options);
  const noted = barred.reduce((now, rule) => note(now, line, rule, seat, { card: gave, pinta }), table);
  const deal = afterOwnDraw(table.deal, seat, BIT[gave]);
  const swapped = {
    ...exchanged(deal, seat, BIT[gave], BIT[pinta], line, options),
    pinta: gave,
    swaps: [...deal.swaps, { line, seat, gave, took: pinta }],
    gap: { ...deal.gap, swapped: true },
  };
  return { ...noted, deal: swapped };
};

/** Rules that bar a swap. */
export const swapBarred = (deal, seat, card, options) => {
  const side = sideOf(seat);
  const isUsual = card === swapCard(options, deal.trump);
  const isDos = card === "2" + deal.trump;
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

const partnerDrawsPinta = (deal, seat) => {
  const waiting = deal.gap.toDraw;
  if (!deal.stock || deal.stock > waiting.length) return false;
  return partnerOf(seat, deal.seats.length) === waiting[deal.stock - 1];
};

/** A tute wins the partida if the profile knows it, it is in time and nothing disproves it. */
export const tuteAnnounced = (table, line, { seat, rank, shown = null }) => {
  const { options } = table;
  const four = maskOf([...SUITS].map((suit) => rank + suit));
  const cannot = cannotHold(table.deal, seat, four);
  const isSeen = shown === true && !cannot;
  const deal = isSeen ? shownToHold(table.deal, seat, four, line, options) : table.deal;
  const now = { ...table, deal };
  if (!options.tute || !tuteIsInTime(deal, seat, options)) return note(now, line, "tute-barred", seat);
  if (cannot) return note(now, line, "tute-disproved", seat);
  const isProved = (deal.held[seat] & four) === four;
  if (!shown && !isProved) return note(now, line, "cante-not-shown", seat);
  const ending = { line, how: "tute", side: sideOf(seat), hasWon: true, ofDeal: true };
  return { ...now, endings: [...table.endings, ending] };
};

/** Whether a seat may announce a tute now. */
export const tuteIsInTime = (deal, seat, options) =>
  deal.tricks.length > 0 &&
  hasWon(deal, sideOf(seat), options.cante_needs_trick) &&
  windowIsOpen(deal, options.cante_window, sideOf(seat));
