// Drawings of cards, made by docs/draw_cards.py and included in the page. From a separate file, a browser would parse all
// drawings again for each card.
import { cardName, t } from "./words.js";

/** Class of the pack, added to each drawing, since packs have different colours. */
const french = globalThis.document?.documentElement.dataset.pack?.startsWith("french") ? " french" : "";
const SVG = "http://www.w3.org/2000/svg";

/** Suits from top to bottom of the pad, ranks from left to right as on the table. */
export const SUITS = ["O", "C", "E", "B"];
export const RANKS = ["2", "4", "5", "6", "7", "8", "9", "S", "C", "R", "3", "A"];

/**
 * Drawing of a card by its token; null is the back.
 * @type {(token: string | null, label?: string) => SVGSVGElement}
 */
export const cardSvg = (token, label = token ? cardName(token) : "") =>
  drawn(token ?? "back", `card ${token ? token[1] : "back"}${french}`, "0 0 62 93", label);

/** Drawing of a suit. @type {(suit: string, label?: string) => SVGSVGElement} */
export const suitSvg = (suit, label = t(`suit.${suit}`)) =>
  drawn(suit, `suit ${suit}${french}`, "0 0 40 40", label);

/** @type {(symbol: string, classes: string, box: string, label: string) => SVGSVGElement} */
const drawn = (symbol, classes, box, label) => {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", classes);
  svg.setAttribute("viewBox", box);
  if (label) {
    svg.setAttribute("role", "img");
    svg.setAttribute("aria-label", label);
  } else svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `#${symbol}`);
  svg.append(use);
  return svg;
};
