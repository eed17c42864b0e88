/** What ends a partida: counts, claims, denunciations, concessions, rulings, and what follows. */
import { BIT } from "./cards.js";
import { hasUnknownPoints, partidaTotals } from "./counting.js";
import { withoutDeal } from "./dealing.js";
import { learnt } from "./learning.js";
import { sideOf } from "./seats.js";
import { added, allDeals, note, takerOf } from "./state.js";

const INCIDENT_RULES = {
  talk: "talk",
  signal: "signal",
  exposed: "card-exposed",
  wrong_draw: "wrong-draw",
  wrong_gathering: "wrong-gathering",
  late: "late",
};

/** A claim that is allowed stops play; a barred one decides nothing. */
export const claimMade = (table, line, { seat }) => {
  const barred = claimBarred(table, seat);
  if (barred) return note(table, line, barred, seat);
  return table.claim ? table : { ...table, claim: { line, seat } };
};

/** Rule that bars a claim of a seat, or "". */
export const claimBarred = ({ deal, deals, options }, seat) => {
  const before = deals.map(takerOf).filter(Boolean);
  const taker = takerOf(deal) ?? before[before.length - 1];
  if (deal.isCounted || (options.claim_in === "vueltas" && !deals.length)) return "claim-in";
  const may = {
    any_player: true,
    trick_winner: seat === taker,
    trick_winner_side: taker && sideOf(taker) === sideOf(seat),
  };
  return may[options.claim_by] ? "" : "claim-by";
};

/** The count closes a played-out deal; totals called that differ are noticed. */
export const countEntered = (table, line, { totals: called = {} }) => {
  const counted = { ...table, deal: { ...table.deal, isCounted: true, called, countLine: line } };
  if (allDeals(counted).some(hasUnknownPoints)) return counted;
  const totals = partidaTotals(counted);
  return Object.entries(called).reduce((now, [side, points]) => {
    if (totals[side] === points) return now;
    return note(now, line, "count-differs", "", { side, called: String(points), counted: String(totals[side]) });
  }, counted);
};

/** A look at a closed trick; in vueltas only those that the profile lets be seen. */
export const trickReviewed = (table, line, { seat, trick }) => {
  const isShut = table.options.tricks_viewable_in_vueltas === "none";
  const isViewable = !isShut && [1, table.deal.tricks.length].includes(trick);
  if (!table.deals.length || isViewable) return table;
  return note(table, line, "trick-not-viewable", seat, { trick: String(trick) });
};

/** Talk and signals may be a renuncio, an exposed card becomes known. */
export const incidentNoted = (table, line, { incident, seat = "", card = "" }) => {
  const rule = INCIDENT_RULES[incident];
  const noted = rule ? note(table, line, rule, seat, { card }) : table;
  const { options, deal } = table;
  if (!deal || !seat) return noted;
  if (["talk", "signal"].includes(incident) && options.renuncio_cases.includes("talk")) {
    return { ...noted, deal: added(deal, "faults", { line, rule, seat, trick: deal.tricks.length + 1 }) };
  }
  const isLearnt = incident === "exposed" && card && !(deal.played & BIT[card]);
  return isLearnt ? { ...noted, deal: learnt(deal, seat, BIT[card], line, options) } : noted;
};

/** An accusation; it is judged as soon as the record proves it. */
export const renuncioDenounced = (table, line, { by, against, trick = 0 }) => {
  const said = { line, by, against, trick, closed: table.deal.tricks.length };
  return { ...table, deal: added(table.deal, "denunciations", said) };
};

const ended = (table, ending) => ({ ...table, endings: [...table.endings, ending] });

/** A side gives up: it loses. */
export const conceded = (table, line, { side }) => ended(table, { line, how: "concession", side });

/** A side left: it loses. */
export const abandoned = (table, line, { side }) => ended(table, { line, how: "abandonment", side });

/** The outcome as it was reported. */
export const resultEntered = (table, line, { winner, how = "first_deal", totals }) => {
  const wholeMatch = how === "renuncio" && table.options.renuncio_penalty === "lose_match";
  return ended(table, { line, how, side: winner, hasWon: true, totals, wholeMatch });
};

/** The deal counts for nothing; replayed, the same dealer deals again. */
export const dealAnnulled = (table, _line, { replayed }) => withoutDeal(table, replayed ? table.deal.dealer : "");

/** The arbiter is sovereign: what he rules, stands. */
export const rulingGiven = (table, line, act) => {
  const { deal } = table;
  const { effect, side = "", seat = "", points = 0 } = act;
  if (effect === "partida") return ended(table, { line, how: "ruling", side, hasWon: true });
  if (effect === "points" && deal) {
    return { ...table, deal: added(deal, "ruled", { line, side, points, trick: deal.tricks.length }) };
  }
  if (effect === "dealer") return { ...table, dealerDue: seat, ruledDealer: seat };
  if (effect === "annul_act") return withoutAct(table, act.line ?? 0);
  if (effect === "annul_deal") return withoutDeal(table, "");
  if (effect === "replay_deal" && deal) return withoutDeal(table, deal.dealer);
  const warned = { line, side: side || (seat && sideOf(seat)) };
  return effect === "warning" ? { ...table, warnings: [...table.warnings, warned] } : table;
};

/** The table with an announcement, claim, ending or warning of that line void. */
const withoutAct = (table, line) => {
  const { claim, deal } = table;
  const isOther = (one) => one.line !== line;
  const voided = (cante) => (isOther(cante) ? cante : { ...cante, void: true });
  return {
    ...table,
    endings: table.endings.filter(isOther),
    claim: claim && isOther(claim) ? claim : null,
    warnings: table.warnings.filter(isOther),
    ruledOut: [...table.ruledOut, line],
    deal: deal && { ...deal, cantes: deal.cantes.map(voided) },
  };
};
