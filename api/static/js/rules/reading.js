/** The reading of a record: acts folded under the options of the table, without ever failing. */
import * as announcing from "./announcing.js";
import { concluded } from "./concluding.js";
import * as dealing from "./dealing.js";
import * as drawing from "./drawing.js";
import * as judging from "./judging.js";
import * as playing from "./playing.js";
import { isPlayedOut, note } from "./state.js";

const HAPPENED = {
  card: playing.cardPlayed,
  draw: drawing.cardDrawn,
  cante: announcing.canteAnnounced,
  swap: announcing.pintaSwapped,
  tute: announcing.tuteAnnounced,
  deal: dealing.dealStarted,
  pinta: dealing.pintaTurned,
  hand: dealing.handEntered,
  stock: dealing.stockEntered,
  show: dealing.cardsShown,
  misdeal: dealing.misdealt,
  wrong_deal: dealing.wrongDealFound,
  wrong_draw: drawing.wrongDraw,
  trick: playing.trickEntered,
  review: judging.trickReviewed,
  incident: judging.incidentNoted,
  denounce: judging.renuncioDenounced,
  claim: judging.claimMade,
  count: judging.countEntered,
  concede: judging.conceded,
  abandon: judging.abandoned,
  result: judging.resultEntered,
  annul: judging.dealAnnulled,
  ruling: judging.rulingGiven,
  suspend: (table) => ({ ...table, suspended: true }),
  resume: (table) => ({ ...table, suspended: false }),
  time: (table) => table,
};
/** Acts that change a conclusion only now and then. */
const OF_PLAY = ["card", "draw", "cante", "swap"];
const DUTIES = ["follow", "beat", "trump", "overtrump", "undertrump"];

/** Whether the table knows this kind of act; a line of the log may be something else. */
export const isAct = (act) => act.kind in HAPPENED;

/** The table after one act. Never refuses. */
export const advance = (before, line, act) => {
  let table = HAPPENED[act.kind]({ ...before, lines: [...before.lines, line] }, line, act);
  table = renunciosNoted(before, table);
  if (table.deal?.cantes.length) table = announcing.cantesDoubted(table, line, act);
  return mayConclude(before, table, act) ? concluded(table, line) : table;
};

const mayConclude = (before, { deal }, act) => {
  if (!OF_PLAY.includes(act.kind)) return true;
  return deal && (isPlayedOut(deal) || deal.denunciations.length > 0 || before.decided);
};

/** The breaches that this act proved, as findings beside the lines of the plays. */
const renunciosNoted = (before, table) => {
  if (!table.deal || before.deal?.line !== table.deal.line) return table;
  return table.deal.breaches.reduce((now, breach) => {
    if (before.deal.breaches.includes(breach)) return now;
    const { line, rule, seat, knownAt, proof, trick } = breach;
    const isOther = (one) => one.line !== line || !DUTIES.includes(one.rule);
    const without = { ...now, findings: now.findings.filter(isOther) };
    return note(without, line, rule, seat, { card: proof, trick: String(trick) }, knownAt);
  }, table);
};

/** The acts as they stand after all corrections, in order of play. `log` holds the acts and amendments as they were recorded, `{line, act}` each; the entries of the audit trail (`{line, fact}`) will do. */
export const standing = (log) => {
  const recorded = log.map((one) => ({ line: one.line, act: one.act ?? one.fact }));
  const takenBack = withdrawn(recorded);
  let entries = [];
  for (const { line, act } of recorded) {
    if (isAct(act)) entries.push({ line, act });
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) entries = corrected(entries, line, change);
  }
  return entries.filter((entry) => entry.act);
};

/** Lines of amendments that a later standing amendment takes back. */
const withdrawn = (recorded) => {
  const takenBack = new Set();
  for (const { line, act } of [...recorded].reverse()) {
    if (act.kind !== "amend" || takenBack.has(line)) continue;
    for (const change of act.changes) if (change.how === "withdraw") takenBack.add(change.line);
  }
  return takenBack;
};

/** The entries with one correction; a withdrawn act keeps its place, so that others can be put before it. */
const corrected = (entries, line, { line: at, how, act = null }) => {
  const place = entries.findIndex((entry) => entry.line === at);
  if (place < 0) return entries;
  const [before, after] = [entries.slice(0, place), entries.slice(place + 1)];
  if (how === "insert") return [...before, { line, act }, entries[place], ...after];
  return [...before, { line: at, act: how === "replace" ? act : null }, ...after];
};
