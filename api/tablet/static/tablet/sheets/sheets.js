// The sheets of the table, by name.
import { html, useEffect, useState } from "../vendor/ui.js";
import { slips } from "../rules/index.js";
import { t } from "../../html/words.js";
import { AccuseSheet, CanteSheet, ClaimSheet, SwapSheet } from "./acts.js";
import { AskedSheet } from "./asked.js";
import { goneFrom, lastDeal } from "../table/cells.js";
import { Effects } from "./effects.js";
import { Text } from "./fields.js";
import { Findings } from "./findings.js";
import { FORMS, Form } from "./forms.js";
import { corrected, readingOf, viewBefore } from "../table/game.js";
import { Later } from "../later.js";
import { Log } from "./log.js";
import { MoreSheet } from "./more.js";
import { ResultForm, ResultSheet } from "../results/result.js";
import { asked } from "../service.js";
import { Sheet } from "../sheet.js";
import { CountSheet, TrickForm, TrickSheet } from "../results/uncarded.js";
import { RestSheet } from "../table/takers.js";
/** @import { Act, ActOf, Change, Entry } from "../rules/acts.js" */
/** @import { Slip } from "../rules/queries/slips.js" */
/** @import { DealView } from "../rules/queries/view.js" */
/** @import { Say } from "../wording.js" */
/** @import { Told } from "./effects.js" */
/** @import { Consequences } from "../table/replace.js" */
/** @import { Context } from "../table/table.js" */

/** @type {Record<string, (props: Context) => unknown>} */
const BY_NAME = {
  cante: (props) => html`<${CanteSheet} ...${props} />`,
  swap: (props) => html`<${SwapSheet} ...${props} />`,
  claim: (props) => html`<${ClaimSheet} ...${props} />`,
  rest: (props) => html`<${RestSheet} ...${props} />`,
  accuse: (props) => html`<${AccuseSheet} ...${props} />`,
  result: (props) => html`<${ResultSheet} ...${props} />`,
  trick: (props) => html`<${TrickSheet} ...${props} />`,
  count: (props) => html`<${CountSheet} ...${props} />`,
  more: (props) => html`<${MoreSheet} ...${props} />`,
  log: (props) => html`<${Log} ...${props} onLine=${(/** @type {number} */ number, /** @type {number} */ line) => lookAt(props, number, line)} />`,
  accused: (props) => html`<${Later} ...${props} key=${props.sheet.line} load=${() => import("./accused.js")} part="Accused" />`,
  asked: (props) => html`<${AskedSheet} ...${props} />`,
  findings: (props) => html`<${Noticed} ...${props} />`,
  confirm: (props) => html`<${Confirm} ...${props} />`,
  edit: (props) => html`<${Edit} ...${props} />`,
  insert: (props) => html`<${Insert} ...${props} />`,
  seen: (props) => html`<${Seen} ...${props} />`,
};

/** Task of the manual for a sheet, where it is not that of corrections. @type {Record<string, string>} */
const HELP = {
  ...{ cante: "cantes-y-siete", swap: "cantes-y-siete", claim: "cantar-las-101" },
  ...{ result: "apuntar-cartas", trick: "apuntar-cartas", count: "apuntar-cartas", rest: "apuntar-cartas" },
  ...{ accuse: "renuncio-y-caso", accused: "renuncio-y-caso", asked: "renuncio-y-caso", findings: "renuncio-y-caso" },
};

/** @param {Context} props */
export const Sheets = (props) => html`
  <${Sheet} key=${props.sheet.name} title=${t(`tablet.table.sheet.${props.sheet.name}`)} help=${HELP[props.sheet.name] ?? "deshacer-y-corregir"} onClose=${props.close}>
    ${props.guide}
    ${BY_NAME[props.sheet.name](props)}
  <//>`;

/**
 * Opens a tapped line of the record: an accusation with its proof, any other act for correction.
 * @type {(context: Context, number: number, line: number) => void}
 */
const lookAt = ({ game, open, pick }, number, line) => {
  const act = readingOf(game, number).entries.find((entry) => entry.line === line)?.act;
  return act?.kind === "denounce" ? open("accused", { number, line }) : pick(number, line);
};

/**
 * Preview of a correction: the tricks that change hands, and what else changes from the service if it answers, else from the
 * reading in this browser.
 * @param {Context & {sheet: {number: number, changes: Change[], follows: Consequences}}} props
 */
const Confirm = ({ id, game, sheet, say, amend, close }) => {
  const { number, changes, follows } = sheet;
  const reading = readingOf(game, number);
  const isReopening = reading.view.decided && !corrected(reading, changes).view.decided;
  const [because, tell] = useState("");
  const gone = changes.filter(({ how }) => how === "withdraw").flatMap(({ line }) => reading.log.filter((entry) => entry.line === line));
  const [told, hear] = useState(/** @type {Told} */ ({ words: [...follows.others, ...follows.secret], secret: follows.secret }));
  const [today, hearToday] = useState(/** @type {string[]} */ ([]));
  useEffect(() => {
    const gone = new AbortController();
    const preview = asked(id, number, "/amendments/preview", { body: { changes }, signal: gone.signal });
    const show = (/** @type {(Told & {earlier_law: string[], after: object}) | null} */ said) => {
      if (!said) return;
      hear(Object.keys(said.after).length || !follows.tricks.length ? said : { words: [], secret: [] });
      hearToday(said.earlier_law);
    };
    preview.then(show).catch(() => {});
    return () => gone.abort();
  }, []);
  return html`
    ${gone.map(({ line, act }) => html`<p key=${line}>${t("tablet.table.undo")}: <b>${say.act(act)}</b></p>`)}
    <${Effects} words=${[...follows.tricks, ...told.words]} secret=${told.secret} />
    ${today.length > 0 && html`<p class="names">${t("preview.earlier_law")}</p>
      <ul class="changes earlier">${today.map((one) => html`<li key=${one}>${one}</li>`)}</ul>`}
    ${game.isReported && html`<${Text} label=${t("tablet.sync.reason")} value=${because} onChange=${tell} />`}
    <div class="choice">
      <button class="main" disabled=${game.isReported && !because.trim()} onClick=${() => amend(number, changes, because.trim())}>${t(isReopening ? "tablet.table.reopen" : "tablet.table.confirm")}</button>
      <button class="option" onClick=${close}>${t("tablet.table.cancel")}</button>
    </div>`;
};

/** The line that a sheet is about. @type {(context: Context) => {number: number, line: number}} */
const lineOf = ({ sheet: { number = 0, line = 0 } }) => ({ number, line });

/** Findings of the running partida, or of one line of any partida. @param {Context} props */
const Noticed = ({ id, game, sheet, say, pick }) => {
  const reading = game.partidas.find((one) => one.number === sheet.number) ?? game.now;
  return html`<${Findings} ...${{ id, reading, say }} line=${sheet.line} onLine=${sheet.line ? null : pick} />`;
};

/** Form that replaces an act by another of the same kind. @param {Context} props */
const Edit = (props) => {
  const { game, propose } = props;
  const { number, line } = lineOf(props);
  const reading = readingOf(game, number);
  const { act } = /** @type {Entry} */ (reading.entries.find((entry) => entry.line === line));
  const view = viewBefore(reading, line);
  const onAct = (/** @type {Act} */ other) => propose(number, [{ line, how: "replace", act: other }]);
  const then = { ...props, view, deal: lastDeal(view), deals: view.deals, initial: act, onAct, done: t("tablet.table.change") };
  if (act.kind === "result") return html`<${ResultForm} ...${then} />`;
  if (act.kind === "trick") return html`<${TrickForm} ...${then} />`;
  if (!FORMS[act.kind]) return html`<p>${t("tablet.table.not_here")}</p>`;
  return html`<${Form} ...${then} kind=${act.kind} gone=${goneFrom(view)} />`;
};

/** Form for a card that was left out before another one. @param {Context} props */
const Insert = (props) => {
  const { number, line } = lineOf(props);
  const onAct = (/** @type {Act} */ act) => props.propose(number, [{ line, how: "insert", act }]);
  return html`<${Form} ...${props} kind="card" onAct=${onAct} />`;
};

const SLIPS_SHOWN = 6;

/** A card that cannot be played: the reason, and the slips of the recorder that explain it best. @param {Context & {deal: DealView}} props */
const Seen = ({ game: { now }, deal, sheet, say, repair, close }) => {
  const { rule } = sheet;
  const act = /** @type {ActOf<"card">} */ (sheet.act);
  const found = slips(now.entries, now.setting, act).slice(0, SLIPS_SHOWN);
  const laid = now.entries.filter((entry) => entry.line > deal.line && entry.act.kind === "card" && entry.act.card === act.card);
  const isPinta = deal.pinta_lies && deal.pinta === act.card;
  const why = laid.length ? say.act(laid[0].act) : t(isPinta ? "act.pinta" : `rule.${rule}`, { card: say.card(act.card), seat: say.seat(act.seat) });
  const isNothing = (/** @type {Slip} */ { changes, act: other }) => !changes.length && !other;
  return html`
    <p>${why}. ${t("tablet.table.seen_help")}</p>
    <div class="slips">
      ${found.map((one) => html`
        <button class="option" data-slip=${one.slip} key=${JSON.stringify(one)} onClick=${() => (isNothing(one) ? close() : repair(one))}>${slipText(one, say)}</button>`)}
    </div>`;
};

/** @type {(slip: Slip, say: Say) => string} */
const slipText = ({ changes, act }, say) => {
  const then = changes.flatMap((change) => (change.act ? [t("tablet.table.slip_then", { act: say.act(change.act) })] : []));
  const now = act ? [t("tablet.table.slip_now", { act: say.act(act) })] : [];
  return [...then, ...now].join(" ") || t("tablet.table.slip_nothing");
};
