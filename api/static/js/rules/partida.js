/** Deciding a partida: who wins at the end of a deal, or because another lost. */
import { baseOf, totalsOf } from "./counting.js";

const TWO_SIDES = 2;

/** Winner at the end of the first deal; null if the partida goes on in vueltas. */
export const firstDeal = (scores, options, latest) => {
  const total = totalsOf(scores, options);
  const sides = Object.keys(scores);
  const reached = sides.filter((side) => total[side] >= options.target);
  const standing = sides.filter((side) => baseOf(scores[side]) >= options.min_malas);
  const isAlways = options.min_malas_applies === "always" && sides.length === TWO_SIDES;
  if (standing.length === sides.length || !(reached.length > 1 || isAlways)) {
    return ofSeveral(reached, total, options.both_reach_target, latest);
  }
  if (standing.length === 1) return standing[0];
  const left = reached.filter((side) => standing.includes(side));
  return ofSeveral(left, total, options.both_reach_target, latest);
};

/** Winner of vueltas played out without a claim; null if another deal follows. */
export const unclaimed = (scores, options, latest) => {
  if (options.unclaimed_at_end === "another_deal") return null;
  const total = totalsOf(scores, options);
  const sides = Object.keys(scores);
  const rule = sides.length === TWO_SIDES ? "last_trick" : options.both_reach_target;
  return ofSeveral(sides.filter((side) => total[side] >= options.target), total, rule, latest);
};

/** Winner when one side lost: of the others the higher total, then the later trick. */
export const against = (loser, total, latest) =>
  latest.filter((side) => side !== loser).reduce((best, side) => (total[side] > total[best] ? side : best));

const ofSeveral = (sides, total, rule, latest) => {
  const highest = Math.max(...sides.map((side) => total[side]));
  const left = rule === "highest_total" ? sides.filter((side) => total[side] === highest) : sides;
  return latest.find((side) => left.includes(side)) ?? null;
};
