// Correcting what was noted: which lines change, and what follows from it.
import { SIDES } from "../rules/index.js";
import { t } from "../words.js";
import { corrected } from "./game.js";
import { saidTotal } from "./score.js";

/** Acts of a deal: those from its line up to the next deal. */
const ofSameDeal = (entries, line) => {
  const at = entries.findIndex((entry) => entry.line === line);
  const isDeal = (entry) => entry.act.kind === "deal";
  let from = at;
  while (from > 0 && !isDeal(entries[from])) from -= 1;
  const next = entries.findIndex((entry, place) => place > at && isDeal(entry));
  return entries.slice(from, next < 0 ? undefined : next);
};

/** Changes that put another card at a line. One that lies elsewhere in the same deal changes places with it. */
export const otherCard = (entries, line, card) => {
  const { act } = entries.find((entry) => entry.line === line);
  const other = ofSameDeal(entries, line).find((entry) => entry.act.kind === "card" && entry.act.card === card);
  const replaced = (entry, token) => ({ line: entry.line, how: "replace", act: { ...entry.act, card: token } });
  const first = replaced({ line, act }, card);
  return other && other.line !== line && act.kind === "card" ? [first, replaced(other, act.card)] : [first];
};

/** Changes that give a card to another seat: who laid there already, laid the other one. */
export const otherSeat = (entries, view, line, seat) => {
  const entry = entries.find((one) => one.line === line);
  const tricks = view.deals.flatMap((deal) => [...deal.tricks.map((trick) => trick.plays), deal.on_table]);
  const trick = tricks.find((plays) => plays.some((play) => play.line === line)) ?? [];
  const other = trick.find((play) => play.seat === seat);
  const replaced = (at, act) => ({ line: at, how: "replace", act: { ...entry.act, ...act } });
  if (!other) return [replaced(line, { seat })];
  return [replaced(line, { card: other.card }), replaced(other.line, { seat, card: entry.act.card })];
};

const takersOf = (view) => view.deals.map((deal) => deal.tricks.map((trick) => trick.taker).join()).join(";");
const findingsOf = (view) => view.findings.map((one) => `${one.line} ${one.rule}`).sort();

/** What a correction changes besides the act itself, in words; none if nothing. */
export const consequences = (reading, options, changes, say) => {
  const after = corrected(reading, changes);
  const [old, now] = [reading.view, after.view];
  const found = [];
  const outcome = (view) => view.decided ? `${t("tablet.table.wins", { side: say.side(view.decided.winner) })}, ${t(`how.${view.decided.how}`)}` : t("how.undecided");
  if (outcome(old) !== outcome(now)) found.push(t("tablet.table.changes_outcome", { before: outcome(old), after: outcome(now) }));
  if (takersOf(old) !== takersOf(now)) found.push(t("tablet.table.changes_takers"));
  const isPublic = reading.view.conclusions.length > 0 || now.conclusions.length > 0;
  for (const side of SIDES[options.players]) {
    const [was, is] = [old.totals[side], now.totals[side]];
    if (was !== is && isPublic) found.push(t("tablet.table.changes_total", { side: say.side(side), before: saidTotal(was), after: saidTotal(is) }));
  }
  const before = findingsOf(old);
  for (const one of now.findings) {
    if (!before.includes(`${one.line} ${one.rule}`)) found.push(`${say.seat(one.seat)}: ${t(`rule.${one.rule}`, one.facts)}`);
  }
  return found;
};
