// A deal recorded without cards: who took each trick, and the totals that were called.
import { html, useState } from "../vendor/ui.js";
import { SIDES, dealsWithoutCount, doubtsOfCount, sumOfTotals, trickSums } from "../rules/index.js";
import { t } from "../../html/words.js";
import { DoubtList } from "./doubted.js";
import { typing } from "../input.js";
import { Points, typedTotals } from "./points.js";
import { Choice } from "../sheet.js";
/** @import { Act, ActOf, Totals } from "../rules/acts.js" */
/** @import { DealView, TableView } from "../rules/queries/view.js" */
/** @import { EnteredPoints } from "./points.js" */
/** @import { Context } from "../table/table.js" */

const DECK_POINTS = 120;

/**
 * Whether tricks were not counted, nor totals called since, so that they must be asked from the players.
 * @type {(view: TableView) => boolean}
 */
export const isUncounted = (view) => dealsWithoutCount(view.state).length > 0;

/** Whether a trick can be entered: not while cards are on the table. @type {(view: TableView, deal: DealView | null) => boolean} */
export const mayEnterTrick = (view, deal) =>
  !view.decided && view.phase !== "counting" && !view.suspended && !deal?.on_table.length;

/** Buttons for a record without cards. @param {Pick<Context, "deal" | "view" | "open">} props */
export const WithoutCards = ({ deal, view, open }) => html`
  <button onClick=${() => open("result")}>${t("tablet.result.result")}</button>
  ${mayEnterTrick(view, deal) && html`<button onClick=${() => open("trick")}>${t("tablet.result.trick")}</button>`}`;

/**
 * One tap records who took a trick; its points can be entered before.
 * @param {Pick<Context, "game" | "deal" | "say"> & {initial?: Partial<ActOf<"trick">>, onAct: (act: Act) => void}} props
 */
export const TrickForm = ({ game, deal, say, initial = {}, onAct }) => {
  const [points, count] = useState(/** @type {number | null} */ (initial.points ?? null));
  const known = (deal?.tricks ?? []).reduce((sum, one) => sum + (one.points ?? 0), 0);
  const isLeftOver = game.options.three_deck === "leftover_on_table" && game.seats.length === 3;
  const may = [...trickSums(game.seats.length + Number(isLeftOver))].filter((sum) => known + sum <= DECK_POINTS);
  const isImpossible = points !== null && !may.includes(points);
  const nearest = isImpossible && [Math.max(...may.filter((sum) => sum < points)), Math.min(...may.filter((sum) => sum > points))];
  const onInput = typing((text) => count(/^\d{1,3}$/.test(text) ? Number(text) : null));
  return html`
    <label class="choice"><span class="label">${t("tablet.result.trick_points")}</span>
      <input type="text" inputmode="numeric" pattern="[0-9]*" autocomplete="off" value=${points ?? ""} onInput=${onInput} /></label>
    <p role="status">${nearest && t("rule.points-impossible", { points, nearest: nearest.filter(Number.isFinite).join(", ") })}</p>
    <div class="choice" role="group" aria-label=${t("tablet.result.trick_who")}>
      ${game.seats.map((seat) => html`<button class="option" key=${seat} data-seat=${seat} disabled=${isImpossible}
        onClick=${() => onAct({ kind: "trick", seat, ...(points !== null && { points }) })}>${say.seat(seat)}</button>`)}
    </div>`;
};

/** A trick of the running deal, or the first one of a new deal. @param {Context} props */
export const TrickSheet = (props) => {
  const { game, deal, view, say, ui, record } = props;
  const [dealer, choose] = useState(ui.chosen || view.dealer_due);
  if (deal) return html`<${TrickForm} ...${props} onAct=${record} />`;
  const onAct = (/** @type {Act} */ act) => record({ kind: "deal", dealer }, act);
  return html`
    <${Choice} label=${t("tablet.table.field.dealer")} value=${dealer} onChoose=${choose} choices=${game.seats.map((seat) => [seat, say.seat(seat)])} />
    ${dealer && html`<${TrickForm} ...${props} onAct=${onAct} />`}`;
};

/**
 * The totals with that of the second side, where all of them add up to one number.
 * @type {(totals: Totals, sides: string[], sum: number | null) => Totals}
 */
const withOther = (totals, sides, sum) => {
  const [typed] = Object.keys(totals);
  const other = sides.find((side) => side !== typed);
  const isKnown = sum !== null && typed && other && sides.length === 2 && !(other in totals);
  return isKnown ? { ...totals, [other]: sum - totals[typed] } : totals;
};

/** Form for the totals called at the table, where the points of tricks are not known. @param {Context} props */
export const CountSheet = ({ game, view, say, record }) => {
  const [typed, type] = useState(/** @type {Record<string, EnteredPoints>} */ ({}));
  const spans = view.between ?? null;
  const totals = withOther(typedTotals(typed), SIDES[game.options.players], sumOfTotals(view.state));
  const isWhole = SIDES[game.options.players].every((side) => side in totals);
  const found = isWhole && !view.claim ? doubtsOfCount(totals, game.options, view.deals.length) : [];
  return html`
    <p>${t("tablet.result.count_help")}</p>
    ${spans && html`<p>${Object.entries(spans).map(([side, [least, most]]) => html`<span key=${side}>${t("tablet.result.between", { side: say.side(side), least, most })} </span>`)}</p>`}
    <${Points} ...${{ game, say, typed }} onType=${type} />
    ${isWhole && html`<p role="status">${Object.entries(totals).map(([side, total]) => `${say.side(side)} ${total}`).join(" – ")}</p>`}
    <${DoubtList} ...${{ doubts: found, say }} />
    <button class="main" disabled=${!isWhole} onClick=${() => record({ kind: "count", totals })}>${t("tablet.table.count_it")}</button>`;
};
