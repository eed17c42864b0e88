/** Accusations of renuncio: which the cards seen prove, which came late, which nothing supports. What only the count of the unseen cards proves is known to the service, not here. */
import { allDeals, cameBefore, isPlayedOut, note } from "./state.js";

const CASES = { follow: "follow", beat: "beat", trump: "trump", overtrump: "trump", undertrump: "trump" };

/** What the profile calls a renuncio and the record of a deal proves. */
const renunciosOf = (table, deal) => {
  const proved = deal.breaches.filter((breach) => table.options.renuncio_cases.includes(CASES[breach.rule]));
  return [...proved, ...deal.faults].filter((fault) => !table.ruledOut.includes(fault.line));
};

/** Renuncios that an accusation means: of that seat, before it, of the trick if one is named. */
const denounced = (table, deal, { line, against, trick }) => {
  const before = trick ? [deal] : allDeals(table).slice(0, deal.number);
  const isMeant = (fault) =>
    fault.seat === against && cameBefore(table, fault.line, line) && (!trick || trick === fault.trick);
  return before.flatMap((each) => renunciosOf(table, each).filter(isMeant));
};

/** Those of them for which it was not too late. */
const denouncedInTime = (table, deal, said) => {
  const until = table.options.renuncio_until;
  const found = denounced(table, deal, said);
  if (until === "end_of_partida") return found;
  const ofDeal = found.filter((fault) => cameBefore(table, deal.line, fault.line));
  return until === "end_of_deal" ? ofDeal : ofDeal.filter((fault) => said.closed <= fault.trick);
};

/** Deals with the accusations in them that stand. */
const standing = (table) =>
  allDeals(table).flatMap((deal) =>
    deal.denunciations.filter((said) => !table.ruledOut.includes(said.line)).map((said) => ({ deal, said })),
  );

/** The earliest renuncio that was denounced in time and is proved, or null. */
export const provedRenuncio = (table) =>
  standing(table)
    .flatMap(({ deal, said }) => denouncedInTime(table, deal, said))
    .reduce((first, fault) => (first && !cameBefore(table, fault.line, first.line) ? first : fault), null);

/** The first unfounded accusation, where the profile lets that lose, or null. */
export const lostByAccusing = (table) => {
  if (table.options.false_accusation !== "lose_partida") return null;
  const lines = standing(table).map(({ said }) => said.line);
  const isUnfounded = ({ rule, line }) => rule === "accusation-unfounded" && lines.includes(line);
  return table.findings.find(isUnfounded) ?? null;
};

/** The table with findings on accusations that came late, or that nothing supports. */
export const accusationsNoted = (table, line) =>
  standing(table).reduce((now, { deal, said }) => {
    const meant = denounced(now, deal, said);
    const isLate = meant.length > 0 && !denouncedInTime(now, deal, said).length;
    const isUnfounded = !meant.length && isPlayedOut(deal) && !deal.isEntered;
    const rule = isLate ? "denounced-late" : isUnfounded ? "accusation-unfounded" : "";
    const isNew = rule && !now.findings.some((one) => one.line === said.line && one.rule === rule);
    return isNew ? note(now, said.line, rule, said.by, { against: said.against }, line) : now;
  }, table);
