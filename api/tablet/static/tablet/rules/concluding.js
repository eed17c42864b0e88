/**
 * Conclusions from the state of a table: deals, claims, accusations, the partida. A renuncio that only the count of
 * the unseen cards proves is found by the service, not here.
 */
import { against, atTarget, endOfDeal, hasUnknownPoints, itemsOf, partidaTotals, takersOf, dealsWithoutCount } from "./counting.js";
import { BIT, cardsIn } from "./cards.js";
import { CASES, isCase } from "./duties.js";
import { courseOf, isSlip, isTurnSlip } from "./evidence/recorded.js";
import { nextSeat, sideOf } from "./seats.js";
import { allDeals, cameBefore, isEmptyHanded, isPlayedOut, isSettled, lastOf, note, takerOf } from "./state.js";
/** @import { How } from "./acts.js" */
/** @import { Card } from "./cards.js" */
/** @import { Course } from "./evidence/recorded.js" */
/** @import { Seat, Side } from "./seats.js" */
/** @import { ClaimJudged, Conclusion, Deal, Denunciation, Ending, Renuncio, Finding, PartidaWon, Table } from "./state.js" */

/** Works out the conclusions again, and what follows from them. @type {(table: Table) => void} */
export const conclude = (table) => {
  const { deal } = table;
  if (deal && !table.deals.length && isPlayedOut(deal) && !hasUnknownPoints(deal)) deal.isCounted = true;
  noteAccusations(table);
  const ending = endingOf(table);
  /** @type {Conclusion[]} */
  const found = [];
  /** @type {[Side | null, How]} */
  let [winner, how] = [null, "first_deal"];
  for (const [index, each] of allDeals(table).entries()) {
    if (!each.isCounted) break;
    const until = allDeals(table).slice(0, index + 1);
    const totals = partidaTotals(table, until);
    found.push({ kind: "deal_counted", deal: each.number, items: itemsOf(table, each), totals });
    [winner, how] = endOfDeal(table, until);
    const goesOn = !winner && (!ending || cameLater(table, ending, each));
    if (goesOn) found.push({ kind: "vueltas_begun", deal: each.number + 1 });
  }
  const judged = judgedClaim(table);
  if (judged) {
    const side = sideOf(judged.seat);
    found.push(judged);
    [winner, how] = judged.reached ? [side, "claim"] : [against(table, side), "false_claim"];
  } else if (!winner) {
    winner = atTarget(table);
    if (winner) how = "target";
  }
  table.decided = won(table, ending, winner, how);
  table.conclusions = table.decided ? [...found, table.decided] : found;
  table.dealerDue ||= (deal?.isCounted && takerOf(deal)) || "";
};

/**
 * Whether the partida was ended only after this deal was over.
 * @type {(table: Table, ending: Ending, deal: Deal) => boolean}
 */
const cameLater = (table, ending, { endLine, countLine }) =>
  [endLine, countLine].every((line) => !line || cameBefore(table, line, ending.line));

/** @type {(table: Table) => ClaimJudged | null} */
const judgedClaim = (table) => {
  const { claim, deal, options } = table;
  if (!claim || !deal) return null;
  if (dealsWithoutCount(table).length) return null;
  const total = partidaTotals(table)[sideOf(claim.seat)];
  return { kind: "claim_judged", seat: claim.seat, total, reached: total >= options.target };
};

/**
 * The act that ends the partida: the latest ruling, else a renuncio, else the first other; not a tute that the cards disproved.
 * @type {(table: Table) => Ending | null}
 */
const endingOf = (table) => {
  const ruled = table.endings.filter((ending) => ending.how === "ruling" && ending.hasWon);
  const isFalse = (/** @type {Ending} */ { line }) => table.findings.some((one) => one.line === line && one.rule === "tute-disproved");
  return ruled.at(-1) ?? renuncioThatEnds(table) ?? table.endings.find((one) => !isFalse(one)) ?? null;
};

/** @type {(table: Table) => Ending | null} */
const renuncioThatEnds = (table) => {
  const { renuncio_penalty: penalty } = table.options;
  const proved = penalty === "replay_deal" ? null : provedRenuncio(table);
  const lost = proved ?? lostByAccusing(table);
  if (!lost) return null;
  const wholeMatch = proved !== null && penalty === "lose_match";
  return { line: lost.line, how: "renuncio", side: sideOf(lost.seat), wholeMatch };
};

/** @type {(table: Table, ending: Ending | null, winner: Side | null, how: How) => PartidaWon | null} */
const won = (table, ending, winner, how) => {
  const totals = partidaTotals(table);
  if (!ending) return winner ? { kind: "partida_won", winner, how, totals } : null;
  const side = ending.hasWon ? ending.side : against(table, ending.side);
  const reported = ending.totals && Object.keys(ending.totals).length ? ending.totals : totals;
  const whole = ending.wholeMatch ? { whole_match: true } : {};
  return { kind: "partida_won", winner: side, how: ending.how, totals: reported, ...whole };
};

/** Seat due to deal the next partida; "" if the record does not say. @type {(table: Table) => Seat} */
export const dealerOfNextPartida = (table) => {
  const deals = allDeals(table);
  if (table.ruledDealer || !deals.length) return table.ruledDealer;
  const { dealer } = lastOf(deals);
  if (table.options.next_dealer === "next_in_order") return nextSeat(dealer, table.seats.length);
  return takersOf(deals).at(-1) ?? dealer;
};

/**
 * Renuncios of the profile that the seen cards of a deal prove.
 * @type {(table: Table, deal: Deal) => Renuncio[]}
 */
const renunciosOf = ({ options, ruledOut }, deal) => {
  const proved = deal.breaches.filter(({ rule }) => isCase(options.renuncio_cases, CASES[rule]));
  return [...proved, ...deal.conduct].filter(({ line }) => !ruledOut.includes(line));
};

/**
 * Renuncios that an accusation means: of that seat, before it, of the trick if one is named.
 * @type {(table: Table, deal: Deal, said: Denunciation) => Renuncio[]}
 */
export const denounced = (table, deal, said) => {
  const { line, against: seat, trick } = said;
  /** @type {(renuncio: Renuncio) => boolean} */
  const isMeant = (renuncio) =>
    renuncio.seat === seat && cameBefore(table, renuncio.line, line) && (!trick || trick === renuncio.trick);
  return dealsMeant(table, deal, said).flatMap((each) => renunciosOf(table, each).filter(isMeant));
};

/**
 * The deal that an accusation names, that of its trick, or all until then.
 * @type {(table: Table, deal: Deal, said: Denunciation) => Deal[]}
 */
export const dealsMeant = (table, deal, said) => {
  if (said.deal) return allDeals(table).slice(said.deal - 1, said.deal);
  return said.trick ? [deal] : allDeals(table).slice(0, deal.number);
};

/** Those renuncios for which the accusation was in time. @type {(table: Table, deal: Deal, said: Denunciation) => Renuncio[]} */
export const denouncedInTime = (table, deal, said) => {
  const { renuncio_until: until } = table.options;
  const found = denounced(table, deal, said);
  if (until === "end_of_partida") return found;
  const ofDeal = found.filter((renuncio) => cameBefore(table, deal.line, renuncio.line));
  return until === "end_of_deal" ? ofDeal : ofDeal.filter((renuncio) => said.closed <= renuncio.trick);
};

/** The accusations that stand, each with its deal. @type {(table: Table) => [Deal, Denunciation][]} */
const accusations = (table) =>
  allDeals(table).flatMap((deal) => {
    const standing = deal.denunciations.filter((said) => !table.ruledOut.includes(said.line));
    return standing.map((said) => /** @type {[Deal, Denunciation]} */ ([deal, said]));
  });

/**
 * The earliest renuncio that is proved, and denounced in time or confirmed. Where a renuncio costs without a denunciation, an
 * earlier one that all could see proved by then comes first, though nobody spoke of it.
 * @type {(table: Table) => Renuncio | null}
 */
const provedRenuncio = (table) => {
  const place = (/** @type {number} */ line) => table.lines.indexOf(line);
  const fallen = denouncedOrConfirmed(table);
  if (!fallen.length) return null;
  const fell = Math.min(...fallen.map(([said, { knownAt, line }]) => Math.max(place(said), place(knownAt ?? line))));
  const others = table.options.renuncio_costs === "when_proved" ? seenByAll(table, fell) : [];
  const found = [...fallen.map(([, renuncio]) => renuncio), ...others];
  return found.reduce((first, renuncio) => (place(renuncio.line) < place(first.line) ? renuncio : first));
};

/** Renuncios that cost something, each with the line that said so. @type {(table: Table) => [number, Renuncio][]} */
const denouncedOrConfirmed = (table) => {
  const denouncedOnes = accusations(table).flatMap(([deal, said]) =>
    denouncedInTime(table, deal, said).map((renuncio) => /** @type {[number, Renuncio]} */ ([said.line, renuncio])),
  );
  const confirmedOnes = allDeals(table).flatMap((deal) => renunciosOf(table, deal)).flatMap((renuncio) => {
    const ruling = table.confirmed.find(({ play }) => play === renuncio.line);
    return ruling ? [/** @type {[number, Renuncio]} */ ([ruling.line, renuncio])] : [];
  });
  return [...denouncedOnes, ...confirmedOnes];
};

/**
 * Renuncios that the arbiter is asked about, since they cost something without a denunciation: proved by what everybody
 * saw and by no slip of the recorder, not answered by a ruling, and not too late. The earliest stands first.
 * @type {(table: Table) => Renuncio[]}
 */
export const askedRenuncios = (table) => {
  if (table.options.renuncio_costs !== "when_proved") return [];
  const isAnswered = (/** @type {number} */ line) => table.confirmed.some(({ play }) => play === line);
  const found = seenByAll(table).filter(({ line }) => !isAnswered(line));
  return found.sort((one, other) => table.lines.indexOf(one.line) - table.lines.indexOf(other.line));
};

/**
 * Renuncios that may still be confirmed, or might have been at the place `fell`: proved for all by then, and by no slip.
 * @type {(table: Table, fell?: number) => Renuncio[]}
 */
const seenByAll = (table, fell = Infinity) =>
  allDeals(table).flatMap((deal) => {
    const place = (/** @type {number} */ line) => table.lines.indexOf(line);
    if (isSettled(table, deal) && !(deal.isCounted && place(deal.countLine || deal.endLine) >= fell)) return [];
    const proofs = publiclyProved(deal);
    const course = proofs.size ? courseOf(deal, table.options, (line) => place(line) <= fell) : null;
    return renunciosOf(table, deal).filter((renuncio) => {
      const proof = proofs.get(renuncio.line);
      return proof && place(proof) <= fell && !isSlipOf(course, renuncio, proof);
    });
  });

/** Whether a slip of the recorder would explain a renuncio, or cannot be excluded. @type {(course: Course | null, renuncio: Renuncio, proof: number) => boolean} */
const isSlipOf = (course, { line, rule }, proof) => {
  if (rule === "talk" || rule === "signal") return false;
  if (!course) return true;
  return rule === "out-of-turn-in-arrastre" ? isTurnSlip(course, line) : isSlip(course, line, proof);
};

/**
 * Renuncios that everybody could see, each with the line that proves it: conduct, and plays against a card that the seat laid or
 * showed later in arrastre, or that it had shown, taken with a swap or drawn as the pinta.
 * @type {(deal: Deal) => Map<number, number>}
 */
const publiclyProved = (deal) => {
  const found = new Map(deal.conduct.map(({ line }) => [line, line]));
  /** Line at which each card was seen in a hand. */
  const seen = deal.seats.map(() => /** @type {Map<Card, number>} */ (new Map()));
  for (const sight of [...deal.sights].reverse()) {
    if (sight.kind === "played") {
      const lines = [...seen[sight.seat]].filter(([card]) => sight.accusers & BIT[card]).map(([, line]) => line);
      if (lines.length) found.set(sight.line, lines[lines.length - 1]);
    }
    if (sight.kind === "played" || (sight.kind === "held" && !sight.isSecret))
      for (const card of cardsIn(sight.kind === "held" ? sight.cards : sight.card)) {
        seen[sight.seat].delete(card); // the earliest is last
        seen[sight.seat].set(card, sight.line);
      }
  }
  for (const line of provedAtOnce(deal)) found.set(line, line);
  return found;
};

/** Plays that were seen to be breaches when they were laid, by cards that everybody knew of. @type {(deal: Deal) => number[]} */
const provedAtOnce = (deal) => {
  const hands = deal.seats.map(() => 0n);
  const found = [];
  let pinta = 0n;
  for (const sight of deal.sights) {
    switch (sight.kind) {
      case "turned":
        if (sight.seat < 0) pinta = sight.card;
        else hands[sight.seat] |= sight.card;
        break;
      case "swapped":
        hands[sight.seat] = (hands[sight.seat] & ~sight.gave) | sight.took;
        pinta = sight.gave;
        break;
      case "drew":
      case "recalled":
        if (sight.card === pinta) hands[sight.seat] |= pinta;
        break;
      case "held":
        if (!sight.isSecret) hands[sight.seat] |= sight.cards;
        break;
      case "played":
        hands[sight.seat] &= ~sight.card;
        if (sight.accusers & hands[sight.seat]) found.push(sight.line);
        break;
      case "hidden":
        for (const place of sight.seats) hands[place] = 0n;
        break;
      default:
    }
  }
  return found;
};

/** The first unfounded accusation, if the profile says that it loses the partida. @type {(table: Table) => Finding | null} */
const lostByAccusing = (table) => {
  if (table.options.false_accusation !== "lose_partida") return null;
  const lines = accusations(table).map(([, said]) => said.line);
  return table.findings.find(({ rule, line }) => rule === "accusation-unfounded" && lines.includes(line)) ?? null;
};

/** Whether nobody saw a card by which a duty may have been broken. @type {(deal: Deal) => boolean} */
const mayHideABreach = (deal) => deal.hasUnseenDuties || (deal.isEntered && !isEmptyHanded(deal));

/** Findings on accusations that came late, or that nothing supports. @type {(table: Table) => void} */
const noteAccusations = (table) => {
  for (const [deal, said] of accusations(table)) {
    const { line, by, against: seat } = said;
    const isMeant = denounced(table, deal, said).length > 0;
    const isLate = isMeant && !denouncedInTime(table, deal, said).length;
    const about = lastOf([deal, ...dealsMeant(table, deal, said)]);
    const isUnfounded = !isMeant && isPlayedOut(about) && !mayHideABreach(about);
    const rule = isLate ? "denounced-late" : "accusation-unfounded";
    const isNew = !table.findings.some((one) => one.line === line && one.rule === rule);
    if ((isLate || isUnfounded) && isNew) note(table, rule, by, { against: seat }, line);
  }
};
