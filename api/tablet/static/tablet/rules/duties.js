/** Duties of play in arrastre: which cards may be laid, and which duty each other card breaks. */
import { ABOVE, BIT, SUIT_MASK, maskOf, suitOf } from "./cards.js";
import { nextSeat, sideOf } from "./seats.js";
/** @import { Card, Cards, Suit } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat } from "./seats.js" */
/**
 * @typedef {{rule: string, when: Cards, keep: Cards}} Duty binds a hand that has one of `when` to a card of `keep`
 * @typedef {{led: Cards, follow: Duty[], void: Duty[]}} Position
 * @typedef {{high: Card, best: Card, isPartner: boolean}} TrickStanding how a trick stands
 */

/** Case of renuncio for a breach of each duty. @type {Record<string, string>} */
export const CASES = { follow: "follow", beat: "beat", trump: "trump", overtrump: "trump", undertrump: "trump" };
export const DUTIES = Object.keys(CASES);

/** Whether a case of renuncio is one of these. @type {(cases: readonly string[], one: string | undefined) => boolean} */
export const isCase = (cases, one) => one !== undefined && cases.includes(one);

/** Place in the trick of the card that wins. @type {(cards: Card[], trump: Suit, options: Options) => number} */
export const bestIndex = (cards, trump, options) => {
  const above = ABOVE[options.sota_caballo];
  let best = 0;
  cards.forEach((card, index) => {
    const isTrumped = suitOf(card) === trump && suitOf(cards[best]) !== trump;
    if (above[cards[best]] & BIT[card] || isTrumped) best = index;
  });
  return best;
};

/**
 * Position of a seat before it plays a card on an open trick; null when it leads.
 * @type {(plays: {seat: Seat, card: Card}[], seat: Seat, trump: Suit, options: Options) => Position | null}
 */
export const facing = (plays, seat, trump, options) => {
  if (!plays.length) return null;
  const cards = plays.map((play) => play.card);
  const best = bestIndex(cards, trump, options);
  const above = ABOVE[options.sota_caballo];
  const high = cards.reduce((highest, card) => (above[highest] & BIT[card] ? card : highest));
  const isPartner = sideOf(plays[best].seat) === sideOf(seat);
  const won = { high, best: cards[best], isPartner };
  const ofVoid = suitOf(high) === trump ? [] : voidOfSuit(options, trump, won);
  return { led: SUIT_MASK[suitOf(high)], follow: following(options, trump, won), void: ofVoid };
};

/** @type {(rule: string, when: Cards, keep: Cards) => Duty} */
const bind = (rule, when, keep) => ({ rule, when, keep });

/**
 * Duties of a seat that has the suit led, besides following it.
 * @type {(options: Options, trump: Suit, won: TrickStanding) => Duty[]}
 */
const following = (options, trump, { high, best, isPartner }) => {
  const isTrumped = suitOf(best) === trump && suitOf(high) !== trump;
  if (isPartner && !options.beat_partner) return [];
  if (isTrumped && !options.beat_after_trumped) return [];
  const higher = ABOVE[options.sota_caballo][high];
  return [bind("beat", higher, higher)];
};

/**
 * Duties of a seat that has no card of the suit led, a side suit.
 * @type {(options: Options, trump: Suit, won: TrickStanding) => Duty[]}
 */
const voidOfSuit = (options, trump, { best, isPartner }) => {
  const trumps = SUIT_MASK[trump];
  if (isPartner) return options.trump_partner ? [bind("trump", trumps, trumps)] : [];
  if (suitOf(best) !== trump) return [bind("trump", trumps, trumps)];
  const higher = ABOVE[options.sota_caballo][best];
  const over = options.overtrump ? bind("overtrump", higher, higher) : bind("trump", higher, trumps);
  return options.undertrump === "forced" ? [over, bind("undertrump", trumps, trumps)] : [over];
};

/** Duties that bind this hand, in order. @type {(position: Position, hand: Cards) => Duty[]} */
const chain = (position, hand) =>
  hand & position.led ? [bind("follow", position.led, position.led), ...position.follow] : position.void;

/** Cards of the hand that break no duty. @type {(position: Position, hand: Cards) => Cards} */
const lawful = (position, hand) =>
  chain(position, hand).reduce((scope, { when, keep }) => (scope & when ? scope & keep : scope), hand);

/**
 * Rule of the last duty that narrowed the choice of this hand, or null.
 * @type {(position: Position, hand: Cards) => string | null}
 */
const lastDuty = (position, hand) => {
  let scope = hand;
  /** @type {string | null} */
  let found = null;
  for (const { rule, when, keep } of chain(position, hand)) {
    if (scope & when && (scope & keep) !== scope) [scope, found] = [scope & keep, rule];
  }
  return found;
};

/**
 * Duty that a card of this hand would break, the first if several.
 * @type {(position: Position, hand: Cards, card: Card) => string | null}
 */
export const breach = (position, hand, card) => {
  let scope = hand;
  for (const { rule, when, keep } of chain(position, hand)) {
    if (!(scope & when)) continue;
    if (!(keep & BIT[card])) return rule;
    scope &= keep;
  }
  return null;
};

/**
 * Cards of which each single one, held besides `card`, makes laying it a breach.
 * @type {(position: Position, card: Card) => Cards}
 */
export const accusersOf = (position, card) => {
  const isFollowing = position.led & BIT[card];
  const duties = isFollowing ? position.follow : position.void;
  const broken = duties.filter(({ keep }) => !(keep & BIT[card]));
  return broken.reduce((found, { when }) => found | when, isFollowing ? 0n : position.led);
};

/** @type {(trick: {seat: Seat}[], options: Options) => Seat} */
const nextTo = (trick, options) => (trick.length ? nextSeat(trick[trick.length - 1].seat, options.players) : "");

/**
 * Which cards of a hand may be laid on a trick in arrastre, and the last duty that narrowed the choice: "follow", "beat",
 * "trump", "overtrump" or "undertrump", "free", or "lead" on an empty trick. The seat is the next one if none is given.
 * @param {Options} options @param {Suit} trump @param {Card[]} hand @param {{seat: Seat, card: Card}[]} trick @param {Seat} [seat]
 */
export const duty = (options, trump, hand, trick, seat = nextTo(trick, options)) => {
  const position = facing(trick, seat, trump, options);
  if (!position) return { lawful: [...hand], duty: "lead" };
  const mask = maskOf(hand);
  const may = lawful(position, mask);
  return { lawful: hand.filter((card) => may & BIT[card]), duty: lastDuty(position, mask) ?? "free" };
};
