/** Official conclusions: what the state of a table says about deals, claims and the partida. */
import { accusationsNoted, lostByAccusing, provedRenuncio } from "./accusing.js";
import { byLatest, calledOf, hasUnknownPoints, itemsOf, partidaScores, partidaTotals, takersOf } from "./counting.js";
import { against, firstDeal, unclaimed } from "./partida.js";
import { nextSeat, sideOf } from "./seats.js";
import { allDeals, cameBefore, isPlayedOut, takerOf } from "./state.js";

/** The table with its conclusions drawn anew, and what they imply. */
export const concluded = (table, line) => {
  const now = accusationsNoted(counted(table), line);
  const deals = allDeals(now);
  const ending = endingOf(now);
  const conclusions = [];
  let [winner, how] = [null, "undecided"];
  for (const [index, deal] of deals.entries()) {
    if (!deal.isCounted) break;
    const until = deals.slice(0, index + 1);
    const totals = partidaTotals(now, until);
    conclusions.push({ kind: "deal_counted", deal: deal.number, items: itemsOf(now, deal), totals });
    [winner, how] = endOfDeal(now, until);
    const goesOn = !winner && (!ending || cameLater(now, ending, deal));
    if (goesOn) conclusions.push({ kind: "vueltas_begun", deal: deal.number + 1 });
  }
  const judged = claimJudged(now);
  if (judged) {
    conclusions.push(judged);
    [winner, how] = byClaim(now, judged);
  }
  const decided = won(now, ending, winner, how);
  if (decided) conclusions.push(decided);
  const dealerDue = now.dealerDue || (now.deal?.isCounted && takerOf(now.deal)) || "";
  return { ...now, conclusions, decided, dealerDue };
};

/** Whether the partida was ended only after this deal was over. */
const cameLater = (table, ending, deal) =>
  [deal.endLine, deal.countLine].every((line) => !line || cameBefore(table, line, ending.line));

/** A first deal played out counts by itself; vueltas wait for the count, or a claim. */
const counted = (table) => {
  const { deal, deals } = table;
  if (!deal || deal.isCounted || deals.length || !isPlayedOut(deal) || hasUnknownPoints(deal)) return table;
  return { ...table, deal: { ...deal, isCounted: true } };
};

const endOfDeal = (table, deals) => {
  const order = byLatest(table, deals);
  const scores = partidaScores(table, deals);
  for (const [side, cards] of Object.entries(calledOf(deals))) {
    scores[side] = { cards, ultimas: 0, cantes: 0, ruled: 0 };
  }
  if (deals.length === 1) return [firstDeal(scores, table.options, order), "first_deal"];
  return [unclaimed(scores, table.options, order), "unclaimed"];
};

const claimJudged = (table) => {
  const { claim, deal, options } = table;
  if (!claim || !deal) return null;
  const isCalled = Object.keys(deal.called).length > 0;
  if (allDeals(table).some(hasUnknownPoints) && !isCalled) return null;
  const total = partidaTotals(table)[sideOf(claim.seat)];
  return { kind: "claim_judged", seat: claim.seat, total, reached: total >= options.target };
};

const byClaim = (table, { seat, reached }) => {
  const side = sideOf(seat);
  if (reached) return [side, "claim"];
  return [against(side, partidaTotals(table), byLatest(table)), "false_claim"];
};

/** The act that ends the partida: the latest ruling, else a renuncio, else the first other. */
const endingOf = (table) => {
  const ruled = table.endings.filter((ending) => ending.how === "ruling" && ending.hasWon);
  return ruled[ruled.length - 1] ?? byRenuncio(table) ?? table.endings[0] ?? null;
};

const byRenuncio = (table) => {
  const penalty = table.options.renuncio_penalty;
  const proved = penalty === "replay_deal" ? null : provedRenuncio(table);
  const lost = proved ?? lostByAccusing(table);
  if (!lost) return null;
  const wholeMatch = proved !== null && penalty === "lose_match";
  return { line: lost.line, how: "renuncio", side: sideOf(lost.seat), hasWon: false, wholeMatch };
};

const won = (table, ending, winner, how) => {
  const totals = partidaTotals(table);
  if (!ending) return winner && { kind: "partida_won", winner, how, totals };
  const side = ending.hasWon ? ending.side : against(ending.side, totals, byLatest(table));
  const reported = Object.keys(ending.totals ?? {}).length ? ending.totals : totals;
  const found = { kind: "partida_won", winner: side, how: ending.how, totals: reported };
  return ending.wholeMatch ? { ...found, whole_match: true } : found;
};

/** Seat due to deal the next partida; "" when the record does not tell. */
export const dealerOfNextPartida = (table) => {
  const deals = allDeals(table);
  if (table.ruledDealer || !deals.length) return table.ruledDealer;
  const { dealer } = deals[deals.length - 1];
  if (table.options.next_dealer === "next_in_order") return nextSeat(dealer, table.seats.length);
  return takersOf(deals).pop() ?? dealer;
};
