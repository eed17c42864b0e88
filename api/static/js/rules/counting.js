/** Counting and deciding: points as items with their reason and line, totals, and who wins by them. */
import { SIDES, sideOf } from "./seats.js";
import { allDeals, isPlayedOut, orderOf } from "./state.js";

const MALAS = 50;
const TWO_SIDES = 2;
const FIELD_OF = { cards: "cards", ultimas: "ultimas", cante: "cantes", ruling: "ruled" };

/** Points of a deal so far, in order of play: closed tricks only. */
export const itemsOf = ({ options, ruledOut }, deal) => {
  const items = [];
  const add = (trick, side, reason, points, line) => points && items.push([trick, { side, reason, points, line }]);
  deal.tricks.forEach(({ taker, points, line }, place) => add(place + 1, sideOf(taker), "cards", points, line));
  if (isPlayedOut(deal) && deal.tricks.length) {
    const { taker, line } = deal.tricks.at(-1);
    add(deal.tricks.length, sideOf(taker), "ultimas", options.last_trick_points, line);
  }
  const counts = (one) => !one.void && !ruledOut.includes(one.line);
  for (const cante of deal.cantes.filter(counts)) {
    add(cante.trick, sideOf(cante.seat), "cante", cante.points, cante.line);
  }
  for (const { trick, side, points, line } of deal.ruled.filter(counts)) {
    items.push([trick, { side, reason: "ruling", points, line }]);
  }
  return items.sort(([one], [other]) => one - other).map(([, item]) => item);
};

/** Score of each side over these deals. */
export const partidaScores = (table, deals) => {
  const sides = SIDES[table.seats.length];
  const found = Object.fromEntries(sides.map((side) => [side, { cards: 0, ultimas: 0, cantes: 0, ruled: 0 }]));
  for (const { side, reason, points } of deals.flatMap((deal) => itemsOf(table, deal))) {
    found[side][FIELD_OF[reason]] += points;
  }
  return found;
};

/** Points without cantes. */
const baseOf = ({ cards, ultimas, ruled }) => cards + ultimas + ruled;

/** Points that count: cantes only above the minimum where the profile says so. */
const totalOf = (score, { cantes_need_min_malas: need, min_malas: least }) =>
  baseOf(score) + (need && baseOf(score) < least ? 0 : score.cantes);

const totalsOf = (scores, options) =>
  Object.fromEntries(Object.entries(scores).map(([side, score]) => [side, totalOf(score, options)]));

/** Total of each side over these deals, or over all of the partida. */
export const partidaTotals = (table, deals = allDeals(table)) => ({
  ...totalsOf(partidaScores(table, deals), table.options),
  ...calledOf(deals),
});

/** Totals called at the table, where the tricks of a record without cards were not counted. */
const calledOf = (deals) => (deals.some(hasUnknownPoints) ? deals.at(-1).called : {});

/** Whether the points of some trick are not known. */
export const hasUnknownPoints = (deal) => deal.isEntered && deal.tricks.some((trick) => trick.points === null);

/** Seats that took the closed tricks of these deals, in order. */
export const takersOf = (deals) => deals.flatMap((deal) => deal.tricks.map((trick) => trick.taker));

/** Sides by their latest closed trick, then in order of play from mano. */
const byLatest = (table, deals = allDeals(table)) => {
  const order = deals.length ? orderOf(deals.at(-1)) : table.seats;
  return [...new Set([...takersOf(deals).reverse(), ...order].map(sideOf))];
};

/** A total as it is said: the number, and whether it is buenas. */
export const malasYBuenas = (points) =>
  points > MALAS ? { points: points - MALAS, buenas: true } : { points, buenas: false };

/** Winner at the end of the last of these deals, and how; null if the partida goes on in vueltas. */
export const endOfDeal = (table, deals) => {
  const scores = partidaScores(table, deals);
  for (const [side, cards] of Object.entries(calledOf(deals))) {
    scores[side] = { cards, ultimas: 0, cantes: 0, ruled: 0 };
  }
  const total = totalsOf(scores, table.options);
  const sides = Object.keys(scores);
  const reached = sides.filter((side) => total[side] >= table.options.target);
  const latest = byLatest(table, deals);
  if (deals.length === 1) return [winnerOfFirst(scores, table.options, latest), "first_deal"];
  if (table.options.unclaimed_at_end === "another_deal") return [null, "unclaimed"];
  const rule = sides.length === TWO_SIDES ? "last_trick" : table.options.both_reach_target;
  return [ofSeveral(reached, total, rule, latest), "unclaimed"];
};

/** Winner at the end of the first deal; `latest` are the sides by their latest closed trick. null: it goes on. */
export const winnerOfFirst = (scores, options, latest) => {
  const sides = Object.keys(scores);
  const total = totalsOf(scores, options);
  const reached = sides.filter((side) => total[side] >= options.target);
  const standing = sides.filter((side) => baseOf(scores[side]) >= options.min_malas);
  const isAlways = options.min_malas_applies === "always" && sides.length === TWO_SIDES;
  const isApplied = standing.length < sides.length && (reached.length > 1 || isAlways);
  if (isApplied && standing.length === 1) return standing[0];
  const left = isApplied ? reached.filter((side) => standing.includes(side)) : reached;
  return ofSeveral(left, total, options.both_reach_target, latest);
};

const ofSeveral = (sides, total, rule, latest) => {
  const highest = Math.max(...sides.map((side) => total[side]));
  const left = rule === "highest_total" ? sides.filter((side) => total[side] === highest) : sides;
  return latest.find((side) => left.includes(side)) ?? null;
};

/** Winner when one side lost: of the others the higher total, then the later trick. */
export const against = (table, loser) => {
  const total = partidaTotals(table);
  const others = byLatest(table).filter((side) => side !== loser);
  return others.reduce((best, side) => (total[side] > total[best] ? side : best));
};
