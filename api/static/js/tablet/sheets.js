// The sheets of the table, by name.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { slips } from "../rules/index.js";
import { t } from "../words.js";
import { Accused } from "./accused.js";
import { CanteSheet, ClaimSheet, SwapSheet } from "./acts.js";
import { goneFrom, lastDeal } from "./cells.js";
import { Findings } from "./findings.js";
import { FORMS, Form } from "./forms.js";
import { viewBefore } from "./game.js";
import { Log } from "./log.js";
import { MoreSheet } from "./more.js";
import { ResultForm, ResultSheet } from "./result.js";
import { asked } from "./service.js";
import { Sheet } from "./sheet.js";
import { CountSheet, TrickForm, TrickSheet } from "./uncarded.js";

const BY_NAME = {
  cante: (props) => html`<${CanteSheet} ...${props} />`,
  swap: (props) => html`<${SwapSheet} ...${props} />`,
  claim: (props) => html`<${ClaimSheet} ...${props} />`,
  result: (props) => html`<${ResultSheet} ...${props} />`,
  trick: (props) => html`<${TrickSheet} ...${props} />`,
  count: (props) => html`<${CountSheet} ...${props} />`,
  more: (props) => html`<${MoreSheet} ...${props} />`,
  log: (props) => html`<${Log} ...${props} onLine=${(number, line) => lookAt(props, number, line)} />`,
  accused: (props) => html`<${Accused} ...${props} key=${props.sheet.line} />`,
  findings: (props) => html`<${Noticed} ...${props} />`,
  confirm: (props) => html`<${Confirm} ...${props} />`,
  edit: (props) => html`<${Edit} ...${props} />`,
  insert: (props) => html`<${Insert} ...${props} />`,
  seen: (props) => html`<${Seen} ...${props} />`,
};

export const Sheets = (props) => html`
  <${Sheet} key=${props.sheet.name} title=${t(`tablet.table.sheet.${props.sheet.name}`)} onClose=${props.close}>
    ${BY_NAME[props.sheet.name](props)}
  <//>`;

/** A line of the record that was tapped: an accusation is shown with its proof, anything else can be put right. */
const lookAt = ({ game, open, pick }, number, line) => {
  const { entries } = game.partidas.find((one) => one.number === number);
  const { act } = entries.find((entry) => entry.line === line);
  return act.kind === "denounce" ? open("accused", { number, line }) : pick(number, line);
};

/** What a correction changes, told before it is made: by the service if it answers, else by what is known here. */
const Confirm = ({ id, sheet, amend, close }) => {
  const { number, changes, follows } = sheet;
  const [words, hear] = useState(follows);
  useEffect(() => {
    const gone = new AbortController();
    const preview = asked(id, number, "/amendments/preview", { body: { changes }, signal: gone.signal });
    preview.then((said) => said && hear(said.words)).catch(() => {});
    return () => gone.abort();
  }, []);
  return html`
    <ul class="changes">${words.map((one) => html`<li key=${one}>${one}</li>`)}</ul>
    <div class="choice">
      <button class="main" onClick=${() => amend(number, changes)}>${t("tablet.table.confirm")}</button>
      <button class="option" onClick=${close}>${t("tablet.table.cancel")}</button>
    </div>`;
};

/** What was noticed in the running partida, or about one line of any. */
const Noticed = ({ id, game, sheet, say, pick }) => {
  const reading = game.partidas.find((one) => one.number === sheet.number) ?? game.now;
  return html`<${Findings} ...${{ id, reading, say }} line=${sheet.line} onLine=${sheet.line ? null : pick} />`;
};

const readingOf = ({ game, sheet }) => game.partidas.find((one) => one.number === sheet.number);

/** Another act of the same kind in the place of one, asked as it was then. */
const Edit = (props) => {
  const { sheet } = props;
  const reading = readingOf(props);
  const { act } = reading.entries.find((entry) => entry.line === sheet.line);
  const view = viewBefore(reading, sheet.line);
  const onAct = (other) => props.propose(sheet.number, [{ line: sheet.line, how: "replace", act: other }]);
  const then = { ...props, view, deal: lastDeal(view), initial: act, onAct, done: t("tablet.table.change") };
  if (act.kind === "result") return html`<${ResultForm} ...${then} />`;
  if (act.kind === "trick") return html`<${TrickForm} ...${then} />`;
  if (!FORMS[act.kind]) return html`<p>${t("tablet.table.not_here")}</p>`;
  return html`<${Form} ...${then} kind=${act.kind} gone=${goneFrom(view)} />`;
};

/** A card that was left out before another one. */
const Insert = (props) => {
  const onAct = (act) => props.propose(props.sheet.number, [{ line: props.sheet.line, how: "insert", act }]);
  return html`<${Form} ...${props} kind="card" onAct=${onAct} />`;
};

const SLIPS_SHOWN = 6;

/** A card that cannot be laid: why, and the likeliest slips behind it. */
const Seen = ({ game: { now }, deal, sheet, say, repair, close }) => {
  const { act, rule } = sheet;
  const found = slips(now.entries, now.setting, act).slice(0, SLIPS_SHOWN);
  const laid = now.entries.filter((entry) => entry.line > deal.line && entry.act.kind === "card" && entry.act.card === act.card);
  const isPinta = deal.pinta_lies && deal.pinta === act.card;
  const why = laid.length ? say.act(laid[0].act) : t(isPinta ? "act.pinta" : `rule.${rule}`, { card: say.card(act.card), seat: say.seat(act.seat) });
  const isNothing = ({ changes, act: other }) => !changes.length && !other;
  return html`
    <p>${why}. ${t("tablet.table.seen_help")}</p>
    <div class="slips">
      ${found.map((one) => html`
        <button class="option" data-slip=${one.slip} key=${JSON.stringify(one)} onClick=${() => (isNothing(one) ? close() : repair(one))}>${slipText(one, say)}</button>`)}
    </div>`;
};

const slipText = ({ changes, act }, say) => {
  const then = changes.map((change) => t("tablet.table.slip_then", { act: say.act(change.act) }));
  const now = act ? [t("tablet.table.slip_now", { act: say.act(act) })] : [];
  return [...then, ...now].join(" ") || t("tablet.table.slip_nothing");
};
