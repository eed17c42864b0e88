/**
 * Whether one slip of the recorder would explain what looks like a renuncio, as in `referee/rules/evidence/slips.py`: two seats
 * exchanged within a trick, a card taken for another beside it on the pad, a card entered that was not laid, a card left out.
 */
import { BIT, SUITS, cardsIn, countOf } from "../cards.js";
import { bestIndex, breach, facing } from "../duties.js";
import { nextSeat, orderFrom } from "../seats.js";
/** @import { Card, Cards } from "../cards.js" */
/** @import { Options } from "../options.js" */
/** @import { Seat } from "../seats.js" */
/** @import { Deal, Play } from "../state.js" */
/** @import { Sight } from "./sung.js" */

/**
 * The tricks of a deal as recorded, the last one perhaps open. Duties hold from the trick `arrastre` on, counted from 0; `may`:
 * cards that a seat can have had by all that is known otherwise than from the cards it laid; `known`: those that it had by that; `sizes`: how many it was given; `barred`: for each play those that its seat showed or drew later, or lacked.
 * @typedef {{tricks: Play[][], arrastre: number, leader: Seat, deal: Deal, options: Options, known: Record<Seat, Cards>, may: Record<Seat, Cards>, sizes: Record<Seat, number>, barred: Map<number, Cards>}} Course
 */

/** The tricks of a deal with cards, as recorded by `then` if given; null if one without cards stands between them. @type {(deal: Deal, options: Options, then?: (line: number) => boolean) => Course | null} */
export const courseOf = (deal, options, then = () => true) => {
  const { closed, leader } = withCards(deal);
  if (!deal.trump || closed.some((plays) => !plays.length)) return null;
  const tricks = [...closed, deal.laid].map((plays) => plays.filter(({ line }) => then(line))).filter(({ length }) => length);
  const sights = deal.sights.filter(({ line }) => then(line));
  const { known, may, sizes } = mayHaveHad(deal, sights);
  const held = sights.length < deal.sights.length ? leftOf(known, sights) : deal.held;
  return { tricks, arrastre: firstWithDuties(sights, tricks), leader, deal: { ...deal, held }, options, known, may, sizes, barred: barredOf(deal, sights) };
};

/** Closed tricks from the first to the last with cards, and the seat due to lead the first. @type {(deal: Deal) => {closed: Play[][], leader: Seat}} */
const withCards = ({ dealer, laid, seats, tricks }) => {
  const all = tricks.map(({ plays }) => plays);
  const has = (/** @type {Play[]} */ plays) => plays.length > 0;
  const first = all.some(has) ? all.findIndex(has) : all.length;
  const last = laid.length ? all.length : all.findLastIndex(has) + 1;
  return { closed: all.slice(first, Math.max(first, last)), leader: tricks[first - 1]?.taker ?? nextSeat(dealer, seats.length) };
};

/** Cards known to be left in each hand. @type {(known: Record<Seat, Cards>, sights: Sight[]) => Record<Seat, Cards>} */
const leftOf = (known, sights) => {
  let gone = 0n;
  for (const sight of sights)
    if (sight.kind === "played") gone |= sight.card;
    else if (sight.kind === "swapped") gone = (gone & ~sight.took) | sight.gave;
    else if (sight.kind === "drew" || sight.kind === "recalled") gone &= ~sight.card;
  return Object.fromEntries(Object.entries(known).map(([seat, cards]) => [seat, cards & ~gone]));
};

/** For each play the cards that its seat cannot have laid: shown or drawn later, or lacked. @type {(deal: Deal, sights: Sight[]) => Map<number, Cards>} */
const barredOf = ({ deck, seats }, sights) => {
  const [lacked, shown] = [seats.map(() => 0n), seats.map(() => 0n)];
  for (const sight of sights) if (sight.kind === "was_dealt" && sight.isWhole) lacked[sight.seat] = deck & ~sight.cards;
  /** @type {Map<number, Cards>} */
  const found = new Map();
  for (const sight of sights)
    if (sight.kind === "lacked") lacked[sight.seat] |= sight.cards;
    else if (sight.kind === "played") found.set(sight.line, lacked[sight.seat]);
    else if (sight.kind === "drew" || sight.kind === "recalled" || sight.kind === "swapped") lacked[sight.seat] = 0n;
  for (const sight of [...sights].reverse())
    if (sight.kind === "held") shown[sight.seat] |= sight.cards;
    else if (sight.kind === "drew" || sight.kind === "recalled") shown[sight.seat] |= sight.card;
    else if (sight.kind === "swapped") shown[sight.seat] |= sight.gave | sight.took;
    else if (sight.kind === "played") found.set(sight.line, (found.get(sight.line) ?? 0n) | shown[sight.seat]);
  return found;
};

/** Number of the first trick without a stock. @type {(sights: Sight[], tricks: Play[][]) => number} */
const firstWithDuties = (sights, tricks) => {
  let stock = 0;
  const free = new Set();
  for (const sight of sights) {
    if (sight.kind === "dealt") stock = sight.stock;
    else if (sight.kind === "drew") stock -= 1;
    else if (sight.kind === "resized") stock -= stock ? sight.more : 0;
    else if (sight.kind === "played" && stock > 0) free.add(sight.line);
  }
  return tricks.filter((plays) => plays.some(({ line }) => free.has(line))).length;
};

/** What each seat had, and can have had, by what was seen besides the cards it laid. @type {(deal: Deal, sights: Sight[]) => Pick<Course, "known" | "may" | "sizes">} */
const mayHaveHad = ({ deck, lies, pinta, seats }, sights) => {
  const known = seats.map(() => 0n);
  let many = seats.map(() => 0);
  for (const sight of sights) {
    if (sight.kind === "dealt") many = [...sight.sizes];
    if (sight.kind === "drew" || sight.kind === "swapped") many[sight.seat] += 1;
    if (sight.kind === "resized") many[sight.seat] += sight.more;
    for (const place of known.keys()) known[place] |= shownBy(sight, place);
  }
  const lying = lies ? BIT[pinta] : 0n;
  const may = known.map((cards, place) => {
    const others = known.reduce((all, other, at) => (at === place ? all : all | other), lying);
    return countOf(cards) >= many[place] ? cards : cards | (deck & ~others);
  });
  /** @type {<T>(all: T[]) => Record<Seat, T>} */
  const bySeat = (all) => Object.fromEntries(seats.map((seat, place) => [seat, all[place]]));
  return { known: bySeat(known), may: bySeat(may), sizes: bySeat(many) };
};

/** Cards that a sight shows to be, or to have been, in the hand of a seat; not those laid. @type {(sight: Sight, place: number) => Cards} */
const shownBy = (sight, place) => {
  if (!("seat" in sight) || sight.seat !== place) return 0n;
  switch (sight.kind) {
    case "drew":
    case "recalled":
    case "turned":
      return sight.card;
    case "held":
    case "was_dealt":
      return sight.cards;
    case "swapped":
      return sight.gave | sight.took;
    default:
      return 0n;
  }
};

/** Lines of plays that a later or a remaining card of the same hand proves to be breaches. @type {(course: Course) => Set<number>} */
const breaches = ({ arrastre, deal, options, tricks }) => {
  const hands = { ...deal.held };
  /** @type {Set<number>} */
  const found = new Set();
  for (const plays of tricks.slice(arrastre).reverse())
    plays.forEach(({ card, line, seat }, at) => {
      hands[seat] |= BIT[card];
      const position = facing(plays.slice(0, at), seat, deal.trump, options);
      if (position && breach(position, hands[seat], card)) found.add(line);
    });
  return found;
};

/** Lines of the cards that were not laid by the seat whose turn it was. @type {(course: Course) => Set<number>} */
const outOfTurn = ({ deal, leader, options, tricks }) => {
  let due = leader;
  /** @type {Set<number>} */
  const found = new Set();
  for (const plays of tricks) {
    const order = orderFrom(due, deal.seats.length);
    plays.forEach(({ line, seat }, at) => seat === order[at % order.length] || found.add(line));
    due = plays[bestIndex(plays.map(({ card }) => card), deal.trump, options)].seat;
  }
  return found;
};

/** @type {(one: Set<number>, other: Set<number>) => boolean} */
const isWithin = (one, other) => [...one].every((line) => other.has(line));

/** Whether one slip would explain the breach of a line, proved by the play of another. @type {(course: Course, line: number, proof: number) => boolean} */
export const isSlip = (course, line, proof) => {
  const [before, astray] = [breaches(course), outOfTurn(course)];
  if (!before.has(line)) return false;
  return [...candidates(course, [line, proof]), ...ofCardsKept(course, line)].some((other) => {
    const after = breaches(other);
    return !after.has(line) && isWithin(after, before) && isWithin(outOfTurn(other), astray);
  });
};

/** Whether one slip, in that trick or the one before, would explain a card out of turn. @type {(course: Course, line: number) => boolean} */
export const isTurnSlip = (course, line) => {
  const [before, astray] = [breaches(course), outOfTurn(course)];
  const at = course.tricks.findIndex((plays) => plays.some((play) => play.line === line));
  const near = [line, course.tricks[Math.max(at - 1, 0)][0].line];
  return [...reseated(course, at), ...candidates(course, near)].some((other) => {
    const after = outOfTurn(other);
    return !after.has(line) && after.size < astray.size && isWithin(after, astray) && isWithin(breaches(other), before);
  });
};

/** @type {(plays: readonly Play[]) => [Play, Play][]} */
const pairs = (plays) => plays.flatMap((one, at) => plays.slice(at + 1).map((other) => /** @type {[Play, Play]} */ ([one, other])));

/** Records in which two cards of a trick were laid by each other's seat. @type {(course: Course, at: number) => Course[]} */
const reseated = (course, at) =>
  pairs(course.tricks[at]).flatMap(([one, other]) => {
    const seats = new Map([[one, other.seat], [other, one.seat]]);
    const plays = course.tricks[at].map((play) => ({ ...play, seat: seats.get(play) ?? play.seat }));
    return canHaveLaid(course, plays) ? fitting({ ...course, tricks: course.tricks.map((old, place) => (place === at ? plays : old)) }) : [];
  });

/** @type {(course: Course, plays: {seat: Seat, card: Card, line: number}[]) => boolean} */
const canHaveLaid = ({ barred, may }, plays) => plays.every(({ card, line, seat }) => may[seat] & ~(barred.get(line) ?? 0n) & BIT[card]);

/** The record, if no seat had more cards, by those laid and those known, than it was given. @type {(course: Course) => Course[]} */
const fitting = (course) => {
  const hands = { ...course.known };
  for (const { card, seat } of course.tricks.flat()) hands[seat] |= BIT[card];
  return course.deal.seats.every((seat) => countOf(hands[seat]) <= course.sizes[seat]) ? [course] : [];
};

/** Records with one slip corrected, near these lines. @type {(course: Course, lines: number[]) => Course[]} */
const candidates = (course, lines) => {
  const near = course.tricks.filter((plays) => plays.some(({ line }) => lines.includes(line)));
  const exchanged = near.flatMap(pairs).flatMap(([one, other]) => changed(course, new Map([[one.line, other.card], [other.line, one.card]])));
  const mistaken = near.flat().flatMap((play) => mistakes(course, play));
  return [...exchanged, ...mistaken, ...(outOfTurn(course).size ? near.flat().flatMap((play) => regrouped(course, play)) : [])];
};

/** The record with other cards at some lines; none if another seat certainly had those cards. @type {(course: Course, cards: Map<number, Card>) => Course[]} */
const changed = (course, cards) => {
  const tricks = course.tricks.map((plays) =>
    plays.some(({ line }) => cards.has(line)) ? plays.map((play) => ({ ...play, card: cards.get(play.line) ?? play.card })) : plays,
  );
  return tricks.every((plays, at) => plays === course.tricks[at] || canHaveLaid(course, plays)) ? fitting({ ...course, tricks }) : [];
};

/** The card of a play taken for one beside it, which perhaps was entered in its place later. @type {(course: Course, play: Play) => Course[]} */
const mistakes = (course, { card, line, seat }) => {
  const { barred, deal, known } = course;
  const where = new Map(course.tricks.flat().map((play) => [play.card, play]));
  const kept = heldCards(deal) & ~(deal.held[seat] & ~(barred.get(line) ?? 0n));
  return beside(card, deal)
    .filter((one) => where.has(one) || !(kept & BIT[one]))
    .flatMap((one) => {
      const other = where.get(one);
      if (other) return changed(course, new Map([[line, one], [other.line, card]]));
      const held = { ...deal.held, [seat]: (deal.held[seat] & ~BIT[one]) | (BIT[card] & known[seat]) };
      return changed({ ...course, deal: { ...deal, held } }, new Map([[line, one]]));
    });
};

/** A card of the seat that laid this line taken for one that it had in hand then. @type {(course: Course, line: number) => Course[]} */
const ofCardsKept = (course, line) => {
  const flat = course.tricks.flat();
  const at = flat.findIndex((play) => play.line === line);
  const own = flat.filter(({ seat }) => seat === flat[at]?.seat);
  const later = flat.slice(at + 1).filter((play) => own.includes(play));
  const kept = later.reduce((cards, { card }) => cards | BIT[card], own.length ? course.deal.held[own[0].seat] : 0n);
  return own.filter(({ card }) => beside(card, course.deal).some((one) => kept & BIT[one])).flatMap((play) => mistakes(course, play));
};

/** Cards known to be left in the hands. @type {(deal: Deal) => Cards} */
const heldCards = ({ held, seats }) => seats.reduce((all, seat) => all | held[seat], 0n);

/** An extra card removed, or a missing one inserted before a play: all later tricks shift. @type {(course: Course, play: Play) => Course[]} */
const regrouped = (course, play) => {
  const { deal } = course;
  const flat = course.tricks.flat();
  const at = flat.indexOf(play);
  const [before, after] = [flat.slice(0, at), flat.slice(at + 1)];
  const order = orderFrom(play.seat, deal.seats.length);
  const seat = order[order.length - 1];
  const unseen = flat.reduce((left, { card }) => left & ~BIT[card], deal.deck & ~heldCards(deal));
  const missing = cardsIn(unseen & course.may[seat]).map((card) => ({ seat, card, line: 0 }));
  return [grouped(course, [...before, ...after]), ...missing.flatMap((one) => fitting(grouped(course, [...before, one, play, ...after])))];
};

/** @type {(course: Course, flat: Play[]) => Course} */
const grouped = (course, flat) => {
  const size = course.deal.seats.length;
  const tricks = flat.flatMap((_, at) => (at % size ? [] : [flat.slice(at, at + size)]));
  return { ...course, tricks };
};

/** Cards beside, above and below a card on the pad: a row for each suit, by rank from the dos up. @type {(card: Card, deal: Deal) => Card[]} */
export const beside = (card, deal) => {
  const deck = cardsIn(deal.deck);
  const row = deck.filter((one) => one[1] === card[1]);
  const [at, suit] = [row.indexOf(card), SUITS.indexOf(card[1])];
  const near = [row[at - 1], row[at + 1], card[0] + SUITS[suit - 1], card[0] + SUITS[suit + 1]];
  return near.filter((one) => deck.includes(one));
};
