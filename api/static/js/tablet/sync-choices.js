// What the arbiter chooses: between two records of one table, and what becomes of an act that was refused.
import { html, useState } from "../../vendor/ui.js";
import { sameAs } from "../outbox/resolving.js";
import { RANKS, SUITS } from "../cards.js";
import { cardName, t } from "../words.js";

/** An act in words, a correction with what it corrects. */
const inWords = (act) => {
  if (act.kind !== "amend") return t(`act.${act.kind}`, act).trim();
  const changes = act.changes.map(({ line, act: other }) =>
    t("tablet.sync.change", { line, what: other ? inWords(other) : t("tablet.sync.withdrawn") }),
  );
  return changes.join("; ");
};

/** A command in words. */
export const Said = ({ command }) =>
  command.sort === "start" ? t("tablet.sync.start", { n: command.partida }) : command.acts.map(inWords).join(". ");

const Theirs = ({ partidas }) =>
  partidas.map(
    ({ number, entries }) => html`<h4>${t("tablet.sync.partida", { n: number })}</h4>
      <ol class="record">
        ${entries.map(({ line, act }) => html`<li key=${line} value=${line}>${inWords(act)}</li>`)}
      </ol>`,
  );

const Mine = ({ queue, same, chosen, choose }) => {
  const toggle = (id) => () => choose(chosen.includes(id) ? chosen.filter((one) => one !== id) : [...chosen, id]);
  const row = (id, words) => html`<li key=${id}>
    ${words}
    ${same.has(id) && !id.endsWith(":start")
      ? html`<label><input type="checkbox" checked=${chosen.includes(id)} onChange=${toggle(id)} />${t("tablet.sync.is_same")}</label>`
      : null}
  </li>`;
  return html`<ol class="record">
    ${queue.flatMap(({ seq, sort, partida, acts }) =>
      sort === "start"
        ? [row(`${seq}:start`, t("tablet.sync.start", { n: partida }))]
        : acts.map((act, place) => row(`${seq}:${place}`, inWords(act))),
    )}
  </ol>`;
};

/** Both records side by side. */
export const Conflict = ({ table, state }) => {
  const { queue } = state;
  const theirs = queue[0]?.problem?.theirs;
  const same = theirs ? sameAs(queue, theirs) : new Map();
  const [unlike, setUnlike] = useState([]);
  const [isBusy, work] = useState(false);
  if (!theirs) return html`<p role="status">${t("tablet.sync.asking_theirs")}</p>`;
  const chosen = [...same.keys()].filter((id) => !unlike.includes(id));
  const choose = (ids) => setUnlike([...same.keys()].filter((id) => !ids.includes(id)));
  const isAllSame = queue.every((one) => one.acts.every((_, place) => chosen.includes(`${one.seq}:${place}`)));
  const partidas = theirs.record.partidas.filter(({ entries }) => entries.length);
  const go = (choice) => async () => {
    work(true);
    await table.resolve(choice).finally(() => work(false));
  };
  return html`<p>${t("tablet.sync.conflict_about")}</p>
    <div class="records">
      <section aria-labelledby="theirs">
        <h3 id="theirs">${t("tablet.sync.theirs")}</h3>
        ${partidas.length ? html`<${Theirs} partidas=${partidas} />` : html`<p>${t("tablet.sync.theirs_other")}</p>`}
      </section>
      <section aria-labelledby="mine">
        <h3 id="mine">${t("tablet.sync.mine")}</h3>
        <${Mine} ...${{ queue, same, chosen, choose }} />
      </section>
    </div>
    <p class="choices">
      <button data-choice="both" disabled=${isBusy} onClick=${go({ how: "both", same: chosen })}>
        ${t(isAllSame ? "tablet.sync.all_same" : "tablet.sync.both")}
      </button>
      <button data-choice="theirs" disabled=${isBusy} onClick=${go({ how: "theirs" })}>${t("tablet.sync.only_theirs")}</button>
    </p>`;
};

const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };
const tokensOf = (deck) => SUITS.flatMap((suit) => RANKS.filter((rank) => deck > 40 || !"89".includes(rank)).map((rank) => rank + suit));

/** The seat and the card of an act, to be chosen anew. */
const Fields = ({ act, names, options, change }) => {
  const choice = (name, values, inWordsOf) => html`<label>
    ${t(`tablet.sync.field.${name}`)}
    <select value=${act[name]} onChange=${(event) => change({ ...act, [name]: event.target.value })}>
      ${values.map((value) => html`<option key=${value} value=${value} selected=${value === act[name]}>${inWordsOf(value)}</option>`)}
    </select>
  </label>`;
  return html`<div class="fields">
    ${act.seat && choice("seat", SEATS[options.players], (seat) => (names[seat] ? `${seat} · ${names[seat]}` : seat))}
    ${act.card && choice("card", tokensOf(options.deck), cardName)}
  </div>`;
};

/** The act that the server refused, and what becomes of it. */
export const Refused = ({ table, state }) => {
  const [head, ...rest] = state.queue;
  const [acts, change] = useState(head?.acts ?? []);
  const [isBusy, work] = useState(false);
  if (!head?.problem) return null;
  const isOther = JSON.stringify(acts) !== JSON.stringify(head.acts);
  const go = (choice) => async () => {
    work(true);
    await table.resolve(choice).finally(() => work(false));
  };
  const put = (place) => (act) => change(acts.map((one, index) => (index === place ? act : one)));
  const mayChange = head.sort === "acts" && acts.some((act) => act.seat || act.card);
  return html`<p><strong><${Said} command=${head} /></strong></p>
    <p class="wrong">${head.problem.detail ?? head.problem.title}</p>
    ${rest.length > 0 && html`<p>${t("tablet.sync.behind", { n: rest.length })}</p>`}
    ${mayChange &&
    acts.map((act, place) => html`<${Fields} key=${place} ...${{ act, names: state.names, options: state.options, change: put(place) }} />`)}
    <p class="choices">
      ${mayChange &&
      html`<button data-choice="instead" disabled=${isBusy || !isOther} onClick=${go({ how: "instead", acts })}>${t("tablet.sync.instead")}</button>`}
      <button data-choice="aside" disabled=${isBusy} onClick=${go({ how: "aside" })}>${t("tablet.sync.aside")}</button>
      <button data-choice="again" class="quiet" disabled=${isBusy} onClick=${go({ how: "again" })}>${t("tablet.sync.again")}</button>
    </p>`;
};
