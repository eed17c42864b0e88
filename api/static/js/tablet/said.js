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

const actInWords = (act, say) => {
  const facts = { ...act };
  for (const name of SEATS) if (act[name]) facts[name] = say.seat(act[name]);
  for (const name of ["side", "winner"]) if (act[name]) facts[name] = say.side(act[name]);
  if (act.card) facts.card = say.card(act.card);
  if (act.cards?.map) facts.cards = act.cards.map(say.card).join(", ");
  if (act.kind === "cante") facts.suit = act.suit ? say.pack.suitName(act.suit) : t("tablet.table.hidden");
  return t(`act.${act.kind}`, facts).trim();
};
