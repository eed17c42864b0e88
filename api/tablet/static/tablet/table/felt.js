// The felt: seats, the turn, the cards of the trick, the winning card so far, the stock.
import { html } from "../vendor/ui.js";
import { sideOf } from "../rules/index.js";
import { t } from "../../html/words.js";
import { Face, Suit } from "../drawings.js";
import { usePress } from "../long_press.js";
/** @import { Play } from "../rules/state.js" */
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */
/** @typedef {{plays: Play[], winning: string | null, closed: boolean}} ShownTrick */

/**
 * Places around the table in anticlockwise order of play; the first seat is the nearest.
 * @type {Record<number, string[]>}
 */
const PLACES = { 2: ["s", "n"], 3: ["s", "e", "w"], 4: ["s", "e", "n", "w"] };
/** @type {Record<string, string>} */
const MIRRORED = { e: "w", w: "e" };

/** Place on the screen of each seat. @type {(seats: string[], direction: string) => Record<string, string>} */
export const placesOf = (seats, direction) =>
  Object.fromEntries(
    seats.map((seat, at) => {
      const place = PLACES[seats.length][at];
      return [seat, direction === "clockwise" ? (MIRRORED[place] ?? place) : place];
    }),
  );

/**
 * The felt: seats around it, north opposite south, and a place for the card of each. `shown` is the trick that is drawn:
 * `{plays, winning, closed}`; `children` are shown instead of a trick; `corner` is what lies in the free corner.
 * @param {{game: Pick<Game, "seats" | "options">, deal: DealView | null, shown: ShownTrick, turn: string | null, chosen: string, replaced: number, certain?: number[], marks: Set<number>, dealer?: string,
 * say: Say, onSeat?: (seat: string) => void, onPlay: (play: Play, isLong: boolean) => void, children?: unknown, corner?: unknown}} props
 */
export const Felt = ({ game, deal, shown, turn, chosen, replaced, certain = [], marks, say, onSeat, onPlay, children, corner, dealer = deal?.dealer ?? "" }) => {
  const { seats, options } = game;
  const places = placesOf(seats, options.direction);
  const free = seats.filter((seat) => !shown.plays.some((play) => play.seat === seat));
  return html`
    <div class=${`felt players-${seats.length}${children ? " counting" : ""}`}>
      <div class="places">
        ${seats.map((seat) => html`<${Seat} key=${seat} ...${{ seat, place: places[seat], deal, dealer, turn, chosen, say, onSeat }} />`)}
        <div class="laid" role="group" aria-label=${t(shown.closed ? "tablet.table.trick_last" : "tablet.table.trick_now")}>
          ${shown.plays.map((play) => {
            const facts = { play, place: places[play.seat], say, onPlay };
            return html`<${PlayedCard} key=${play.line} ...${facts} winning=${play.seat === shown.winning} closed=${shown.closed}
              replaced=${replaced === play.line} isCertain=${certain.includes(play.line)} mark=${marks.has(play.line)} />`;
          })}
          ${!children && free.map((seat) => html`<span key=${seat} class=${`free at-${places[seat]}`} aria-hidden="true"></span>`)}
          ${children}
        </div>
        ${deal && html`<${Stock} deal=${deal} say=${say} />`}
        ${corner}
      </div>
    </div>`;
};

/**
 * @param {{seat: string, place: string, deal: DealView | null, dealer: string, turn: string | null, chosen: string, say: Say, onSeat?: (seat: string) => void}} props
 */
const Seat = ({ seat, place, deal, dealer, turn, chosen, say, onSeat }) => {
  const isTurn = seat === turn;
  const isFirst = deal?.mano === seat;
  const tricks = deal ? deal.tricks.filter((trick) => sideOf(trick.taker) === sideOf(seat)).length : 0;
  const isHead = seat[1] === "1";
  return html`
    <${onSeat ? "button" : "div"} class=${`seat at-${place}${isTurn ? " turn" : ""}${chosen === seat ? " chosen" : ""}`} data-seat=${seat}
      ...${onSeat && { "aria-pressed": chosen === seat, onClick: () => onSeat(seat) }}>
      ${isTurn && html`<span class="arrow" aria-hidden="true">▶</span>`}
      <span class="who">${say.seat(seat)}</span>
      ${isFirst && html`<span class="tag">${t("tablet.table.eldest")}</span>`}
      ${dealer === seat && html`<span class="tag">${t("tablet.table.deals")}</span>`}
      ${isTurn && html`<span class="hidden">, ${t("tablet.table.to_play")}</span>`}
      ${isHead && tricks > 0 && html`<${Pile} tricks=${tricks} />`}
    <//>`;
};

/** Tricks that a side has taken, as a pile of backs with their number. @param {{tricks: number}} props */
const Pile = ({ tricks }) => html`
  <span class="pile">
    <span class="backs" aria-hidden="true"></span>
    <span aria-hidden="true">${tricks}</span>
    <span class="hidden">${t("tablet.table.tricks_taken", { n: tricks })}</span>
  </span>`;

/**
 * @param {{play: Play, place: string, winning: boolean, closed: boolean, replaced: boolean, isCertain: boolean, mark: boolean, say: Say,
 * onPlay: (play: Play, isLong: boolean) => void}} props
 */
const PlayedCard = ({ play, place, winning, closed, replaced, isCertain, mark, say, onPlay }) => {
  const press = usePress(() => onPlay(play, true), () => onPlay(play, false));
  const said = [say.seat(play.seat), say.card(play.card)].join(": ");
  const state = [winning && t(closed ? "tablet.table.took" : "tablet.table.winning"), mark && t("tablet.table.marked"), isCertain && t("tablet.table.by_itself")];
  return html`
    <button class=${`play at-${place}${winning ? " wins" : ""}${replaced ? " replaced" : ""}${isCertain ? " certain" : ""}`} data-card=${play.card}
      aria-pressed=${replaced} aria-label=${[said, ...state.filter(Boolean)].join(", ")} ...${press}>
      <${Face} pack=${say.pack} card=${play.card} />
      ${winning && html`<span class="crown" aria-hidden="true">★</span>`}
      ${mark && html`<span class="mark" aria-hidden="true">!</span>`}
    </button>`;
};

/** The stock with the pinta under it, and the trump. @param {{deal: DealView, say: Say}} props */
const Stock = ({ deal, say }) => {
  if (!deal.trump) return null;
  const suit = say.pack.suitName(deal.trump);
  return html`
    <div class="stock">
      ${deal.pinta_lies && html`<span class="pinta"><${Face} pack=${say.pack} card=${deal.pinta} /></span>`}
      ${deal.stock > 1 && html`<span class="backs" aria-hidden="true"></span>`}
      <p class="left"><b>${deal.stock}</b> ${t(deal.stock ? "tablet.table.in_stock" : "tablet.table.arrastre")}</p>
      <p class="trump"><${Suit} pack=${say.pack} suit=${deal.trump} /> ${t("tablet.table.trump", { suit })}</p>
      ${deal.pinta && html`<p class="hidden">${t("tablet.table.pinta_is", { card: say.card(deal.pinta) })}</p>`}
    </div>`;
};
