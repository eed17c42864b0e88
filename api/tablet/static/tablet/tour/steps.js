// The tour, step by step: what the arbiter taps, and what is recorded by itself after it. It is one deal, played to its end.
/** @import { Act } from "../rules/acts.js" */
/**
 * @typedef {object} Step a step of the tour; its texts are `tablet.tour.step.{name}`, and `.done.{name}` of what happened
 * @property {string} name
 * @property {string[]} taps selectors of what is tapped, in order: the last one that is on the page is marked
 * @property {number} adds entries that the last tap adds to the record
 * @property {Act[]} then acts that the tour records after it
 * @property {boolean} [isCut] whether there is no connection
 */

/** @type {(card: string) => string} */
const key = (card) => `.table > .pad [data-card="${card}"]`;

/** Cards as they are played: `"A1 3O, B1 4C"`. @type {(plays: string) => Act[]} */
const played = (plays) =>
  plays.split(", ").map((play) => {
    const [seat, card] = play.split(" ");
    return { kind: "card", seat, card };
  });

/** @type {(name: string, card: string, then?: string, more?: Partial<Step>) => Step} */
const laying = (name, card, then = "", more = {}) => ({ name, taps: [key(card)], adds: 1, then: then ? played(then) : [], ...more });

/** @type {(name: string, taps: string[], then?: string) => Step} */
const opening = (name, taps, then = "") => ({ name, taps, adds: 1, then: then ? played(then) : [] });

const THREE_TRICKS = "A2 5E, B2 2O, A1 SC, B1 5O, B1 RE, A2 6E, B2 2E, A1 CB, B1 AB, A2 RO, B2 AC, A1 RB, A2 3E";
const LAST_TRICKS = "A1 3O, A1 4C, B1 2C, A2 RC, B2 7C, A2 4O, B2 CE, A1 7B";

/** Every step. In the sixth trick B2 has espadas and plays copas. @type {Step[]} */
export const STEPS = [
  { name: "dealer", taps: ['.felt [data-seat="B2"]'], adds: 0, then: [] },
  laying("pinta", "3O", "", { adds: 2 }),
  laying("card", "4B", "B1 2B, A2 SB"),
  laying("trick", "7E"),
  opening("swap", ['.bar [data-sheet="swap"]', '.sheet [data-seat="A1"]'], "A2 6B, B2 CC, A1 6C, B1 5B"),
  opening("cante", ['.bar [data-sheet="cante"]', '.sheet [data-cante="A2O"]']),
  laying("slip", "5C"),
  opening("undo", [".bar .undo"], THREE_TRICKS),
  laying("renuncio", "5C", "A1 3B, B1 AE, B1 AO, A2 6O"),
  laying("proof", "SE"),
  { name: "finding", taps: ['.bar [data-sheet="findings"]'], adds: 0, then: [] },
  { name: "read", taps: [".sheet header button"], adds: 0, then: played("A1 7O, B1 CO") },
  laying("offline", "SO", "", { isCut: true }),
  laying("online", "3C", LAST_TRICKS, { isCut: true }),
  laying("last", "4E"),
];
