// The score: totals of each side, points of a deal, end of a partida.
import { html } from "../vendor/ui.js";
import { SIDES, malasYBuenas } from "../rules/index.js";
import { t } from "../../html/words.js";
import { Peek } from "../long_press.js";
/** @import { Totals } from "../rules/acts.js" */
/** @import { DealView, TableView } from "../rules/queries/view.js" */
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */

/** A total as players say it: "35 buenas". @type {(total: number) => string} */
export const saidTotal = (total) => {
  const { points, buenas } = malasYBuenas(total);
  return t(`tablet.table.${buenas ? "buenas" : "malas"}`, { points });
};

/** Totals of a partida, if they are known: an outcome alone has none. @type {(view: TableView) => Totals} */
export const reportedTotals = ({ totals, decided, deals }) => {
  const found = decided ? decided.totals : totals;
  const isReported = !decided || deals.length > 0 || Object.values(found).some(Boolean);
  return isReported ? found : {};
};

/** @param {{isShown: boolean, total: number | undefined, span: [number, number] | undefined}} props */
const Total = ({ isShown, total, span }) => {
  if (!isShown) return html`<b class="points">••</b><span class="said">${t("tablet.table.from_memory")}</span>`;
  if (span && span[0] !== span[1]) return html`<b class="points">${span.join("–")}</b><span class="said">${t("tablet.table.uncounted")}</span>`;
  return html`<b class="points">${total ?? "–"}</b><span class="said">${total === undefined ? "" : saidTotal(total)}</span>`;
};

/** Whether vueltas are played: then no player may be told the points. @type {(view: TableView) => boolean} */
export const isSecret = (view) => view.in_vueltas && !view.decided;

/**
 * Score of the running partida and of the encuentro. In vueltas the totals are shown only while their button is held.
 * @param {{game: Game, say: Say}} props
 */
export const Score = ({ game, say }) => {
  const view = game.now?.view;
  const totals = view ? reportedTotals(view) : {};
  const isHidden = view ? isSecret(view) : false;
  const spans = view?.between;
  const shown = (/** @type {boolean} */ isShown) => html`
    <span class="totals">${SIDES[game.options.players].map((side) => html`
      <span class="side" key=${side}>
        <span class="name">${say.side(side)}</span>
        <${Total} ...${{ isShown }} total=${totals[side]} span=${spans?.[side]} />
      </span>`)}
    </span>`;
  return html`
    <section class="scores" aria-label=${t("tablet.table.score")}>
      ${isHidden ? html`<${Peek} label=${t("tablet.table.hold_to_see")}>${shown}<//>` : shown(true)}
      ${isHidden && html`<p class="help">${t("tablet.table.hold_to_see")}</p>`}
      <${Encuentro} game=${game} />
    </section>`;
};

/** Partidas, camas and cotos, in one line each. @param {{game: Game}} props */
const Encuentro = ({ game }) => {
  const { options, score, now, table } = game;
  const line = (/** @type {string} */ word, /** @type {Totals} */ counts) => html`
    <p class="of" key=${word}><span>${t(`tablet.table.${word}`)}</span>
      <b>${SIDES[options.players].map((side) => counts[side]).join(" – ")}</b></p>`;
  const isCotos = options.match_format === "cotos";
  return html`
    <div class="encuentro">
      <p class="of"><span>${table > 0 && html`<b>${t("tablet.open.table_n", { n: table })}</b> · `}${t("tablet.table.partida_number", { n: now?.number ?? 1 })}</span>
        ${now?.view.in_vueltas && html`<b>${t("tablet.table.vueltas")}</b>`}</p>
      ${(!isCotos || options.partidas_per_cama > 1) && line("partidas", score.partidas)}
      ${isCotos && line(options.partidas_per_cama > 1 ? "camas" : "partidas", score.camas)}
      ${isCotos && options.cotos_to_win > 1 && line("cotos", score.cotos)}
    </div>`;
};

/** @type {(keyof import("../rules/counting.js").Score)[]} */
const ROWS = ["cards", "ultimas", "cantes", "ruled"];

/** @typedef {{carried: Totals | null, totals: Totals}} Counted totals before a deal, if there were any, and after it */

/**
 * Totals around a deal that was counted, or that the partida ended in; null for another.
 * @type {(view: TableView, deal: DealView) => Counted | null}
 */
const countOf = ({ conclusions, decided }, deal) => {
  const totalsAfter = (/** @type {number} */ number) => {
    const found = conclusions.find((one) => one.kind === "deal_counted" && one.deal === number);
    return found?.kind === "deal_counted" ? found.totals : null;
  };
  const totals = totalsAfter(deal.number) ?? (deal.tricks.length ? decided?.totals : null);
  return totals ? { carried: totalsAfter(deal.number - 1), totals } : null;
};

/** Whether the points of the last deal are shown: it was counted, or it ended the partida. @type {(view: TableView) => DealView | null} */
export const shownCount = (view) => {
  const deal = view.deals[view.deals.length - 1];
  return deal && countOf(view, deal) ? deal : null;
};

/**
 * Points of a deal, item by item, and the totals after it.
 * @param {{game: Game, view: TableView, deal: DealView, say: Say}} props
 */
export const Count = ({ game, view, deal, say }) => {
  const { carried, totals } = /** @type {Counted} */ (countOf(view, deal));
  const sides = SIDES[game.options.players];
  const isGiven = (/** @type {string} */ row) => row !== "ruled" || sides.some((side) => deal.scores[side].ruled);
  const items = ROWS.filter(isGiven);
  const goesOn = view.decided ? "" : `. ${t("tablet.table.goes_on")}`;
  return html`
    <table class="count">
      <caption>${t("tablet.table.deal_number", { n: deal.number })}${goesOn}</caption>
      <thead><tr><td></td>
        ${carried && html`<th scope="col">${t("tablet.table.carried")}</th>`}
        ${items.map((item) => html`<th scope="col" key=${item}>${t(`tablet.table.item_${item}`)}</th>`)}
        <th scope="col">${t("tablet.table.total")}</th></tr></thead>
      <tbody>
        ${sides.map((side) => html`
          <tr key=${side}><th scope="row">${say.side(side)}</th>
            ${carried && html`<td>${carried[side]}</td>`}
            ${items.map((item) => html`<td key=${item}>${deal.scores[side][item]}</td>`)}
            <td class="sum"><b>${totals[side]}</b> <span>${saidTotal(totals[side])}</span></td></tr>`)}
      </tbody>
    </table>`;
};
