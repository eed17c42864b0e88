/** The part of the law that the tablet needs without a network. Pure: no page, no network, nothing kept but shortcuts. docs/pages.md, "Rules in the browser", says how it is used; tests/test_rules_in_browser.py holds it against the service. */
import { advance, standing } from "./reading.js";
import { emptyTable } from "./state.js";
import { viewed } from "./view.js";

export { SUITS, RANKS, TOKENS, deckOf, pointsOf, suitOf } from "./cards.js";
export { duty } from "./duties.js";
export { SEATS, SIDES, nextSeat, orderFrom, sideOf } from "./seats.js";
export { malasYBuenas } from "./counting.js";
export { score } from "./cotos.js";
export { next } from "./next.js";
export { tint } from "./tint.js";
export { standing };

/** A table before its first act. */
export const start = (setting) => viewed(emptyTable(setting));

/** The table after one act more. */
export const evolve = (table, { line, act }) => viewed(advance(table.state, line, act));

/** The table after these acts, as `standing` gives them. */
export const read = (entries, setting) =>
  viewed(entries.reduce((table, { line, act }) => advance(table, line, act), emptyTable(setting)));
