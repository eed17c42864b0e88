// Acts, seats and totals in words.
import { SEATS, sideOf } from "./rules/index.js";
import { t } from "../html/words.js";
import { nameOfCard, packOf } from "./drawings.js";
/** @import { TableState } from "./outbox/table.js" */
/** @import { Act, Amendment, Change } from "./rules/acts.js" */
/** @import { Pack } from "./drawings.js" */
/**
 * @typedef {{seat: (seat: string) => string, side: (side: string) => string, card: (token: string) => string, pack: Pack}} Words
 * @typedef {Words & {act: (act: Act | Amendment) => string}} Say
 * @typedef {string | false | 0 | undefined} Detail
 */

/**
 * Functions that put seats, sides, cards and acts of a table into words, by its names and its pack.
 * @type {(state: Pick<TableState, "options" | "names">) => Say}
 */
export const speakerOf = ({ options, names }) => {
  const [seats, pack] = [SEATS[options.players], packOf(options.pack)];
  const seat = (/** @type {string} */ one) => names[one] || one || t("tablet.table.nobody");
  const side = (/** @type {string} */ one) => listed(seats.filter((each) => sideOf(each) === one).map(seat));
  const card = (/** @type {string} */ token) => nameOfCard(pack, token);
  return { seat, side, card, pack, act: (/** @type {Act | Amendment} */ act) => actInWords(act, { seat, side, card, pack }) };
};

/** @type {(names: string[]) => string} */
const listed = (names) => (names.length < 2 ? names.join("") : names.join(` ${t("tablet.table.and")} `));

const NAMES_A_SEAT = ["seat", "dealer", "by", "against"];
const NAMES_A_SIDE = ["side", "winner"];

/**
 * An act in words with its details; for a correction, what it changes.
 * @type {(act: Act | Amendment, say: Words) => string}
 */
const actInWords = (act, say) => {
  if (act.kind === "amend") return act.changes.map((change) => changeInWords(change, say)).join("; ");
  /** @type {Record<string, any>} */
  const facts = { ...act };
  for (const name of NAMES_A_SEAT) if (facts[name]) facts[name] = say.seat(facts[name]);
  for (const name of NAMES_A_SIDE) if (facts[name]) facts[name] = say.side(facts[name]);
  if (facts.card) facts.card = say.card(facts.card);
  if (Array.isArray(facts.cards)) facts.cards = facts.cards.map(say.card).join(", ");
  if (act.kind === "cante" || act.kind === "ask_suit") facts.suit = act.suit ? say.pack.suitName(act.suit) : t("tablet.table.hidden");
  const suits = act.kind === "show" ? (act.void ?? []).map(say.pack.suitName).join(", ") : "";
  const isVoid = act.kind === "show" && !facts.cards;
  const kind = isVoid ? "show_void" : act.kind === "draw" && !act.card ? "draw_unseen" : act.kind;
  const more = detailsOf(act, say, isVoid ? "" : suits).filter(Boolean).join(", ");
  return t(`act.${kind}`, { ...facts, suits }).trim() + (more ? ` (${more})` : "");
};

/** @type {(change: Change, say: Words) => string} */
const changeInWords = ({ line, act }, say) =>
  t("tablet.sync.change", { line, what: act ? actInWords(act, say) : t("tablet.sync.withdrawn") });

/** @type {(act: Act, say: Words, suits: string) => Detail[]} */
const detailsOf = (act, say, suits) => {
  const word = (/** @type {string} */ name, /** @type {unknown} */ value) => `${t(`tablet.table.field.${name}`)}: ${value}`;
  switch (act.kind) {
    case "deal":
      return [
        act.cutter && word("cutter", say.seat(act.cutter)), act.cut !== undefined && word("cut", act.cut),
        act.packets && t(`tablet.table.packets.${act.packets}`), act.removed && word("removed", say.card(act.removed)),
      ];
    case "misdeal":
      return Object.entries(act.hands ?? {}).map(([seat, cards]) => `${say.seat(seat)} ${cards}`);
    case "wrong_draw":
      return [t(`tablet.table.fault.${act.fault}`), act.card && say.card(act.card)];
    case "tute":
      return [word("rank", say.pack.rankName(act.rank))];
    case "show":
      return [suits && word("void", suits)];
    case "denounce":
      return [act.deal && t("tablet.table.deal_number", { n: act.deal }), act.trick && t("tablet.table.in_trick", { n: act.trick })];
    case "incident":
      return [act.card && say.card(act.card)];
    default:
      return [];
  }
};
