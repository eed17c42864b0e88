// Acts, seats and totals in words.
import { sideOf } from "../rules/index.js";
import { t } from "../words.js";
import { nameOfCard } from "./drawn.js";

/** Words for a table: who sits where, which pack. */
export const speaker = (seats, names, pack) => {
  const seat = (one) => names[one] || one || t("tablet.table.nobody");
  const side = (one) => listed(seats.filter((each) => sideOf(each) === one).map(seat));
  const card = (token) => nameOfCard(pack, token);
  return { seat, side, card, pack, act: (act) => actInWords(act, { seat, side, card, pack }) };
};

const listed = (names) => (names.length < 2 ? names.join("") : names.join(` ${t("tablet.table.and")} `));

const SEATS = ["seat", "dealer", "by", "against"];

/** An act in words, with what else is known of it. */
const actInWords = (act, say) => {
  const facts = { ...act };
  for (const name of SEATS) if (act[name]) facts[name] = say.seat(act[name]);
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
