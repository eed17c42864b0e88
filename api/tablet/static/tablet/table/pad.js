// The pad: a key for each card of the deck.
import { html, useMemo, useRef } from "../vendor/ui.js";
import { RANKS, SUITS } from "../rules/index.js";
import { t } from "../../html/words.js";
import { Suit } from "../drawings.js";
/** @import { Card } from "../rules/cards.js" */
/** @import { Cell } from "./cells.js" */
/** @import { Say } from "../wording.js" */

/** @typedef {Cell & {pressed: boolean}} KeyState */

const TYPED_MS = 1500;

/** Cards of the pad, one row for each suit. @type {(deck: number) => Card[][]} */
export const rowsOf = (deck) =>
  [...SUITS].map((suit) => [...RANKS].filter((rank) => deck === 48 || !"89".includes(rank)).map((rank) => rank + suit));

/**
 * `cells` gives the state of a card; `onCard` gets the card.
 * @param {{deck: number, trump?: string, cells: (card: Card) => Cell, say: Say, onCard: (card: Card) => void, label: string, chosen?: Card[]}} props
 */
export const Pad = ({ deck, trump, cells, say, onCard, label, chosen = [] }) => {
  const grid = useRef(/** @type {HTMLElement | null} */ (null));
  const rows = rowsOf(deck);
  const typed = useRef({ text: "", at: 0 });
  const focus = (/** @type {Card} */ card) =>
    /** @type {HTMLElement | null | undefined} */ (grid.current?.querySelector(`[data-card="${card}"]`))?.focus();
  const onKeyDown = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const card = document.activeElement?.getAttribute("data-card");
    const next = card && grid.current ? moved(grid.current, card, event.key) : null;
    if (next) {
      event.preventDefault();
      next.focus();
    } else typedKey(event, typed.current, { rows, say, focus });
  };
  return html`
    <div class=${`pad deck-${deck}`} role="group" aria-label=${label} ref=${grid} onKeyDown=${onKeyDown}>
      ${rows.map((row) => {
        const suit = row[0][1];
        const states = row.map((card) => ({ ...cells(card), pressed: chosen.includes(card) }));
        return html`<${Row} key=${suit} ...${{ row, states, say, onCard }} isTrump=${suit === trump} />`;
      })}
    </div>`;
};

/**
 * A row, and a key in it, is drawn again only after a change: drawing forty keys at each tap is too slow on a cheap tablet.
 * @param {{row: Card[], states: KeyState[], isTrump: boolean, say: Say, onCard: (card: Card) => void}} props
 */
const Row = ({ row, states, isTrump, say, onCard }) => {
  const suit = row[0][1];
  return useMemo(
    () => html`
      <div class=${`row ${suit}${isTrump ? " trump" : ""}`} role="group" aria-label=${say.pack.suitName(suit)}>
        ${isTrump && html`<span class="sign">${t("tablet.table.trump_short")}</span>`}
        ${row.map((card, place) => html`<${Key} key=${card} ...${{ card, say, onCard }} ...${states[place]} />`)}
      </div>`,
    [JSON.stringify(states), isTrump, say.pack, onCard],
  );
};

/** @param {KeyState & {card: Card, say: Say, onCard: (card: Card) => void}} props */
const Key = ({ card, gone, cannot, tint, pressed, say, onCard }) =>
  useMemo(() => {
    const state = [gone ? t("tablet.table.gone") : cannot && t("tablet.table.cannot"), tint && t(`tablet.table.tinted_${tint}`)].filter(Boolean);
    const classes = ["key", card[1], gone && "gone", cannot && "cannot", tint && "tint", pressed && "pressed"].filter(Boolean).join(" ");
    return html`
      <button type="button" class=${classes} data-card=${card} aria-label=${[say.card(card), ...state].join(", ")} onClick=${() => onCard(card)}>
        <span class="index">${say.pack.number(card)}</span>
        <${Suit} pack=${say.pack} suit=${card[1]} />
        <span class="mark" aria-hidden="true">!</span>
      </button>`;
  }, [card, gone, cannot, tint, pressed, say.pack, onCard]);

/** @type {Record<string, [number, number]>} */
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/**
 * The nearest key in the direction of an arrow key, for any layout of the pad.
 * @type {(grid: HTMLElement, card: Card, key: string) => HTMLElement | null}
 */
const moved = (grid, card, key) => {
  const keys = /** @type {HTMLElement[]} */ ([...grid.querySelectorAll("[data-card]")]);
  if (key === "Home") return keys[0];
  if (key === "End") return keys[keys.length - 1];
  const step = STEPS[key];
  const held = keys.find((one) => one.dataset.card === card);
  if (!step || !held) return null;
  const from = held.getBoundingClientRect();
  const [x, y] = [from.x + from.width * (0.5 + step[0] * 1.02), from.y + from.height * (0.5 + step[1] * 1.02)];
  const distance = (/** @type {Element} */ one) => {
    const box = one.getBoundingClientRect();
    return Math.hypot(box.x + box.width / 2 - x, box.y + box.height / 2 - y);
  };
  return keys.filter((one) => distance(one) < from.width / 2).sort((one, other) => distance(one) - distance(other))[0] ?? null;
};

/**
 * Selects a card by its two letters: 7o, ao, rc.
 * @type {(event: KeyboardEvent, typed: {text: string, at: number}, pad: {rows: Card[][], say: Say, focus: (card: Card) => void}) => void}
 */
const typedKey = (event, typed, { rows, say, focus }) => {
  if (event.key.length !== 1) return;
  const now = event.timeStamp;
  typed.text = (now - typed.at < TYPED_MS ? typed.text : "").slice(-1) + event.key.toUpperCase();
  typed.at = now;
  const written = (/** @type {Card} */ card) => [card, say.pack.written(card)];
  const card = rows.flat().find((one) => written(one).includes(typed.text));
  if (card) focus(card);
};
