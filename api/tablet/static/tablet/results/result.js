// The outcome of a partida without cards: who won, how and, if wanted, the points.
import { html, useState } from "../vendor/ui.js";
import { SIDES, completions, doubts, isPossible } from "../rules/index.js";
import { t } from "../../html/words.js";
import { DoubtList } from "./doubted.js";
import { typing } from "../input.js";
import { Points, asTyped, typedTotals } from "./points.js";
import { Choice } from "../sheet.js";
/** @import { Act, ActOf, How } from "../rules/acts.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { Doubt } from "../rules/queries/reported.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { EnteredPoints } from "./points.js" */
/** @import { Context } from "../table/table.js" */
/**
 * @typedef {{winner: string, how: How | "", typed: Record<string, EnteredPoints>, filled?: number}} EnteredResult values entered so far
 * @typedef {{totals: Record<string, number>, fills: number[], taken?: number, found: Doubt[]}} CheckedResult
 */


/** @type {How[]} */
const HOWS = ["first_deal", "claim", "false_claim", "renuncio", "concession", "unclaimed", "target", "abandonment", "tute"];

/** @type {(how: How, options: Options) => boolean} */
const isOffered = (how, options) =>
  (how !== "tute" || options.tute) &&
  (how !== "unclaimed" || options.unclaimed_at_end === "latest_trick") &&
  (how !== "target" || options.vueltas_end === "at_target");

/** The entered values, completed and checked. @type {(asked: EnteredResult, options: Options, view: TableView) => CheckedResult} */
const checked = ({ winner, how, typed, filled }, options, view) => {
  const record = { totals: view.totals, deals: view.deals.filter((deal) => deal.counted).length };
  const entered = { winner, how: how || HOWS[0], totals: typedTotals(typed) };
  if (!winner || !how) return { totals: entered.totals, fills: [], found: [] };
  const isBegun = Object.keys(entered.totals).length > 0;
  const fills = isBegun ? completions(entered, options, record) : [];
  const missing = SIDES[options.players].find((side) => !(side in entered.totals)) ?? "";
  const taken = filled !== undefined && fills.includes(filled) ? filled : fills[0];
  const totals = fills.length ? { ...entered.totals, [missing]: taken } : entered.totals;
  return { totals, fills, taken, found: doubts({ ...entered, totals }, options, record) };
};

/**
 * Form for an outcome; `onAct` gets the act. An impossible outcome needs a reason.
 * @param {Pick<Context, "game" | "view" | "say"> & {initial?: Partial<ActOf<"result">>, done?: string, onAct: (act: Act) => void}} props
 */
export const ResultForm = ({ game, view, say, initial = {}, done, onAct }) => {
  const { options } = game;
  const [entered, enter] = useState(/** @type {EnteredResult & {text: string}} */ ({ winner: initial.winner ?? "", how: initial.how ?? "", typed: asTyped(initial.totals), text: initial.text ?? "" }));
  const change = (/** @type {Partial<EnteredResult & {text: string}>} */ more) => enter((now) => ({ ...now, ...more }));
  const { totals, fills, taken, found } = checked(entered, options, view);
  const { winner, how, text } = entered;
  const isOdd = !isPossible(found);
  const isReady = winner && how && (!isOdd || text.trim());
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    const points = Object.keys(totals).length ? { totals } : {};
    if (isReady) onAct({ kind: "result", winner, how, ...points, ...(isOdd && { text: text.trim() }) });
  };
  return html`
    <form class="form result" onSubmit=${save}>
      <${Choice} label=${t("tablet.result.who")} value=${winner} onChoose=${(/** @type {string} */ side) => change({ winner: side })}
        choices=${SIDES[options.players].map((side) => [side, say.side(side)])} />
      <${Choice} label=${t("tablet.result.how")} value=${how} onChoose=${(/** @type {How} */ one) => change({ how: one })}
        choices=${HOWS.filter((one) => isOffered(one, options)).map((one) => [one, t(`how.${one}`)])} />
      <details open=${Object.keys(entered.typed).length > 0}>
        <summary>${t("tablet.result.points")}</summary>
        <${Points} ...${{ game, say, fills }} typed=${entered.typed} filled=${taken}
          onType=${(/** @type {EnteredResult["typed"]} */ typed) => change({ typed, filled: undefined })} onFill=${(/** @type {number} */ filled) => change({ filled })} />
      </details>
      <${DoubtList} ...${{ doubts: found, say }} />
      ${isOdd && html`<label class="choice"><span class="label">${t("tablet.result.because")}</span>
        <input type="text" name="because" maxlength="500" required value=${text} onInput=${typing((typed) => change({ text: typed }))} /></label>`}
      <button type="submit" class="main" disabled=${!isReady}>${done ?? t("tablet.result.save")}</button>
    </form>`;
};

/** The sheet of the running partida. @param {Context} props */
export const ResultSheet = (props) => html`<${ResultForm} ...${props} onAct=${props.record} />`;
