/** The reading of a record: acts are applied one by one under the options of the table. It never fails. */
import { canteAnnounced, judgeCantes, suitRequested, tuteAnnounced } from "./cantes.js";
import { conclude } from "./concluding.js";
import * as dealing from "./dealing.js";
import * as drawing from "./drawing.js";
import * as endings from "./endings.js";
import * as playing from "./playing.js";
import { copyOf, hasDeal, isPlayedOut } from "./state.js";
import { pintaSwapped } from "./swaps.js";
/** @import { Act, Entry, Kind, Recorded } from "./acts.js" */
/** @import { RunningTable, Table } from "./state.js" */

/** What each kind of act does to the copy of a table. @type {Record<Kind, Function>} */
const HAPPENED = {
  card: playing.cardPlayed,
  draw: drawing.cardDrawn,
  cante: canteAnnounced,
  ask_suit: suitRequested,
  swap: pintaSwapped,
  tute: tuteAnnounced,
  deal: dealing.dealStarted,
  pinta: dealing.pintaTurned,
  hand: dealing.handEntered,
  stock: dealing.stockEntered,
  show: dealing.cardsShown,
  misdeal: dealing.misdealt,
  wrong_deal: dealing.wrongDealFound,
  wrong_draw: drawing.wrongDraw,
  trick: playing.trickEntered,
  review: endings.trickReviewed,
  incident: endings.incidentNoted,
  denounce: endings.renuncioDenounced,
  claim: endings.claimMade,
  count: endings.countEntered,
  concede: endings.conceded,
  abandon: endings.abandoned,
  result: endings.resultEntered,
  annul: endings.dealAnnulled,
  ruling: endings.rulingGiven,
  suspend: (/** @type {Table} */ table) => Object.assign(table, { suspended: true }),
  resume: (/** @type {Table} */ table) => Object.assign(table, { suspended: false }),
  time: () => {},
  claim_rest: () => {},
};
/** Acts that rarely change a conclusion. @type {Kind[]} */
const OF_PLAY = ["card", "draw", "cante", "swap"];

/**
 * Whether this is an act of a table; a line of the log may be something else.
 * @param {Recorded["act"]} act @returns {act is Act}
 */
export const isAct = (act) => act.kind in HAPPENED;

/** The table after one act. Never refuses. @type {(before: Table, entry: Entry) => Table} */
export const advance = (before, entry) => {
  const table = readInBothWays(before, happened(before, entry), entry);
  judgeCantes(table);
  if (mayConclude(before, table, entry.act)) conclude(table);
  return table;
};

/** The table after one act, without what follows from it. @type {(before: Table, entry: Entry) => Table} */
const happened = (before, { line, act }) => {
  const table = copyOf(before);
  table.line = line;
  table.lines.push(line);
  HAPPENED[act.kind](table, act);
  return table;
};

/**
 * The table with the act in the deal of before and in what that may be otherwise.
 * @type {(before: Table, table: Table, entry: Entry) => Table}
 */
const readInBothWays = (before, table, entry) => {
  const { deal } = before;
  if (!deal?.otherwise || !hasDeal(table) || table.deal.otherwise !== deal.otherwise) return table;
  const other = happened({ ...before, deal: drawing.readOtherwise(deal) }, entry);
  return drawing.oneOfTwo(deal, table, /** @type {RunningTable} */ (other));
};

/** @type {(before: Table, table: Table, act: Act) => boolean} */
const mayConclude = (before, { deal, deals, options, confirmed }, { kind }) =>
  confirmed.length > 0 ||
  !OF_PLAY.includes(kind) ||
  (options.vueltas_end === "at_target" && deals.length > 0) ||
  (deal !== null && (isPlayedOut(deal) || deal.denunciations.length > 0 || before.decided !== null));
