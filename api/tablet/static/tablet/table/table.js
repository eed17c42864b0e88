// The page of a table: felt, pad, buttons for acts, and the log.
import { html, useEffect, useMemo, useRef, useState } from "../vendor/ui.js";
import { SIDES } from "../rules/index.js";
import { has, t } from "../../html/words.js";
import { Bar } from "../sheets/acts.js";
import { useMayOpenCases } from "../sheets/case_link.js";
import { cellsOf, isWaiting, runningDeal } from "./cells.js";
import { actionsOf, seen } from "./actions.js";
import { drawHere } from "../drawings.js";
import { Felt } from "./felt.js";
import { useHelp } from "../help.js";
import { markedLines } from "../sheets/findings.js";
import { lastOf } from "./game.js";
import { useTable } from "../open_table.js";
import { Pad } from "./pad.js";
import { Prompt } from "./prompt.js";
import { Takers, isByTaker } from "./takers.js";
import { Decided } from "./decided.js";
import { NotBegun } from "./not_begun.js";
import { Count, Score, shownCount } from "./score.js";
import { Sheets } from "../sheets/sheets.js";
/** @import { OpenTable } from "../outbox/table.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { Play } from "../rules/state.js" */
/** @import { DealView, TableView, TrickView } from "../rules/queries/view.js" */
/** @import { Actions, SheetShown, Ui } from "./actions.js" */
/** @import { ShownTrick } from "./felt.js" */
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */

/**
 * @typedef {object} Shown values for every part of the page
 * @property {string} id of the encuentro
 * @property {unknown} guide what a sheet shows above its content, for the tour
 * @property {Game} game
 * @property {DealView | null} deal the one on the table
 * @property {TableView} view of the running partida
 * @property {Say} say
 * @property {Ui} ui
 * @property {boolean} waiting whether the next act is the pinta of a deal
 * @property {SheetShown} sheet the open sheet, for its content
 *
 * @typedef {Omit<Actions, "ui"> & Shown} Context
 */

/** The view of the address `#/mesa/<encuentro>`; `guide` is shown in its sheets. @param {{id: string, guide?: unknown}} props */
export const View = ({ id, guide }) => {
  const { table, problem } = useTable(id);
  const [isDrawn, draw] = useState(false);
  useEffect(() => {
    if (table) drawHere(table.state().options.pack).catch(console.warn).then(() => draw(true));
  }, [table]);
  if (isDrawn) return html`<${Table} ...${{ id, table, guide }} />`;
  const key = `tablet.table.problem_${problem}`;
  return html`<h1>${t("tablet.title")}</h1><p role="status">${problem ? t(has(key) ? key : "tablet.table.problem_later") : t("tablet.loading")}</p>`;
};

/** @param {{id: string, table: OpenTable, guide: unknown}} props */
const Table = ({ id, table, guide }) => {
  const [, changed] = useState(0);
  const draw = () => changed((n) => n + 1);
  const section = useRef(/** @type {HTMLElement | null} */ (null));
  const busy = (/** @type {boolean} */ is) => section.current?.setAttribute("aria-busy", String(is));
  const doing = useMemo(() => actionsOf(table, draw, busy), [table]);
  useEffect(() => table.subscribe(doing.recordChanged), [table]);
  useEffect(() => {
    document.body.classList.add("at-table");
    return () => document.body.classList.remove("at-table");
  }, []);
  useMayOpenCases(id); // known when a sheet opens, so that its buttons stay where they are
  const ui = doing.ui();
  const { game, say } = seen(table, ui.kept);
  useHelp(taskOf(game, ui));
  if (!game.now) return html`<${NotBegun} ...${{ game, say }} begin=${doing.begin} />`;
  const { view } = game.now;
  const context = { ...doing, id, guide, game, deal: runningDeal(view), view, say, ui, waiting: isWaiting(view) };
  return html`
    <section ref=${section} class=${classesOf(game.options, ui)} aria-label=${t("tablet.title")}>
      <h1 class="hidden">${game.seats.map(say.seat).join(", ")}</h1>
      <${Score} ...${{ game, say }} />
      <${Middle} ...${context} />
      ${view.decided && !ui.correcting ? html`<${Decided} ...${context} />` : html`<${Hand} ...${context} />`}
      <${Bar} ...${context} last=${lastOf(game)} />
      <p class="hidden" role="status" aria-live="polite">${ui.news}</p>
      ${ui.sheet && html`<${Sheets} ...${context} sheet=${ui.sheet} />`}
    </section>`;
};

/** Task of the manual that explains what is shown. @type {(game: Game, ui: Ui) => string} */
const taskOf = ({ score, now }, { correcting }) => {
  if (correcting) return "deshacer-y-corregir";
  if (score.winner !== null) return "acta-y-firma";
  return now?.view.in_vueltas && !now.view.decided ? "cantar-las-101" : "apuntar-cartas";
};

/** @type {(options: Options, ui: Ui) => string} */
const classesOf = ({ players, pack }, { correcting }) =>
  ["table", `sides-${SIDES[players].length}`, pack !== "spanish" && "french", correcting && "correcting"].filter(Boolean).join(" ");

/** The felt; after a deal with its points, or with its last trick if that is asked for. @param {Context} props */
const Middle = ({ game, deal, view, say, ui, waiting, onSeat, pick, review }) => {
  const { number } = game.now;
  const turn = waiting ? deal?.dealer || view.dealer_due : deal?.turn;
  const { isReviewing } = ui;
  const ended = (waiting || view.decided) && !isReviewing ? shownCount(view) : null;
  const replaced = ui.correcting && ui.correcting.number === number ? ui.correcting.line : 0;
  const mayReview = lastTrick(view) && (ended || isReviewing || !trickShown(view, deal, false).closed);
  return html`
    <${Felt} ...${{ game, deal, turn: turn ?? null, chosen: ui.chosen, replaced, certain: ui.certain, say, onSeat }} marks=${markedLines(view)}
      shown=${ended ? NO_TRICK : trickShown(view, deal, isReviewing)} onPlay=${(/** @type {Play} */ play) => pick(number, play.line)}
      corner=${mayReview && html`
        <button class="last" aria-pressed=${isReviewing} onClick=${() => review(!isReviewing)}>${t("tablet.table.trick_last")}</button>`}>
      ${ended && html`<${Count} ...${{ game, view, say }} deal=${ended} />`}
    <//>`;
};

/** The prompt and the pad. @param {Context} context */
const Hand = (context) => {
  const { game, deal, say, ui, waiting, onCard } = context;
  return html`
    <${Prompt} ...${context} />
    ${isByTaker(context) ? html`<${Takers} ...${context} />` : html`
      <${Pad} deck=${game.options.deck} trump=${waiting ? "" : deal?.trump} label=${t("tablet.table.pad")}
        cells=${cellsOf(game.now, ui)} ...${{ say, onCard }} />`}`;
};

/** @type {ShownTrick} */
const NO_TRICK = { plays: [], winning: null, closed: false };

/** The last closed trick of a partida: until the first of a new deal is closed, that of the deal before. @type {(view: TableView) => TrickView | undefined} */
const lastTrick = ({ deals }) => deals.flatMap(({ tricks }) => tricks).at(-1);

/**
 * The trick that the felt shows: the open one; the last one until the next card is led, or while it is looked at.
 * @type {(view: TableView, deal: DealView | null, isReviewing: boolean) => ShownTrick}
 */
const trickShown = (view, deal, isReviewing) => {
  const laid = deal?.on_table ?? [];
  if (deal && laid.length && !isReviewing) return { plays: laid, winning: deal.winning, closed: false };
  const last = isReviewing ? lastTrick(view) : (deal ?? view.deals.at(-1))?.tricks.at(-1);
  return last ? { plays: last.plays, winning: last.taker, closed: true } : NO_TRICK;
};
