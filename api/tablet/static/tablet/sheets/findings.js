// Findings: hidden until the arbiter asks for them, then with article and proof.
import { html, useEffect, useState } from "../vendor/ui.js";
import { cited, has, t } from "../../html/words.js";
import { HelpLink, taskOfRule } from "../help.js";
import { asked } from "../service.js";
import { CaseLink, isSent } from "./case_link.js";
/** @import { Doubt } from "../rules/queries/reported.js" */
/** @import { Finding as Noticed } from "../rules/state.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { Reading } from "../table/game.js" */
/** @import { Say } from "../wording.js" */
/** @import { ActEvidence } from "../service.js" */

/** @typedef {Partial<ActEvidence> & {line: number}} LineEvidence */
/** @typedef {(number: number, line: number) => void} OnLine */

/** Lines that have findings. @type {(view: TableView) => Set<number>} */
export const markedLines = (view) => new Set(view.findings.map((one) => one.line));

/** A finding in words. @type {(one: Doubt & {seat?: string}, say: Say) => string} */
export const findingText = (one, say) => {
  /** @type {Record<string, string>} */
  const facts = { ...one.facts, ...(one.seat && { seat: say.seat(one.seat) }) };
  if (one.facts.side) facts.side = say.side(one.facts.side);
  if (one.facts.turn) facts.turn = say.seat(one.facts.turn);
  if (one.facts.card) facts.card = say.card(one.facts.card);
  if (one.facts.laid) facts.laid = say.card(one.facts.laid);
  return t(`rule.${one.rule}`, facts);
};

/**
 * Evidence of the service for the lines of a partida, asked for again with each act that is sent;
 * empty without a network.
 * @type {(id: string, number: number, sent: number) => LineEvidence[]}
 */
const useEvidence = (id, number, sent) => {
  const [acts, keep] = useState(/** @type {LineEvidence[]} */ ([]));
  useEffect(() => {
    const gone = new AbortController();
    const ask = (/** @type {string} */ path) => asked(id, number, path, { signal: gone.signal });
    const both = async () => {
      const [evidence, findings] = await Promise.all([ask("/evidence"), ask("/findings")]);
      keep([...(evidence?.acts ?? []), ...(findings?.findings ?? [])]);
    };
    both().catch(() => {});
    return () => gone.abort();
  }, [id, number, sent]);
  return acts;
};

/**
 * The findings of a partida, or of one line of it.
 * @param {{id: string, reading: Reading, line?: number, say: Say, onLine: OnLine | null}} props
 */
export const Findings = ({ id, reading, line, say, onLine }) => {
  const sent = reading.log.filter((entry) => !entry.queued).length;
  const evidence = useEvidence(id, reading.number, sent);
  const found = reading.view.findings.filter((one) => !line || one.line === line);
  if (!found.length) return html`<p>${t("tablet.table.no_findings")}</p>`;
  return html`
    <ul class="findings">
      ${found.map((one) => html`<${Finding} key=${`${one.line} ${one.rule}`} ...${{ id, one, evidence, reading, say, onLine }} />`)}
    </ul>`;
};

/** @param {{id: string, one: Noticed, evidence: LineEvidence[], reading: Reading, say: Say, onLine: OnLine | null}} props */
const Finding = ({ id, one, evidence, reading, say, onLine }) => {
  const ofLine = evidence.filter((each) => each.line === one.line && (!each.rule || each.rule === one.rule));
  const act = reading.entries.find((entry) => entry.line === one.line)?.act;
  const article = ofLine.find((each) => each.article)?.article;
  const proof = ofLine.find((each) => each.verdict);
  return html`
    <li>
      ${one.seat && html`<b>${say.seat(one.seat)}</b>`} ${findingText(one, say)}
      <p class="names">${act && say.act(act)}${one.facts.trick && ` · ${t("tablet.table.in_trick", { n: one.facts.trick })}`}
        ${one.facts.card && ` · ${t("tablet.table.proved_by", { card: say.card(one.facts.card) })}`}</p>
      ${proof?.verdict === "unlawful" && (proof.proof?.lines.length ?? 0) > 0 && html`<p>${proof.text}</p>`}
      ${proof?.slip && html`<p class="slip">${t("tablet.table.maybe_slip")} ${proof.slip.text}</p>`}
      ${article && html`<p class="names">${cited(article)}</p>`}
      ${one.facts.costs && has(`tablet.table.costs.${one.facts.costs}`) && html`<p>${t(`tablet.table.costs.${one.facts.costs}`)}</p>`}
      <p class="choice">
        ${onLine && act && html`<button class="plain" onClick=${() => onLine(reading.number, one.line)}>${t("tablet.table.correct")}</button>`}
        <${HelpLink} task=${taskOfRule(one.rule)} word=${t("tablet.help.finding")} />
        <${CaseLink} id=${id} number=${reading.number} lines=${[one.line]} isSent=${isSent(reading, one.line)} />
      </p>
    </li>`;
};
