/** Accusations: the plays that one means, and the verdict by the seen cards. Unseen cards are not counted here. */
import { BIT, cardsIn } from "./cards.js";
import { dealsMeant, denounced, denouncedInTime } from "./concluding.js";
import { CASES, breach, facing, isCase } from "./duties.js";
import { barredFor } from "./queries/possible.js";
import { allDeals, cameBefore, lastOf } from "./state.js";
/** @import { Card } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Deal, Denunciation, Renuncio, Play, Table, SuspectPlay } from "./state.js" */
/** @import { TableView } from "./queries/view.js" */

/** @type {Record<string, string>} */
const OTHER_CASES = {
  talk: "talk",
  signal: "talk",
  "out-of-turn-in-arrastre": "out_of_turn_in_arrastre",
};

/**
 * Whether a breach of this rule is a renuncio under these options.
 * @type {(rule: string | null, options: Options) => boolean}
 */
export const isRenuncio = (rule, { renuncio_cases: cases }) => isCase(cases, CASES[rule ?? ""] ?? OTHER_CASES[rule ?? ""]);

/** @type {(deal: Deal) => Play[][]} */
const tricksOf = (deal) => [...deal.tricks.map(({ plays }) => plays), deal.laid];

/**
 * Verdict on the accusation of a line; null if there is none.
 *
 * @typedef {{line: number, trick: number, rule?: string | null, since: number, lines: number[],
 *   ifHeld?: {rule: string | null, cards: Card[]}[]}} Charge
 *   a breach proved: `lines` are the trick up to it and the line that proves it; an open one: `since`
 *   is 0, `ifHeld` the cards on which it depends, and the duty that each of them would make it break
 * @typedef {{said: Denunciation, verdict: "proved" | "not_proved" | "open", isLate: boolean,
 *   plays: (Play & {trick: number})[], charges: Charge[]}} Accusation
 *   `plays` are those that it can mean; of `charges` one is proved, or all are open
 * @type {(view: Pick<TableView, "state">, line: number) => Accusation | null}
 */
export const accusation = ({ state: table }, line) => {
  const deal = allDeals(table).find((each) => each.denunciations.some((said) => said.line === line));
  const said = deal?.denunciations.find((one) => one.line === line);
  if (!deal || !said) return null;
  const deals = dealsMeant(table, deal, said);
  /** @type {(renuncio: {seat: string, line: number, trick: number}) => boolean} */
  const isMeant = (renuncio) =>
    renuncio.seat === said.against && cameBefore(table, renuncio.line, line) && (!said.trick || renuncio.trick === said.trick);
  const plays = deals.flatMap((each) =>
    tricksOf(each).flatMap((laid, place) => laid.map((play) => ({ ...play, trick: place + 1 })).filter(isMeant)),
  );
  const found = denounced(table, deal, said);
  if (found.length) {
    const inTime = denouncedInTime(table, deal, said);
    const renuncio = earliest(table, inTime.length ? inTime : found);
    const charges = [provedCharge(deals, renuncio)];
    return { said, verdict: "proved", isLate: !inTime.length, plays, charges };
  }
  const charges = deals.flatMap((each) => each.suspects.filter(isMeant).flatMap((suspect) => openCharge(table, each, suspect)));
  return { said, verdict: charges.length ? "open" : "not_proved", isLate: false, plays, charges };
};

/** @type {(table: Table, renuncios: Renuncio[]) => Renuncio} */
const earliest = (table, renuncios) =>
  renuncios.reduce((first, renuncio) => (cameBefore(table, renuncio.line, first.line) ? renuncio : first));

/** @type {(deals: Deal[], renuncio: Renuncio) => Charge} */
const provedCharge = (deals, { line, trick, rule, knownAt = line }) => {
  const laid = deals.flatMap(tricksOf).find((plays) => plays.some((play) => play.line === line)) ?? [];
  const until = laid.slice(0, laid.findIndex((play) => play.line === line) + 1).map((play) => play.line);
  const lines = [...new Set([...until, line, knownAt])];
  return { line, trick, rule, since: knownAt, lines };
};

/**
 * Open charge for a play that would be a renuncio if its seat had held one of some cards; empty if there is no such card.
 * @type {(table: Table, deal: Deal, suspect: SuspectPlay) => Charge[]}
 */
const openCharge = ({ options }, deal, { seat, line, trick, plays, accusers }) => {
  const { card } = lastOf(plays);
  const position = facing(plays.slice(0, -1), seat, deal.trump, options);
  const ruleOf = (/** @type {Card} */ one) => position && breach(position, BIT[one] | BIT[card], card);
  const possible = accusers & deal.deck & ~barredFor(deal, seat);
  const cards = cardsIn(possible).filter((one) => isRenuncio(ruleOf(one), options));
  if (!cards.length) return [];
  const rules = [...new Set(cards.map(ruleOf))];
  const ifHeld = rules.map((rule) => ({ rule, cards: cards.filter((one) => ruleOf(one) === rule) }));
  return [{ line, trick, since: 0, lines: plays.map((play) => play.line), ifHeld }];
};
