// Acts, seats and totals in words.
import { SEATS, sideOf } from "../rules/index.js";
import { t } from "../words.js";
import { nameOfCard, packOf } from "./drawn.js";

/** Words for the table of a state of the outbox: who sits where, which pack. */
export const speakerOf = ({ options, names }) => {
  const [seats, pack] = [SEATS[options.players], packOf(options.pack)];
  const seat = (one) => names[one] || one || t("tablet.table.nobody");
  const side = (one) => listed(seats.filter((each) => sideOf(each) === one).map(seat));
  const card = (token) => nameOfCard(pack, token);
  return { seat, side, card, pack, act: (act) => actInWords(act, { seat, side, card, pack }) };
};

const listed = (names) => (names.length < 2 ? names.join("") : names.join(` ${t("tablet.table.and")} `));

const NAMES_A_SEAT = ["seat", "dealer", "by", "against"];

/** An act in words, with what else is known of it; a correction with what it corrects. */
const actInWords = (act, say) => {
  if (act.kind === "amend") return act.changes.map((change) => changeInWords(change, say)).join("; ");
  const facts = { ...act };
  for (const name of NAMES_A_SEAT) if (act[name]) facts[name] = say.seat(act[name]);
  for (const name of ["side", "winner"]) if (act[name]) facts[name] = say.side(act[name]);
  if (act.card) facts.card = say.card(act.card);
  if (act.cards?.map) facts.cards = act.cards.map(say.card).join(", ");
  if (act.kind === "cante") facts.suit = act.suit ? say.pack.suitName(act.suit) : t("tablet.table.hidden");
  const suits = (act.void ?? []).map(say.pack.suitName).join(", ");
  const isVoid = act.kind === "show" && !facts.cards;
  const kind = isVoid ? "show_void" : act.kind === "draw" && !act.card ? "draw_unseen" : act.kind;
  const more = detailsOf(act, say, isVoid ? "" : suits).filter(Boolean).join(", ");
  return t(`act.${kind}`, { ...facts, suits }).trim() + (more ? ` (${more})` : "");
};

const changeInWords = ({ line, act }, say) =>
  t("tablet.sync.change", { line, what: act ? actInWords(act, say) : t("tablet.sync.withdrawn") });

const detailsOf = (act, say, suits) => {
  const word = (name, value = act[name]) => `${t(`tablet.table.field.${name}`)}: ${value}`;
  switch (act.kind) {
    case "deal":
      return [act.cut !== undefined && word("cut"), act.removed && word("removed", say.card(act.removed))];
    case "misdeal":
      return Object.entries(act.hands ?? {}).map(([seat, cards]) => `${say.seat(seat)} ${cards}`);
    case "wrong_draw":
      return [t(`tablet.table.fault.${act.fault}`), act.card && say.card(act.card)];
    case "tute":
      return [word("rank", say.pack.rankName(act.rank))];
    case "show":
      return [suits && word("void", suits)];
    case "denounce":
      return [act.trick && t("tablet.table.in_trick", { n: act.trick })];
    case "incident":
      return [act.card && say.card(act.card)];
    default:
      return [];
  }
};
