/**
 * The part of the law that the tablet needs without a network. Pure: no page, no network, no clock.
 * docs/developing/browser.md, "Rules in the browser", explains its use; tests/api/tablet/test_rules_in_node.py compares it with the service.
 */
import { advance } from "./reading.js";
import { emptyTable } from "./state.js";
import { viewed } from "./queries/view.js";
/** @import { Entry } from "./acts.js" */
/** @import { Setting } from "./state.js" */
/** @import { TableView } from "./queries/view.js" */

export { accusation, isRenuncio } from "./accusing.js";
export { RANKS, SUITS, TOKENS, deckOf, pointsOf, suitOf, swapCard } from "./cards.js";
export { score } from "./queries/cotos.js";
export { dealsWithoutCount, malasYBuenas, sumOfTotals, trickSums } from "./counting.js";
export { duty } from "./duties.js";
export { claimBarred } from "./endings.js";
export { certainCard } from "./queries/certain.js";
export { next } from "./queries/next.js";
export { elsewhere, impossible, refusal } from "./queries/possible.js";
export { completions, doubts, doubtsOfCount, isPossible } from "./queries/reported.js";
export { SEATS, SIDES, nextSeat, orderFrom, sideOf } from "./seats.js";
export { slips } from "./queries/slips.js";
export { standing } from "./standing.js";
export { tint } from "./queries/view.js";

/** A table before its first act. @type {(setting: Setting) => TableView} */
export const start = (setting) => viewed(emptyTable(setting));

/** The table after one more act. @type {(table: Pick<TableView, "state">, entry: Entry) => TableView} */
export const evolve = (table, entry) => viewed(advance(table.state, entry));

/** The table after these acts, as `standing` gives them. @type {(entries: Entry[], setting: Setting) => TableView} */
export const read = (entries, setting) => viewed(entries.reduce(advance, emptyTable(setting)));
