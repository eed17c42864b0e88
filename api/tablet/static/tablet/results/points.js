// Fields for the points of each side, in malas or buenas, and the totals that are possible for the other side.
import { html } from "../vendor/ui.js";
import { SIDES, malasYBuenas } from "../rules/index.js";
import { t } from "../../html/words.js";
import { typing } from "../input.js";
import { saidTotal } from "../table/score.js";
import { Choice } from "../sheet.js";
/** @import { Totals } from "../rules/acts.js" */
/** @import { Game } from "../table/game.js" */
/** @import { Say } from "../wording.js" */

const MALAS = 50;
const MOST = 999;

/** @typedef {{number: string, buenas: boolean}} EnteredPoints entered points of a side */

/** The entered total; null if nothing was entered. @type {(said?: EnteredPoints) => number | null} */
const totalOf = (said) => (said?.number ? Number(said.number) + (said.buenas ? MALAS : 0) : null);

/** The entered totals, by side. @type {(typed: Record<string, EnteredPoints>) => Totals} */
export const typedTotals = (typed) =>
  Object.fromEntries(Object.entries(typed).flatMap(([side, said]) => {
    const total = totalOf(said);
    return total === null ? [] : [[side, total]];
  }));

/** Totals as entered values. @type {(totals?: Totals) => Record<string, EnteredPoints>} */
export const asTyped = (totals = {}) =>
  Object.fromEntries(Object.entries(totals).map(([side, total]) => {
    const { points, buenas } = malasYBuenas(total);
    return [side, { number: String(points), buenas }];
  }));

/**
 * A field for each side. `fills` are the possible totals of the other side, `filled` is the proposed one.
 * @param {{game: Game, say: Say, typed: Record<string, EnteredPoints>, onType: (typed: Record<string, EnteredPoints>) => void, fills?: number[],
 * filled?: number, onFill?: (filled: number) => void}} props
 */
export const Points = ({ game, say, typed, onType, fills = [], filled, onFill }) =>
  SIDES[game.options.players].map((side) => {
    const said = typed[side] ?? { number: "", buenas: false };
    const total = totalOf(said);
    const type = (/** @type {Partial<EnteredPoints>} */ more) => onType({ ...typed, [side]: { ...said, ...more } });
    const onInput = typing((text) => type({ number: text.replace(/\D/g, "").slice(0, String(MOST).length) }));
    return html`
      <div class="reported" key=${side} data-side=${side} role="group" aria-label=${say.side(side)}>
        <label><span>${say.side(side)}</span>
          <input type="text" inputmode="numeric" pattern="[0-9]*" autocomplete="off" value=${said.number} onInput=${onInput} /></label>
        ${(total !== null || !fills.length) && html`<${Choice} label=${t("tablet.result.said")} value=${said.buenas} onChoose=${(/** @type {boolean} */ buenas) => type({ buenas })}
          choices=${[[false, t("tablet.result.malas")], [true, t("tablet.result.buenas")]]} />`}
        ${total !== null && html`<p class="total"><b>${total}</b> ${saidTotal(total)}</p>`}
        ${total === null && fills.length > 0 && html`<${Choice} label=${t("tablet.result.other_has")} value=${filled} onChoose=${onFill}
          choices=${fills.map((one) => [one, `${one}: ${saidTotal(one)}`])} />`}
      </div>`;
  });
