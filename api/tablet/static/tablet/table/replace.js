// Corrections of recorded acts: changed lines, and their other effects.
import { SIDES } from "../rules/index.js";
import { t } from "../../html/words.js";
import { corrected } from "./game.js";
import { isSecret, saidTotal } from "./score.js";
/** @import { Act, ActOf, Change, Entry } from "../rules/acts.js" */
/** @import { Card } from "../rules/cards.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { Seat } from "../rules/seats.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { Reading } from "./game.js" */
/** @import { Say } from "../wording.js" */

/** Acts of a deal: those from its line up to the next deal. @type {(entries: Entry[], line: number) => Entry[]} */
const ofSameDeal = (entries, line) => {
  const at = entries.findIndex((entry) => entry.line === line);
  const isDeal = (/** @type {Entry} */ entry) => entry.act.kind === "deal";
  let from = at;
  while (from > 0 && !isDeal(entries[from])) from -= 1;
  const next = entries.findIndex((entry, place) => place > at && isDeal(entry));
  return entries.slice(from, next < 0 ? undefined : next);
};

/**
 * Changes that put another card at a line. If that card is at another line of the deal, the two are swapped.
 * @type {(entries: Entry[], line: number, card: Card) => Change[]}
 */
export const otherCard = (entries, line, card) => {
  const { act } = /** @type {Entry} */ (entries.find((entry) => entry.line === line));
  const other = ofSameDeal(entries, line).find((entry) => entry.act.kind === "card" && entry.act.card === card);
  /** @type {(entry: Entry, token: Card) => Change} */
  const replaced = (entry, token) => ({ line: entry.line, how: "replace", act: /** @type {Act} */ ({ ...entry.act, card: token }) });
  const first = replaced({ line, act }, card);
  return other && other.line !== line && act.kind === "card" ? [first, replaced(other, act.card)] : [first];
};

/**
 * Changes that give a card to another seat. If that seat has a card in the trick, the two cards are swapped.
 * @type {(entries: Entry[], view: TableView, line: number, seat: Seat) => Change[]}
 */
export const otherSeat = (entries, view, line, seat) => {
  const { act } = /** @type {{act: ActOf<"card">}} */ (entries.find((one) => one.line === line));
  const tricks = view.deals.flatMap((deal) => [...deal.tricks.map((trick) => trick.plays), deal.on_table]);
  const trick = tricks.find((plays) => plays.some((play) => play.line === line)) ?? [];
  const other = trick.find((play) => play.seat === seat);
  /** @type {(at: number, more: Partial<ActOf<"card">>) => Change} */
  const replaced = (at, more) => ({ line: at, how: "replace", act: { ...act, ...more } });
  if (!other) return [replaced(line, { seat })];
  return [replaced(line, { card: other.card }), replaced(other.line, { seat, card: act.card })];
};

/**
 * Tricks that another seat takes after a correction, in words: by the card led, with who took it and, unless secret, its points.
 * @type {(old: TableView, now: TableView, say: Say, areSecret: boolean) => string[]}
 */
const tricksMoved = (old, now, say, areSecret) =>
  old.deals.flatMap((deal, place) =>
    deal.tricks.flatMap(({ number, taker, plays, points }) => {
      const after = now.deals[place]?.tricks[number - 1];
      if (after?.taker === taker) return [];
      const led = plays.length ? say.card(plays[0].card) : "–";
      const facts = { n: number, led, before: say.seat(taker), after: after ? say.seat(after.taker) : t("tablet.table.trick_open") };
      const moved = t("tablet.table.changes_trick", facts);
      return [areSecret ? moved : t("tablet.table.trick_worth", { moved, points: after?.points ?? points ?? "–" })];
    }),
  );

/** @type {(view: TableView) => string[]} */
const findingsOf = (view) => view.findings.map((one) => `${one.line} ${one.rule}`).sort();

/**
 * Other effects of a correction, in words: tricks that change hands, what else changes, and secret totals; empty if there are none.
 * @typedef {{tricks: string[], others: string[], secret: string[]}} Consequences
 * @type {(reading: Reading, options: Options, changes: Change[], say: Say) => Consequences}
 */
export const consequences = (reading, options, changes, say) => {
  const [old, now] = [reading.view, corrected(reading, changes).view];
  const areSecret = isSecret(old) || isSecret(now);
  /** @type {Pick<Consequences, "others" | "secret">} */
  const { others, secret } = { others: [], secret: [] };
  /** @type {(view: TableView) => string} */
  const outcome = (view) => view.decided ? `${t("tablet.table.wins", { side: say.side(view.decided.winner) })}, ${t(`how.${view.decided.how}`)}` : t("how.undecided");
  if (outcome(old) !== outcome(now)) others.push(t("tablet.table.changes_outcome", { before: outcome(old), after: outcome(now) }));
  for (const side of SIDES[options.players]) {
    const [was, is] = [old.totals[side], now.totals[side]];
    if (was !== is) (areSecret ? secret : others).push(t("tablet.table.changes_total", { side: say.side(side), before: saidTotal(was), after: saidTotal(is) }));
  }
  const before = findingsOf(old);
  for (const one of now.findings) {
    if (!before.includes(`${one.line} ${one.rule}`)) others.push(`${say.seat(one.seat)}: ${t(`rule.${one.rule}`, one.facts)}`);
  }
  return { tricks: tricksMoved(old, now, say, areSecret), others, secret };
};
