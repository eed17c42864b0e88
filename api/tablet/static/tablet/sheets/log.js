// The log: all recorded acts by partida and deal, for viewing and correcting.
import { html, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { Face } from "../drawings.js";
import { markedLines } from "./findings.js";
import { Choice } from "../sheet.js";
/** @import { Act, Entry } from "../rules/acts.js" */
/** @import { DealView, TrickView } from "../rules/queries/view.js" */
/** @import { Game, Reading } from "../table/game.js" */
/** @import { Say } from "../wording.js" */
/** @import { OnLine } from "./findings.js" */
/** @typedef {Pick<TrickView, "number" | "plays"> & {taker?: string}} LoggedTrick */

/**
 * Tricks and acts of one deal; `onLine` gets the partida and the line that was tapped.
 * @param {{game: Game, say: Say, onLine: OnLine}} props
 */
export const Log = ({ game, say, onLine }) => {
  const last = game.partidas.length - 1;
  const [at, look] = useState({ partida: last, deal: game.partidas[last].view.deals.length - 1 });
  const reading = game.partidas[at.partida];
  const { deals } = reading.view;
  const choices = game.partidas.map(({ number }, place) => [place, String(number)]);
  return html`
    <div class="log">
      ${choices.length > 1 && html`<${Choice} label=${t("tablet.table.partida")} choices=${choices} value=${at.partida}
        onChoose=${(/** @type {number} */ partida) => look({ partida, deal: game.partidas[partida].view.deals.length - 1 })} />`}
      ${deals.length > 1 && html`<${Choice} label=${t("tablet.table.deal")} value=${at.deal}
        choices=${deals.map(({ number }, place) => [place, String(number)])} onChoose=${(/** @type {number} */ deal) => look({ ...at, deal })} />`}
      <${Acts} ...${{ reading, deal: deals[at.deal], next: deals[at.deal + 1], say, onLine }} />
    </div>`;
};

/**
 * Acts of a deal in order: the cards of a trick in one row, each other act in a row of its own.
 * @param {{reading: Reading, deal: DealView | undefined, next: DealView | undefined, say: Say, onLine: OnLine}} props
 */
const Acts = ({ reading, deal, next, say, onLine }) => {
  const marks = markedLines(reading.view);
  const lines = reading.entries.filter(({ line }) => isBetween(reading, line, deal?.line, next?.line));
  /** @type {Map<number, LoggedTrick>} */
  const tricks = new Map();
  for (const trick of deal ? [...deal.tricks, { number: deal.tricks.length + 1, plays: deal.on_table }] : []) {
    for (const play of trick.plays) tricks.set(play.line, trick);
  }
  /** @type {{trick: LoggedTrick | undefined, acts: Entry[]}[]} */
  const groups = [];
  for (const { line, act } of lines) {
    const trick = tricks.get(line);
    const before = groups[groups.length - 1];
    if (trick && before?.trick === trick) before.acts.push({ line, act });
    else groups.push({ trick, acts: [{ line, act }] });
  }
  const tap = (/** @type {number} */ line) => () => onLine(reading.number, line);
  return html`
    <ol class="acts">
      ${groups.map(({ trick, acts }) => html`
        <li key=${acts[0].line}>
          ${trick && html`<span class="label">${trick.number}</span>`}
          ${acts.map(({ line, act }) => html`
            <button key=${line} data-line=${line} class=${`act${trick && trick.taker === cardOf(act).seat ? " wins" : ""}`} onClick=${tap(line)} aria-label=${labelOf(act, marks.has(line), say)}>
              ${trick && html`<${Face} pack=${say.pack} card=${cardOf(act).card} />`}
              <span aria-hidden="true">${trick ? say.seat(cardOf(act).seat) : say.act(act)}</span>
              ${marks.has(line) && html`<span class="mark" aria-hidden="true">!</span>`}
            </button>`)}
        </li>`)}
    </ol>`;
};

/** Seat and card of a play; empty for another act. @type {(act: Act) => {seat: string, card: string}} */
const cardOf = (act) => (act.kind === "card" ? act : { seat: "", card: "" });

/** @type {(act: Act, isMarked: boolean, say: Say) => string} */
const labelOf = (act, isMarked, say) => say.act(act) + (isMarked ? `, ${t("tablet.table.marked")}` : "");

/**
 * Whether a line is in a deal, by the order of events and not by its number.
 * @type {(reading: Reading, line: number, from?: number, to?: number) => boolean}
 */
const isBetween = ({ entries }, line, from, to) => {
  const place = (/** @type {number} */ one) => entries.findIndex((entry) => entry.line === one);
  const at = place(line);
  return (!from || at >= place(from)) && (!to || at < place(to));
};
