/** Endings of a partida: counts, claims, denunciations, concessions, rulings, and their effects. */
import { BIT } from "./cards.js";
import { askedRenuncios } from "./concluding.js";
import { hasCards, partidaTotals, totalSpans, dealsWithoutCount } from "./counting.js";
import { takeAway } from "./dealing.js";
import { mayHaveDrawnUnseen } from "./drawing.js";
import { learn } from "./learning.js";
import { doubts, doubtsOfCount } from "./queries/reported.js";
import { sideOf } from "./seats.js";
import { allDeals, cameBefore, hasDeal, isSettled, note, placeOf, takerOf } from "./state.js";
/** @import { ActOf, How } from "./acts.js" */
/** @import { Doubt } from "./queries/reported.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { Ending, Finding, RunningTable, Table } from "./state.js" */

const INCIDENTS = ["talk", "signal", "exposed", "to_partner", "wrong_draw", "wrong_gathering", "late"];
/** @type {Record<string, string>} */
const NAMED = { exposed: "card-exposed", to_partner: "shown-to-partner" };

/**
 * A claim that is allowed stops play; a barred one decides nothing.
 * @type {(table: RunningTable, act: ActOf<"claim">) => void}
 */
export const claimMade = (table, { seat }) => {
  const barred = claimBarred(table, seat);
  if (barred) note(table, barred, seat);
  else table.claim ??= { line: table.line, seat };
};

/** Rule that bars a claim of a seat. @type {(table: RunningTable, seat: Seat) => string} */
export const claimBarred = ({ deal, deals, options }, seat) => {
  const isBarred = deals.length ? options.vueltas_end === "at_target" : options.claim_in === "vueltas";
  if (deal.isCounted || isBarred) return "claim-in";
  const taker = takerOf(deal) ?? deals.map(takerOf).filter(Boolean).at(-1) ?? "";
  const may = { any_player: true, trick_winner: seat === taker, trick_winner_side: seat[0] === taker[0] };
  return may[options.claim_by] ? "" : "claim-by";
};

/**
 * The count closes a played-out deal; called totals that differ give a finding.
 * @type {(table: RunningTable, act: ActOf<"count">) => void}
 */
export const countEntered = (table, { totals: called = {} }) => {
  const uncounted = dealsWithoutCount(table);
  const spans = totalSpans(table);
  Object.assign(table.deal, { isCounted: true, called, countLine: table.line });
  if (uncounted.length && !table.claim) noteAll(table, doubtsOfCount(called, table.options, allDeals(table).length));
  if (!uncounted.every(hasCards)) return;
  for (const [side, points] of Object.entries(called)) {
    const [least, most] = spans[side];
    const counted = least === most ? String(least) : `${least}–${most}`;
    if (points < least || points > most) note(table, "count-differs", "", { side, called: String(points), counted });
  }
};

/** @type {(table: Table, found: Doubt[]) => void} */
const noteAll = (table, found) => found.forEach(({ rule, facts }) => note(table, rule, "", facts));

/**
 * A player looks at a closed trick; in vueltas only some may be viewed, by the profile.
 * @type {(table: RunningTable, act: ActOf<"review">) => void}
 */
export const trickReviewed = (table, { seat, trick }) => {
  const isShut = table.options.tricks_viewable_in_vueltas === "none";
  const isViewable = !isShut && [1, table.deal.tricks.length].includes(trick);
  if (table.deals.length && !isViewable) note(table, "trick-not-viewable", seat, { trick: String(trick) });
};

/**
 * Talk and signals can be a renuncio; an exposed card becomes known.
 * @type {(table: Table, act: ActOf<"incident">) => void}
 */
export const incidentNoted = (table, { incident, seat = "", card = "" }) => {
  const { deal, line, options } = table;
  const isExposed = incident === "exposed";
  const rule = NAMED[incident] ?? incident.replace("_", "-");
  if (INCIDENTS.includes(incident)) note(table, rule, seat, { card });
  if (!deal || !seat) return;
  const isTalk = ["talk", "signal"].includes(incident);
  if (isTalk && options.renuncio_cases.includes("talk")) {
    deal.conduct.push({ line, rule, seat, trick: deal.tricks.length + 1 });
  }
  if (isExposed && card && hasDeal(table) && !(deal.played & BIT[card])) {
    deal.sights.push({ kind: "held", line, seat: placeOf(deal, seat), cards: BIT[card], drawing: mayHaveDrawnUnseen(deal, seat) });
    learn(table, seat, BIT[card]);
  }
};

/**
 * An accusation; it is judged as soon as the record proves it.
 * @type {(table: RunningTable, act: ActOf<"denounce">) => void}
 */
export const renuncioDenounced = ({ deal, line }, { by, against, trick = 0, deal: named = 0 }) => {
  deal.denunciations.push({ line, by, against, trick, deal: named, closed: deal.tricks.length });
};

/** @type {(table: Table, how: How, side: Side, more?: Partial<Ending>) => void} */
const end = (table, how, side, more = {}) => table.endings.push({ line: table.line, how, side, ...more });

/** A side gives up: it loses. @type {(table: Table, act: ActOf<"concede">) => void} */
export const conceded = (table, { side }) => end(table, "concession", side);

/** A side left: it loses. @type {(table: Table, act: ActOf<"abandon">) => void} */
export const abandoned = (table, { side }) => end(table, "abandonment", side);

/** A reported outcome, with the doubts about it. @type {(table: Table, act: ActOf<"result">) => void} */
export const resultEntered = (table, { winner, how = "first_deal", totals }) => {
  const deals = allDeals(table).filter((deal) => deal.isCounted).length;
  const record = { totals: partidaTotals(table), deals };
  noteAll(table, doubts({ winner, how, totals: totals ?? {} }, table.options, record));
  const wholeMatch = how === "renuncio" && table.options.renuncio_penalty === "lose_match";
  end(table, how, winner, { hasWon: true, totals, wholeMatch });
};

/**
 * The deal counts for nothing; replayed, the same dealer deals again.
 * @type {(table: RunningTable, act: ActOf<"annul">) => void}
 */
export const dealAnnulled = (table, { replayed }) => takeAway(table, replayed ? table.deal.dealer : "");

/** A ruling of the arbiter. It always applies. @type {(table: Table, act: ActOf<"ruling">) => void} */
export const rulingGiven = (table, { effect, side = "", seat = "", points = 0, line = 0 }) => {
  const { deal } = table;
  if (effect === "partida") end(table, "ruling", side, { hasWon: true });
  if (effect === "points" && deal) deal.ruled.push({ line: table.line, side, points, trick: deal.tricks.length });
  if (effect === "dealer") Object.assign(table, { dealerDue: seat, ruledDealer: seat });
  if (effect === "annul_act") annulAct(table, line);
  if (effect === "renuncio") confirmRenuncio(table, line);
  if (effect === "annul_deal") takeAway(table, "");
  if (effect === "replay_deal" && deal) takeAway(table, deal.dealer);
  if (effect === "warning") table.warnings.push({ line: table.line, side: side || (seat && sideOf(seat)) });
};

/** A renuncio is confirmed; too late, that decides nothing. @type {(table: Table, play: number) => void} */
const confirmRenuncio = (table, play) => {
  const isKnown = table.lines.includes(play);
  const deal = allDeals(table).findLast((each) => isKnown && cameBefore(table, each.line, play));
  const isBounded = table.options.renuncio_costs === "when_proved";
  if (deal && isBounded && isSettled(table, deal)) note(table, "confirmed-late", "", { act: String(play) });
  else {
    if (isKnown) noteEarlier(table, play);
    table.confirmed.push({ line: table.line, play });
  }
};

/** A finding if an earlier renuncio is proved. @type {(table: Table, play: number) => void} */
const noteEarlier = (table, play) => {
  const earlier = askedRenuncios(table).find(({ line }) => cameBefore(table, line, play));
  if (!earlier) return;
  const laid = allDeals(table).flatMap((deal) => [...deal.tricks.flatMap(({ plays }) => plays), ...deal.laid]);
  const card = laid.find(({ line }) => line === earlier.line)?.card;
  note(table, "earlier-renuncio", earlier.seat, { act: `${earlier.line}`, of_trick: `${earlier.trick}`, ...(card && { laid: card }) });
};

/**
 * Cancels the announcement, claim, ending or warning of a line.
 * @type {(table: Table, line: number) => void}
 */
const annulAct = (table, line) => {
  const isOther = (/** @type {{line: number}} */ one) => one.line !== line;
  table.endings = table.endings.filter(isOther);
  table.warnings = table.warnings.filter(isOther);
  table.confirmed = table.confirmed.filter(isOther);
  table.ruledOut.push(line);
  const isAbout = (/** @type {Finding} */ one) => one.line === line || one.facts.act === String(line);
  table.findings = table.findings.filter((one) => one.rule !== "earlier-renuncio" || !isAbout(one));
  if (table.claim?.line === line) table.claim = null;
  const { deal } = table;
  if (deal) deal.cantes = deal.cantes.map((cante) => (isOther(cante) ? cante : { ...cante, void: true }));
};
