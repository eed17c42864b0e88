// The sheets of the table, by name.
import { html, useEffect, useState } from "../../vendor/ui.js";
import { t } from "../words.js";
import { CanteSheet, ClaimSheet, MoreSheet, SwapSheet } from "./acts.js";
import { Findings } from "./findings.js";
import { FORMS, Form } from "./forms.js";
import { Log } from "./log.js";
import { Sheet } from "./sheet.js";

const BY_NAME = {
  cante: (props) => html`<${CanteSheet} ...${props} />`,
  swap: (props) => html`<${SwapSheet} ...${props} />`,
  claim: (props) => html`<${ClaimSheet} ...${props} />`,
  more: (props) => html`<${MoreSheet} ...${props} />`,
  log: (props) => html`<${Log} ...${props} onLine=${props.pick} />`,
  findings: (props) => html`<${Findings} ...${props} reading=${props.game.now} onLine=${props.pick} />`,
  confirm: (props) => html`<${Confirm} ...${props} />`,
  edit: (props) => html`<${Edit} ...${props} />`,
  insert: (props) => html`<${Insert} ...${props} />`,
  seen: (props) => html`<${Seen} ...${props} />`,
};

export const Sheets = (props) => html`
  <${Sheet} key=${props.sheet.name} title=${t(`tablet.table.sheet.${props.sheet.name}`)} onClose=${props.close}>
    ${BY_NAME[props.sheet.name](props)}
  <//>`;

/** What a correction changes, told before it is made: by the service if it answers, else by what is known here. */
const Confirm = ({ id, sheet, amend, close }) => {
  const { number, changes, follows } = sheet;
  const [words, hear] = useState(follows);
  useEffect(() => {
    const asked = new AbortController();
    previewed(id, number, changes, asked.signal).then((said) => said && hear(said)).catch(() => {});
    return () => asked.abort();
  }, []);
  return html`
    <ul class="changes">${words.map((one) => html`<li key=${one}>${one}</li>`)}</ul>
    <div class="choice">
      <button class="main" onClick=${() => amend(number, changes)}>${t("tablet.table.confirm")}</button>
      <button class="option" onClick=${close}>${t("tablet.table.cancel")}</button>
    </div>`;
};

const previewed = async (id, number, changes, signal) => {
  const answer = await fetch(`/api/v1/encuentros/${id}/partidas/${number}/amendments/preview`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ changes }),
    signal,
  });
  return answer.ok ? (await answer.json()).words : null;
};

const entryOf = ({ game, sheet }) =>
  game.partidas.find((one) => one.number === sheet.number).entries.find((entry) => entry.line === sheet.line);

/** Another act of the same kind in the place of one. */
const Edit = (props) => {
  const { act } = entryOf(props);
  if (!FORMS[act.kind]) return html`<p>${t("tablet.table.not_here")}</p>`;
  const onAct = (other) => props.propose(props.sheet.number, [{ line: props.sheet.line, how: "replace", act: other }]);
  return html`<${Form} ...${props} kind=${act.kind} initial=${act} onAct=${onAct} done=${t("tablet.table.change")} />`;
};

/** A card that was left out before another one. */
const Insert = (props) => {
  const onAct = (act) => props.propose(props.sheet.number, [{ line: props.sheet.line, how: "insert", act }]);
  return html`<${Form} ...${props} kind="card" onAct=${onAct} />`;
};

/** A card that was seen already: what may have happened. */
const Seen = (props) => html`<p>${props.say.card(props.sheet.card)}</p>`;
