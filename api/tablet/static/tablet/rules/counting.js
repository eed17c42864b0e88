/** Counting and deciding: points as items with their reason and line, totals, and who wins by them. */
import { cardsIn, pointsOf } from "./cards.js";
import { SIDES, sideOf } from "./seats.js";
import { allDeals, isPlayedOut, lastOf, orderOf } from "./state.js";
/** @import { Totals } from "./acts.js" */
/** @import { Card } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { Deal, Item, Table, Trick } from "./state.js" */

/** @typedef {{cards: number, ultimas: number, cantes: number, ruled: number}} Score */

export const DECK_POINTS = 120;
const VALUES = [11, 10, 4, 3, 2];
const OF_EACH = 4;
const MALAS = 50;
const TWO_SIDES = 2;
/** @type {Record<Item["reason"], keyof Score>} */
const FIELD_OF = { cards: "cards", ultimas: "ultimas", cante: "cantes", ruling: "ruled" };

/**
 * Possible total values of so many cards of a deck: four of each value, and many worth 0.
 * @type {(cards: number) => Set<number>}
 */
export const trickSums = (cards) => {
  /** @type {[number, number][]} */
  let reached = [[0, 0]];
  for (const value of VALUES) {
    const next = new Map();
    for (const [many, total] of reached) {
      for (let more = 0; more <= OF_EACH && many + more <= cards; more += 1) {
        next.set(`${many + more} ${total + more * value}`, [many + more, total + more * value]);
      }
    }
    reached = [...next.values()];
  }
  return new Set(reached.map(([, total]) => total));
};

/**
 * Whether tricks of so many cards and points each can be made of unseen cards, all together.
 * @type {(unseen: Card[], tricks: [number, number][]) => boolean}
 */
export const tricksFit = (unseen, tricks) => {
  const values = [...VALUES, 0];
  const counts = values.map((value) => unseen.filter((card) => pointsOf(card) === value).length);
  let reached = [counts];
  for (const [cards, points] of tricks) {
    const next = new Map();
    for (const taken of waysOf(values, cards, points)) {
      for (const left of reached) {
        const rest = left.map((many, index) => many - taken[index]);
        if (rest.every((many) => many >= 0)) next.set(rest.join(" "), rest);
      }
    }
    reached = [...next.values()];
  }
  return reached.length > 0;
};

/** How many cards of each value make these points, in every way. @type {(values: number[], cards: number, points: number) => number[][]} */
const waysOf = ([value, ...others], cards, points) => {
  if (value === undefined) return cards || points ? [] : [[]];
  return Array.from({ length: cards + 1 }, (_, taken) => taken).flatMap((taken) =>
    waysOf(others, cards - taken, points - taken * value).map((rest) => [taken, ...rest]),
  );
};

/** Points of a deal so far, in order of play: closed tricks only. @type {(table: Table, deal: Deal) => Item[]} */
export const itemsOf = ({ options, ruledOut }, deal) => {
  /** @type {[number, Item][]} */
  const items = [];
  /** @type {(trick: number, side: Side, reason: Item["reason"], points: number | null, line: number) => void} */
  const add = (trick, side, reason, points, line) => {
    if (points) items.push([trick, { side, reason, points, line }]);
  };
  deal.tricks.forEach(({ taker, points, line }, place) => add(place + 1, sideOf(taker), "cards", points, line));
  if (!hasUnknownPoints(deal)) {
    for (const side of sidesUncounted(deal)) {
      const place = deal.tricks.findLastIndex(({ taker, points }) => points === null && sideOf(taker) === side);
      add(place + 1, side, "cards", unknownPoints(deal, side)[0], deal.tricks[place].line);
    }
  }
  if (isPlayedOut(deal) && deal.tricks.length) {
    const { taker, line } = lastOf(deal.tricks);
    add(deal.tricks.length, sideOf(taker), "ultimas", options.last_trick_points, line);
  }
  /** @type {(one: {void?: boolean, line: number}) => boolean} */
  const counts = (one) => !one.void && !ruledOut.includes(one.line);
  for (const cante of deal.cantes.filter(counts)) {
    add(cante.trick, sideOf(cante.seat), "cante", cante.points, cante.line);
  }
  for (const { trick, side, points, line } of deal.ruled.filter(counts)) {
    items.push([trick, { side, reason: "ruling", points, line }]);
  }
  return items.sort(([one], [other]) => one - other).map(([, item]) => item);
};

/** Score of each side over these deals. @type {(table: Table, deals: Deal[]) => Record<Side, Score>} */
export const partidaScores = (table, deals) => {
  const sides = SIDES[table.seats.length];
  const found = Object.fromEntries(sides.map((side) => [side, { cards: 0, ultimas: 0, cantes: 0, ruled: 0 }]));
  for (const { side, reason, points } of deals.flatMap((deal) => itemsOf(table, deal))) {
    found[side][FIELD_OF[reason]] += points;
  }
  return found;
};

/** Points without cantes. @type {(score: Score) => number} */
const baseOf = ({ cards, ultimas, ruled }) => cards + ultimas + ruled;

/** Points that must reach the minimum. @type {(score: Score, options: Options) => number} */
const measuredOf = (score, { min_malas_of: what }) => (what === "cards" ? score.cards : baseOf(score));

/**
 * Points that count: cantes only above the minimum where the profile says so.
 * @type {(score: Score, options: Options) => number}
 */
const totalOf = (score, options) => {
  const isShort = options.cantes_need_min_malas && measuredOf(score, options) < options.min_malas;
  return baseOf(score) + (isShort ? 0 : score.cantes);
};

/** @type {(scores: Record<Side, Score>, options: Options) => Totals} */
const totalsOf = (scores, options) =>
  Object.fromEntries(Object.entries(scores).map(([side, score]) => [side, totalOf(score, options)]));

/**
 * Score of each side over these deals; totals that were called for tricks that nobody counted stand for all before.
 * @type {(table: Table, deals: Deal[]) => Record<Side, Score>}
 */
const scoresSoFar = (table, deals) => {
  let found = partidaScores(table, []);
  let hasOpen = false;
  for (const deal of deals) {
    const more = partidaScores(table, [deal]);
    found = Object.fromEntries(Object.entries(found).map(([side, score]) => [side, added(score, more[side])]));
    hasOpen ||= hasUnknownPoints(deal);
    if (!hasOpen || !Object.keys(deal.called).length) continue;
    for (const [side, cards] of Object.entries(deal.called)) found[side] = { cards, ultimas: 0, cantes: 0, ruled: 0 };
    hasOpen = false;
  }
  return found;
};

/** @type {(one: Score, other: Score) => Score} */
const added = (one, other) => ({
  cards: one.cards + other.cards,
  ultimas: one.ultimas + other.ultimas,
  cantes: one.cantes + other.cantes,
  ruled: one.ruled + other.ruled,
});

/** Total of each side over these deals, or over all of the partida, as far as it is known. @type {(table: Table, deals?: Deal[]) => Totals} */
export const partidaTotals = (table, deals = allDeals(table)) => totalsOf(scoresSoFar(table, deals), table.options);

/** Deals with tricks that nobody counted, and no totals called since. @type {(table: Table) => Deal[]} */
export const dealsWithoutCount = (table) => {
  /** @type {Deal[]} */
  let found = [];
  for (const deal of allDeals(table)) {
    if (hasUnknownPoints(deal)) found.push(deal);
    if (Object.keys(deal.called).length) found = [];
  }
  return found;
};

/** The least and the most points that each side can have. @type {(table: Table) => Record<Side, [number, number]>} */
export const totalSpans = (table) => {
  const scores = Object.entries(scoresSoFar(table, allDeals(table)));
  const deals = dealsWithoutCount(table);
  return Object.fromEntries(scores.map(([side, score]) => {
    const more = (/** @type {0 | 1} */ end) => deals.reduce((sum, deal) => sum + unknownPoints(deal, side)[end], score.cards);
    return [side, [totalOf({ ...score, cards: more(0) }, table.options), totalOf({ ...score, cards: more(1) }, table.options)]];
  }));
};

/**
 * The least and the most that each side can have, if that is open only for tricks whose deal has its other cards; else null.
 * @type {(table: Table) => Record<Side, [number, number]> | null}
 */
export const openSpans = (table) => {
  const open = dealsWithoutCount(table);
  return open.length > 0 && open.every(hasCards) ? totalSpans(table) : null;
};

/**
 * What the totals of all sides add up to, if only tricks of deals that are over are uncounted; null if that is not one number.
 * @type {(table: Table) => number | null}
 */
export const sumOfTotals = (table) => {
  const open = dealsWithoutCount(table);
  const isOne = !table.claim && !table.options.cantes_need_min_malas && open.every((deal) => deal.endLine && hasCards(deal));
  const left = open.flatMap(({ tricks }) => tricks).reduce((sum, { points }) => sum - (points ?? 0), DECK_POINTS * open.length);
  return isOne && open.length ? Object.values(partidaTotals(table)).reduce((sum, total) => sum + total, left) : null;
};

/** Sides with tricks that nobody counted. @type {(deal: Deal) => Set<Side>} */
const sidesUncounted = ({ tricks }) => new Set(tricks.filter(({ points }) => points === null).map(({ taker }) => sideOf(taker)));

/**
 * Whether the points of some trick are not known, nor follow from all other cards. Nothing follows where no trick has its cards.
 * @type {(deal: Deal) => boolean}
 */
export const hasUnknownPoints = (deal) => {
  const sides = [...sidesUncounted(deal)];
  return sides.length > 0 && (!hasCards(deal) || sides.some((side) => unknownPoints(deal, side)[0] !== unknownPoints(deal, side)[1]));
};

/** How many cards a trick without cards has; the card left over is in the last. @type {(deal: Deal, trick: Trick) => number} */
export const sizeWithoutCards = ({ endLine, lies, sights, tricks }, trick) => {
  const hidden = sights.find((sight) => sight.kind === "hidden" && sight.line === trick.line);
  const seats = hidden?.kind === "hidden" ? hidden.seats.length : 0;
  return seats + Number(Boolean(endLine && lies) && trick === lastOf(tricks) && !trick.plays.length);
};

/** Whether some trick has its cards; then its cantes were noted too. @type {(deal: Deal) => boolean} */
export const hasCards = ({ tricks }) => tricks.some(({ plays }) => plays.length);

/** Least and most points in the tricks of a deal that nobody counted and this side took. @type {(deal: Deal, side: Side) => [number, number]} */
const unknownPoints = (deal, side) => {
  const uncounted = deal.tricks.filter(({ points }) => points === null);
  const mine = uncounted.filter(({ taker }) => sideOf(taker) === side);
  const left = deal.tricks.reduce((sum, { points }) => sum - (points ?? 0), DECK_POINTS);
  if (!mine.length) return [0, 0];
  if (deal.endLine && mine.length === uncounted.length) return [left, left];
  const values = cardsIn(deal.deck & ~deal.played).map(pointsOf).sort((one, other) => other - one);
  const sum = (/** @type {number[]} */ some) => some.reduce((all, one) => all + one, 0);
  const many = sum(mine.map((trick) => sizeWithoutCards(deal, trick)));
  const most = Math.min(left, sum(values.slice(0, many)));
  return [Math.min(sum(values.slice(Math.max(values.length - many, 0))), most), most];
};

/** Seats that took the closed tricks of these deals, in order. @type {(deals: Deal[]) => Seat[]} */
export const takersOf = (deals) => deals.flatMap((deal) => deal.tricks.map((trick) => trick.taker));

/**
 * Sides by their latest closed trick, then in order of play from mano.
 * @type {(table: Table, deals?: Deal[]) => Side[]}
 */
const byLatest = (table, deals = allDeals(table)) => {
  const order = deals.length ? orderOf(lastOf(deals)) : table.seats;
  return [...new Set([...takersOf(deals).reverse(), ...order].map(sideOf))];
};

/**
 * A total as it is said: the number, and whether it is buenas.
 * @type {(points: number) => {points: number, buenas: boolean}}
 */
export const malasYBuenas = (points) =>
  points > MALAS ? { points: points - MALAS, buenas: true } : { points, buenas: false };

/**
 * Winner at the end of the last of these deals, and how; null if the partida goes on in vueltas.
 * @type {(table: Table, deals: Deal[]) => [Side | null, "first_deal" | "unclaimed"]}
 */
export const endOfDeal = (table, deals) => {
  const scores = scoresSoFar(table, deals);
  const total = totalsOf(scores, table.options);
  const sides = Object.keys(scores);
  const reached = sides.filter((side) => total[side] >= table.options.target);
  const latest = byLatest(table, deals);
  if (deals.length === 1) return [winnerOfFirst(scores, table.options, latest), "first_deal"];
  if (table.options.unclaimed_at_end === "another_deal") return [null, "unclaimed"];
  const rule = sides.length === TWO_SIDES ? "last_trick" : table.options.both_reach_target;
  return [ofSeveral(reached, total, rule, latest), "unclaimed"];
};

/**
 * Winner of vueltas that end with the trick or cante that makes the target; null: not yet, or a trick is uncounted.
 * @type {(table: Table) => Side | null}
 */
export const atTarget = (table) => {
  const { deal, deals, options } = table;
  if (options.vueltas_end !== "at_target" || !deal || !deals.length) return null;
  if (deal.isCounted || dealsWithoutCount(table).length) return null;
  const total = partidaTotals(table);
  const reached = Object.keys(total).filter((side) => total[side] >= options.target);
  return ofSeveral(reached, total, "last_trick", byLatest(table));
};

/**
 * Winner at the end of the first deal; `latest` are the sides by their latest closed trick. null: it goes on.
 * @type {(scores: Record<Side, Score>, options: Options, latest: Side[]) => Side | null}
 */
export const winnerOfFirst = (scores, options, latest) => {
  const sides = Object.keys(scores);
  const total = totalsOf(scores, options);
  const reached = sides.filter((side) => total[side] >= options.target);
  const standing = sides.filter((side) => measuredOf(scores[side], options) >= options.min_malas);
  const isAlways = options.min_malas_applies === "always" && sides.length === TWO_SIDES;
  const isApplied = standing.length < sides.length && (reached.length > 1 || isAlways);
  if (isApplied && standing.length === 1) return standing[0];
  const left = isApplied ? reached.filter((side) => standing.includes(side)) : reached;
  return ofSeveral(left, total, options.both_reach_target, latest);
};

/** @type {(sides: Side[], total: Totals, rule: Options["both_reach_target"], latest: Side[]) => Side | null} */
const ofSeveral = (sides, total, rule, latest) => {
  const highest = Math.max(...sides.map((side) => total[side]));
  const left = rule === "highest_total" ? sides.filter((side) => total[side] === highest) : sides;
  return latest.find((side) => left.includes(side)) ?? null;
};

/**
 * Winner when one side lost: of the others the higher total, then the later trick.
 * @type {(table: Table, loser: Side) => Side}
 */
export const against = (table, loser) => {
  const total = partidaTotals(table);
  const others = byLatest(table).filter((side) => side !== loser);
  return others.reduce((best, side) => (total[side] > total[best] ? side : best));
};
