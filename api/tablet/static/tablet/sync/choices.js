// Choices of the arbiter: between two records of one table, and what happens to a refused act.
import { html, useMemo, useState } from "../vendor/ui.js";
import { hope } from "../outbox/asking.js";
import { drain } from "../outbox/sending.js";
import { sameAs } from "../outbox/resolving.js";
import { t } from "../../html/words.js";
import { goneFrom, lastDeal } from "../table/cells.js";
import { seen } from "../table/actions.js";
import { Handing } from "../leaving/handed.js";
import { Text } from "../sheets/fields.js";
import { FORMS, Form } from "../sheets/forms.js";
import { viewBefore } from "../table/game.js";
import { speakerOf } from "../wording.js";
import { Choice } from "../sheet.js";
/** @import { Queued } from "../outbox/store.js" */
/** @import { Choice as Chosen } from "../outbox/resolving.js" */
/** @import { OpenTable, Status, TableState } from "../outbox/table.js" */
/** @import { RecordOfPartida } from "../outbox/store.js" */
/** @import { Act, Amendment } from "../rules/acts.js" */
/** @import { Say } from "../wording.js" */

/**
 * @typedef {(acts: (Act | Amendment)[]) => void} Send
 * @typedef {{act: Act, line: number, put: (act: Act) => (Act | Amendment)[]}} FormedAct an act of a command; `put` gives the
 *   acts of the command with another in its place
 */

/** A command in words. @param {{command: Queued, say: Say}} props */
export const CommandText = ({ command, say }) =>
  command.sort === "start" ? t("tablet.sync.start", { n: command.partida }) : command.acts.map(say.act).join(". ");

/** @param {{partidas: RecordOfPartida[], say: Say}} props */
const Theirs = ({ partidas, say }) =>
  partidas.map(
    ({ number, entries }) => html`<h4>${t("tablet.sync.partida", { n: number })}</h4>
      <ol class="record">
        ${entries.map(({ line, act }) => html`<li key=${line} value=${line}>${say.act(act)}</li>`)}
      </ol>`,
  );

/**
 * @param {{queue: Queued[], same: Map<string, number>, chosen: string[], choose: (ids: string[]) => void, say: Say}} props
 */
const Mine = ({ queue, same, chosen, choose, say }) => {
  const toggle = (/** @type {string} */ id) => () => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const row = (/** @type {string} */ id, /** @type {string} */ words) => html`<li key=${id}>
    ${words}
    ${same.has(id) && !id.endsWith(":start")
      ? html`<label><input type="checkbox" checked=${chosen.includes(id)} onChange=${toggle(id)} />${t("tablet.sync.is_same")}</label>`
      : null}
  </li>`;
  return html`<ol class="record">
    ${queue.flatMap(({ seq, sort, partida, acts }) =>
      sort === "start"
        ? [row(`${seq}:start`, t("tablet.sync.start", { n: partida }))]
        : acts.map((act, place) => row(`${seq}:${place}`, say.act(act))),
    )}
  </ol>`;
};

/** Both records side by side. @param {{table: OpenTable, state: TableState}} props */
export const Conflict = ({ table, state }) => {
  const { queue } = state;
  const say = speakerOf(state);
  const theirs = queue[0]?.problem?.theirs;
  /** @type {Map<string, number>} */
  const same = theirs ? sameAs(queue, theirs) : new Map();
  const [unlike, setUnlike] = useState(/** @type {string[]} */ ([]));
  const [isBusy, work] = useState(false);
  if (!theirs) return html`<p role="status">${t("tablet.sync.asking_theirs")}</p>`;
  const chosen = [...same.keys()].filter((id) => !unlike.includes(id));
  const choose = (/** @type {string[]} */ ids) => setUnlike([...same.keys()].filter((id) => !ids.includes(id)));
  const isAllSame = queue.every((one) => one.acts.every((_, place) => chosen.includes(`${one.seq}:${place}`)));
  const partidas = theirs.record.partidas.filter(({ entries }) => entries.length);
  const go = (/** @type {Chosen} */ choice) => async () => {
    work(true);
    await table.resolve(choice).finally(() => work(false));
  };
  const lost = queue[0].problem?.lost;
  return html`<p>${lost ? t("tablet.sync.lost_about", { n: lost }) : t("tablet.sync.conflict_about")}</p>
    <div class="records">
      <section aria-labelledby="theirs">
        <h3 id="theirs">${t(lost ? "tablet.sync.on_server" : "tablet.sync.theirs")}</h3>
        ${partidas.length ? html`<${Theirs} ...${{ partidas, say }} />` : html`<p>${t(lost ? "tablet.sync.nothing_else" : "tablet.sync.theirs_other")}</p>`}
      </section>
      <section aria-labelledby="mine">
        <h3 id="mine">${t(lost ? "tablet.sync.only_here" : "tablet.sync.mine")}</h3>
        <${Mine} ...${{ queue, same, chosen, choose, say }} />
      </section>
    </div>
    <p class="choices">
      <button data-choice="both" disabled=${isBusy} onClick=${go({ how: "both", same: chosen })}>
        ${t(isAllSame ? "tablet.sync.all_same" : lost ? "tablet.sync.send_again" : "tablet.sync.both")}
      </button>
      ${!lost && partidas.length > 0 && html`<button data-choice="mine" disabled=${isBusy} onClick=${go({ how: "mine", because: t("tablet.sync.mine_because") })}>${t("tablet.sync.only_mine")}</button>`}
      <button data-choice="theirs" disabled=${isBusy} onClick=${go({ how: "theirs" })}>${t(lost ? "tablet.sync.only_server" : "tablet.sync.only_theirs")}</button>
    </p>`;
};

/**
 * Acts of a command that can be edited in a form: `{act, line, put}`; `put` gives the acts of the command with another in its place.
 * @type {(command: Queued) => FormedAct[]}
 */
const formed = ({ sort, acts, expect }) => {
  if (sort === "amend") {
    const [amendment] = /** @type {Amendment[]} */ (acts);
    const { changes } = amendment;
    /** @type {(place: number) => FormedAct["put"]} */
    const put = (place) => (act) => [/** @type {Amendment} */ ({ ...amendment, changes: changes.map((one, at) => (at === place ? { ...one, act } : one)) })];
    return asking(changes.map(({ act, line }, place) => ({ act, line, put: put(place) })));
  }
  /** @type {(place: number) => FormedAct["put"]} */
  const put = (place) => (act) => acts.map((one, at) => (at === place ? act : one));
  return asking(acts.map((act, place) => ({ act, line: expect + 1 + place, put: put(place) })));
};

/** @type {(all: (Omit<FormedAct, "act"> & {act?: Act | Amendment | null})[]) => FormedAct[]} */
const asking = (all) =>
  all.flatMap(({ act, ...more }) => (act && act.kind !== "amend" && FORMS[act.kind]?.length ? [{ act, ...more }] : []));

/**
 * The acts of a refused command; each opens in its form with its values.
 * @param {{table: OpenTable, head: Queued, say: Say, send: Send}} props
 */
const CorrectionForm = ({ table, head, say, send }) => {
  const found = formed(head);
  const [chosen, choose] = useState(found.length === 1 ? 0 : -1);
  const { game } = seen(table);
  const reading = game.partidas.find(({ number }) => number === head.partida);
  if (!found.length || !reading) return null;
  const { act, line, put } = found[chosen] ?? {};
  const then = act && viewBefore(reading, line);
  return html`
    ${found.length > 1 && html`<${Choice} label=${t("tablet.table.correct")} value=${chosen} onChoose=${choose}
      choices=${found.map((one, place) => [place, say.act(one.act)])} />`}
    ${act && html`<${Form} key=${chosen} kind=${act.kind} initial=${act} deal=${lastDeal(then)} deals=${then.deals} gone=${goneFrom(then)} ...${{ game, say }}
      done=${t("tablet.sync.instead")} onAct=${(/** @type {Act} */ other) => send(put(other))} />`}`;
};

/** Field for the reason, which a correction needs after the result was reported. @param {{head: Queued, send: Send}} props */
const Reason = ({ head: { sort, acts, problem }, send }) => {
  const [text, tell] = useState("");
  if (sort !== "amend" || problem?.rule !== "reason-missing") return null;
  const save = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (text.trim()) send([{ .../** @type {Amendment} */ (acts[0]), text: text.trim() }]);
  };
  return html`<form class="form" onSubmit=${save}>
    <${Text} label=${t("tablet.sync.reason")} value=${text} onChange=${tell} />
    <button type="submit" class="main" disabled=${!text.trim()}>${t("tablet.sync.instead")}</button>
  </form>`;
};

/** The refused command, and the choices for it. @param {{table: OpenTable, state: TableState}} props */
export const RefusedCommand = ({ table, state }) => {
  const [head] = state.queue;
  const [isBusy, work] = useState(false);
  if (!head?.problem) return null;
  const say = speakerOf(state);
  const go = async (/** @type {Chosen} */ choice) => {
    work(true);
    await table.resolve(choice).finally(() => work(false));
  };
  /** @type {Send} */
  const send = (acts) => isBusy || go({ how: "instead", acts });
  return html`<p><strong><${CommandText} ...${{ command: head, say }} /></strong></p>
    <p class="wrong">${head.problem.detail ?? head.problem.title}</p>
    <p>${t("tablet.sync.refused_about")}</p>
    <${Reason} key=${`${head.key} why`} ...${{ head, send }} />
    <${CorrectionForm} key=${head.key} ...${{ table, head, say, send }} />
    <p class="choices">
      <button data-choice="aside" disabled=${isBusy} onClick=${() => go({ how: "aside" })}>${t("tablet.sync.aside")}</button>
      <button data-choice="again" class="quiet" disabled=${isBusy} onClick=${() => go({ how: "again" })}>${t("tablet.sync.again")}</button>
    </p>`;
};

/**
 * What waits, in order, and ways out: another try, and a file of all that this browser alone has. A conflict shows what waits itself.
 * @param {{state: TableState, status: Status}} props
 */
export const Waiting = ({ state, status }) => {
  const { encuentro, queue, aside } = state;
  const unsent = useMemo(() => [...queue, ...aside], [queue, aside]);
  const isRefused = status === "refused";
  const listed = status === "conflict" ? [] : queue.slice(isRefused ? 1 : 0);
  const mayTry = queue.length > 0 && !["conflict", "refused", "signed_out"].includes(status);
  const send = () => {
    hope();
    drain(encuentro.id);
  };
  return html`
    ${listed.length > 0 && html`<section aria-labelledby="waiting">
      <h3 id="waiting">${t(isRefused ? "tablet.sync.behind" : "leaving.waiting", { n: listed.length })}</h3>
      <ol class="record waiting">${listed.map((command) => html`<li key=${command.seq}><${CommandText} command=${command} say=${speakerOf(state)} /></li>`)}</ol>
    </section>`}
    <p class="choices">
      ${mayTry && html`<button data-choice="now" onClick=${send}>${t("leaving.again")}</button>`}
      <${Handing} unsent=${unsent} />
    </p>`;
};
