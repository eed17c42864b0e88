// Acts, seats and totals in words.
import { SEATS, sideOf } from "./rules/index.js";
import { phraseOf } from "../html/grammar.js";
import { inWords, listed, nounOf, t } from "../html/words.js";
import { nameOfCard, packOf } from "./drawings.js";
/** @import { TableState } from "./outbox/table.js" */
/** @import { Act, Amendment, Change } from "./rules/acts.js" */
/** @import { Pack } from "./drawings.js" */
/** @import { Phrase } from "../html/grammar.js" */
/**
 * Labels of seats and sides, and the same as phrases for sentences.
 * @typedef {{seat: (seat: string) => string, side: (side: string) => string, seated: (seat: string) => Phrase,
 *   sided: (side: string) => Phrase, card: (token: string) => string, pack: Pack}} Words
 * @typedef {Words & {act: (act: Act | Amendment) => string}} Say
 * @typedef {string | false | 0 | undefined} Detail
 */

/**
 * Functions that put seats, sides, cards and acts of a table into words, by its names and its pack. Whose name was
 * erased, or never told, has an empty one; a seat of which nothing is known is a numbered player, a side of such seats a pair.
 * @type {(state: Pick<TableState, "options" | "names">) => Say}
 */
export const speakerOf = ({ options, names }) => {
  const [seats, pack] = [SEATS[options.players], packOf(options.pack)];
  const placeOf = (/** @type {string} */ one) => seats.findIndex((each) => each === one) + 1;
  const isAlone = Object.values(names).filter((name) => !name).length === 1;
  const nameless = (/** @type {string} */ one) => t(isAlone ? "grammar.nameless" : "grammar.nameless_n", { n: placeOf(one) });
  const seated = (/** @type {string} */ one) =>
    one in names ? phraseOf(names[one] || nameless(one)) : noun("player", { n: placeOf(one) });
  const seat = (/** @type {string} */ one) => names[one] || (one ? inWords(seated(one)) : t("tablet.table.nobody"));
  const sided = (/** @type {string} */ one) => {
    const own = seats.filter((each) => sideOf(each) === one);
    if (own.length === 1) return seated(own[0]);
    return own.some((each) => each in names) ? phraseOf(listed(own.map(seated)), true) : noun("pair", { side: one });
  };
  const side = (/** @type {string} */ one) => (one ? inWords(sided(one)) : "");
  const card = (/** @type {string} */ token) => nameOfCard(pack, token);
  const say = { seat, side, seated, sided, card, pack };
  return { ...say, act: (/** @type {Act | Amendment} */ act) => actInWords(act, say) };
};

/** A noun for who has no name, with its article. @type {(of: "player" | "pair", facts: Record<string, unknown>) => Phrase} */
const noun = (of, facts) => ({ ...phraseOf(t(`grammar.${of}`, facts)), gender: t(`grammar.${of}_gender`) });

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
  for (const name of NAMES_A_SEAT) if (facts[name]) facts[name] = say.seated(facts[name]);
  for (const name of NAMES_A_SIDE) if (facts[name]) facts[name] = say.sided(facts[name]);
  if (facts.card) facts.card = nounOf(say.card(facts.card), say.pack.rankName(facts.card[0]));
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
  act ? t("tablet.sync.change", { line, what: actInWords(act, say) }) : t("tablet.sync.withdrawn", { line });

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
