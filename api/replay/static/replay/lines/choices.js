// The cards that a seat could lay, each with what its side would still make; each can be tried.
import { t } from "../../html/words.js";
import { cardSvg } from "../../html/cards.js";
import { el } from "../dom.js";
import { signed } from "../numbers.js";
import { dealOf } from "../data.js";
/** @import { ArrastreCard } from "../analysis.js" */
/** @import { Child } from "../dom.js" */
/** @import { CardPrices } from "../engine.js" */
/** @import { View } from "../data.js" */

/**
 * The hand of a seat before the card that lies on the table. Without prices they are not known yet; null: they never will be, and there is nothing to try.
 * @type {(view: View, one: ArrastreCard, prices: CardPrices | null | undefined, lay: (card: string) => void) => Child[]}
 */
export const choicesOf = ({ replay, moment }, one, prices, lay) => {
  if (prices === null) return [el("p", { class: "fine" }, t("analysis.beyond"))];
  const order = dealOf(replay, replay.frames[moment])?.cards ?? [];
  const held = [...one.known.hands[one.seat]].sort((a, b) => order.indexOf(a) - order.indexOf(b));
  return [
    el("p", { id: "choices" }, t("analysis.choices", { seat: replay.people[one.seat], side: replay.people[one.seat[0]] })),
    el("div", { class: "candidates", role: "group", "aria-labelledby": "choices" }, held.map((card) => option(one, card, prices, lay))),
    replay.isUnplayed ? null : el("button", { type: "button", class: "way show-line", onclick: () => lay(one.card) }, t("analysis.show_line")),
  ];
};

/** @type {(one: ArrastreCard, card: string, prices: CardPrices | undefined, lay: (card: string) => void) => Element} */
const option = (one, card, prices, lay) => {
  const isShown = card === one.card;
  const isUnlawful = prices && !prices.lawful.includes(card);
  return el(
    "button",
    { type: "button", class: `candidate${isShown ? " shown" : ""}`, "data-card": card, "aria-current": isShown, onclick: () => lay(card) },
    cardSvg(card),
    el("b", null, prices ? String(prices.values[card]) : "·"),
    isShown ? el("small", null, t("analysis.on_table")) : prices ? el("small", null, signed(prices.values[card] - prices.values[one.card])) : null,
    isUnlawful ? el("small", { class: "wrong" }, t("analysis.not_lawful")) : null,
  );
};
