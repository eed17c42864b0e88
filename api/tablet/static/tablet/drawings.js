// Drawings and names of cards and suits in each pack. A card has the same token in every pack.
import { prefix } from "../html/prefix.js";
import { html } from "./vendor/ui.js";
import { t } from "../html/words.js";
/**
 * @typedef {object} Pack how a pack shows the cards of the log
 * @property {string} sheet address of its drawings; "" where the page has them itself
 * @property {string} colour
 * @property {(card: Card) => string} written
 * @property {(card: Card) => string} number
 * @property {(suit: SuitToken) => string} suitName
 * @property {(rank: string) => string} rankName
 */
/** @import { Card, Suit as SuitToken } from "./rules/cards.js" */

/** Letters of the suits of a French pack, for typing a card. @type {Record<string, string>} */
const FRENCH_SUIT = { O: "D", C: "H", E: "S", B: "C" };
/** @type {Record<string, Record<string, string>>} */
const FRENCH_RANK = {
  french_queen_sota: { R: "K", S: "Q", C: "J" },
  french_queen_caballo: { R: "K", C: "Q", S: "J" },
};
/** @type {Record<string, string>} */
const SPANISH_NUMBER = { A: "1", S: "10", C: "11", R: "12" };

/** @type {Map<string, Pack>} */
const packs = new Map();

/** How a pack shows the cards of the log; the same value every time. @type {(pack: string) => Pack} */
export const packOf = (pack) => {
  const found = packs.get(pack) ?? made(pack);
  packs.set(pack, found);
  return found;
};

/**
 * Puts the drawings of a pack into the page. Without this, a browser parses the file of drawings again for each card on the table.
 * If it fails, the drawings are taken from the file.
 * @type {(pack: string) => Promise<void>}
 */
export const drawHere = async (pack) => {
  const found = packOf(pack);
  if (!found.sheet) return;
  const text = await (await fetch(found.sheet)).text();
  const drawings = new DOMParser().parseFromString(text, "image/svg+xml").documentElement;
  document.querySelector("svg.drawings")?.remove();
  drawings.setAttribute("class", "hidden drawings");
  drawings.setAttribute("aria-hidden", "true");
  document.body.append(document.importNode(drawings, true));
  packs.clear();
  packs.set(pack, { ...made(pack), sheet: "" });
};

/** @type {(pack: string) => Pack} */
const made = (pack) => {
  const ranks = FRENCH_RANK[pack];
  if (!ranks) {
    return {
      sheet: `${prefix}/static/html/cards.svg`,
      colour: "",
      written: (card) => card,
      number: (card) => SPANISH_NUMBER[card[0]] ?? card[0],
      suitName: (suit) => t(`suit.${suit}`),
      rankName: (rank) => t(`rank.${rank}`),
    };
  }
  return {
    sheet: `${prefix}/static/html/cards-${pack}.svg`,
    colour: " french",
    written: (card) => (ranks[card[0]] ?? card[0]) + FRENCH_SUIT[card[1]],
    number: (card) => ranks[card[0]] ?? card[0],
    suitName: (suit) => t(`french.suit.${suit}`),
    rankName: (rank) => (ranks[rank] ? t(`french.rank.${ranks[rank]}`) : t(`rank.${rank}`)),
  };
};

/** A card in words. @type {(pack: Pack, card: Card) => string} */
export const nameOfCard = (pack, card) =>
  t("card.pattern", { rank: pack.rankName(card[0]), suit: pack.suitName(card[1]) });

/** Drawing of a card; null is the back. It has no text: the element around it needs a label. @param {{pack: Pack, card: Card | null}} props */
export const Face = ({ pack, card }) => html`
  <svg class=${`card ${card ? card[1] : "back"}${pack.colour}`} viewBox="0 0 62 93" aria-hidden="true">
    <use href=${`${pack.sheet}#${card ?? "back"}`} />
  </svg>`;

/** Drawing of a suit. It has no text: the element around it needs a label. @param {{pack: Pack, suit: SuitToken}} props */
export const Suit = ({ pack, suit }) => html`
  <svg class=${`suit ${suit}${pack.colour}`} viewBox="0 0 40 40" aria-hidden="true">
    <use href=${`${pack.sheet}#${suit}`} />
  </svg>`;
