// A denounced renuncio: proved, not proved or open; its proof and its effect.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useState } from "../vendor/ui.js";
import { accusation, isRenuncio, sideOf } from "../rules/index.js";
import { cited, t } from "../../html/words.js";
import { Face } from "../drawings.js";
import { asked } from "../service.js";
import { CaseLink } from "./case_link.js";
import { Effects } from "./effects.js";
/** @import { Side } from "../rules/seats.js" */
/** @import { Accusation, Charge } from "../rules/accusing.js" */
/** @import { Options } from "../rules/options.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { Reading } from "../table/game.js" */
/** @import { Say } from "../wording.js" */
/** @import { ActEvidence } from "../service.js" */
/** @import { Told } from "./effects.js" */
/** @import { Context } from "../table/table.js" */

/**
 * @typedef {Pick<Charge, "line" | "trick"> & Partial<Pick<ActEvidence, "article" | "slip">> & Partial<Charge>
 *   & {byCount?: boolean, tricks?: number[]}} ShownCharge
 * @typedef {Omit<Accusation, "charges"> & {charges: ShownCharge[]}} JudgedAccusation
 * @typedef {{line: number, acts: ActEvidence[], view: TableView | null, told: Told}} ServiceAnswer
 */

const AGAIN_MS = 2_000;
/** @type {Record<Accusation["verdict"], string>} */
const SIGNS = { proved: "✓", not_proved: "–", open: "?" };

/**
 * Answer of the service after it has this line: its evidence, the partida, the effect of a ruling. Null until then.
 * @type {(id: string, number: number, what: {line: number, by: string}) => ServiceAnswer | null}
 */
const useService = (id, number, { line, by }) => {
  const [service, hear] = useState(/** @type {ServiceAnswer | null} */ (null));
  useEffect(() => {
    const gone = new AbortController();
    const { signal } = gone;
    let timer = 0;
    const look = async () => {
      const evidence = await asked(id, number, "/evidence", { signal });
      if (!evidence || evidence.line < line) throw new Error("not yet");
      const act = { kind: "ruling", effect: "partida", side: sideOf(by), text: t("tablet.table.kind.denounce") };
      const view = await asked(id, number, "", { signal });
      if (view && view.version < evidence.line) throw new Error("not yet");
      const preview = view?.decided ? null : await asked(id, number, "/acts/preview", { body: { acts: [act] }, signal });
      hear({ ...evidence, view, told: preview ?? { words: [], secret: [] } });
    };
    const again = () => {
      look().catch(() => (timer = signal.aborted ? 0 : setTimeout(again, AGAIN_MS)));
    };
    again();
    return () => {
      gone.abort();
      clearTimeout(timer);
    };
  }, [id, number, line]);
  return service;
};

/** A charge with the evidence of the service about its act. @type {(charge: ShownCharge, act: ActEvidence) => ShownCharge} */
const withEvidence = (charge, act) => {
  if (act.verdict === "open") {
    const settling = act.settles?.cards ?? [];
    const left = (charge.ifHeld ?? []).map(({ rule, cards }) => ({ rule, cards: cards.filter((one) => settling.includes(one)) }));
    return { ...charge, ifHeld: left.filter(({ cards }) => cards.length), tricks: act.settles?.tricks };
  }
  const { rule, since, by_count: byCount, article, slip } = act;
  return { ...charge, rule, since, lines: act.proof?.lines, byCount, article, slip };
};

/**
 * The accusation with the evidence of the service, which also counts the unseen cards: an open charge may be proved there, or lawful.
 * @type {(here: JudgedAccusation, acts: ActEvidence[], options: Options) => JudgedAccusation}
 */
const judged = (here, acts, options) => {
  const of = (/** @type {number} */ line) => acts.find((act) => act.line === line);
  if (here.verdict === "proved") {
    const act = of(here.charges[0].line);
    return { ...here, charges: here.charges.map((charge) => (act?.verdict === "unlawful" ? withEvidence(charge, act) : charge)) };
  }
  const trickOf = (/** @type {number} */ line) => here.plays.find((play) => play.line === line)?.trick ?? 0;
  const proved = acts.find((act) => act.verdict === "unlawful" && trickOf(act.line) > 0 && isRenuncio(act.rule, options));
  if (proved) return { ...here, verdict: "proved", charges: [withEvidence({ line: proved.line, trick: trickOf(proved.line) }, proved)] };
  const charges = here.charges.flatMap((one) => {
    const act = of(one.line);
    return act?.verdict === "open" ? [withEvidence(one, act)] : [];
  });
  return { ...here, verdict: charges.length ? "open" : "not_proved", charges };
};

/** The sheet of an accusation. @param {Context} props */
export const Accused = (props) => {
  const { game, sheet } = props;
  const reading = game.partidas.find((one) => one.number === sheet.number);
  const here = reading && accusation(reading.view, sheet.line ?? 0);
  return here ? html`<${Accusation} ...${props} ...${{ reading, here }} />` : html`<p>${t("tablet.accused.gone")}</p>`;
};

/** @param {Context & {reading: Reading, here: JudgedAccusation}} props */
const Accusation = ({ id, game, sheet, say, pick, reading, here }) => {
  const { number = 0, line = 0 } = sheet;
  const service = useService(id, number, { line, by: here.said.by });
  const found = service ? judged(here, service.acts, game.options) : here;
  return html`
    <div class="accused" data-verdict=${found.verdict} data-from=${service ? "service" : "here"}>
      <p>${say.act({ kind: "denounce", ...here.said })}</p>
      <p class="verdict" role="status"><span aria-hidden="true">${SIGNS[found.verdict]}</span> ${t(`tablet.accused.${found.verdict}`)}</p>
      ${found.charges.map((charge) => html`<${Charge} key=${charge.line} ...${{ charge, reading, say, isProved: found.verdict === "proved" }} />`)}
      ${!found.charges.length && html`<p>${t("tablet.accused.nothing")}</p>`}
      <${Effect} ...${{ found, service, game, reading, say }} />
      ${!service && html`<p class="names">${t("tablet.accused.here")}</p>`}
      <p class="choice">
        ${service && html`<a class="button" href=${`${prefix}/repeticion/${id}/${number}?linea=${found.charges[0]?.line ?? line}`}>${t("tablet.accused.replay")}</a>`}
        <${CaseLink} ...${{ id, number }} lines=${[...found.charges.map((one) => one.line), line]} isSent=${Boolean(service)} />
        <button class="plain" onClick=${() => pick(number, line)}>${t("tablet.table.correct")}</button>
      </p>
    </div>`;
};

/**
 * One breach: the act, the duty, the proof with its tricks, or the cards that would settle it.
 * @param {{charge: ShownCharge, reading: Reading, say: Say, isProved: boolean}} props
 */
const Charge = ({ charge, reading, say, isProved }) => {
  const [shown, show] = useState(charge.line);
  const { rule, article, slip, ifHeld = [], lines = [], tricks = [] } = charge;
  const actOf = (/** @type {number} */ line) => reading.entries.find((entry) => entry.line === line)?.act;
  const inWords = (/** @type {number} */ line) => {
    const act = actOf(line);
    return act ? say.act(act) : "";
  };
  const act = actOf(charge.line);
  const seat = say.seat(act && "seat" in act ? (act.seat ?? "") : "");
  return html`
    <section class="charge">
      <h3>${t("tablet.accused.act")}: ${inWords(charge.line)} · ${t("tablet.table.in_trick", { n: charge.trick })}</h3>
      <${Trick} ...${{ reading, line: shown, say }} />
      ${isProved && html`<p><b>${t("tablet.accused.duty")}:</b> ${t(`rule.${rule}`)}
        ${article && html` <span class="names">${cited(article)}</span>`}</p>`}
      ${!isProved && html`<p>${t("tablet.accused.settles", { seat })}</p>
        <ul class="settles">${ifHeld.map((one) => html`
          <li key=${one.rule}>${t("tablet.accused.if_held", { cards: one.cards.map(say.card).join(", ") })} <b>${t(`rule.${one.rule}`)}</b></li>`)}</ul>`}
      ${tricks.length > 0 && html`<p>${t("tablet.accused.tricks", { text: tricks.join(", ") })}</p>`}
      ${isProved && html`<p><b>${t("tablet.accused.proof")}:</b></p>`}
      <ul class="lines">${lines.map((line) => html`
        <li key=${line}><button class="option" data-line=${line} aria-pressed=${line === shown} onClick=${() => show(line)}>
          ${inWords(line)} <small>${line}</small></button></li>`)}</ul>
      ${charge.byCount && html`<p>${t("tablet.accused.count")}</p>`}
      ${isProved && html`<p class="since">${t("tablet.accused.since", { text: inWords(charge.since ?? 0) })} <small>${charge.since}</small></p>`}
      ${slip && html`<p class="slip">${slip.text}</p>`}
    </section>`;
};

/**
 * The trick of a line; nothing if it is in none.
 * @param {{reading: Reading, line: number, say: Say}} props
 */
const Trick = ({ reading, line, say }) => {
  const tricks = reading.view.deals.flatMap((deal) => [...deal.tricks, { number: deal.tricks.length + 1, plays: deal.on_table }]);
  const trick = tricks.find(({ plays }) => plays.some((play) => play.line === line));
  if (!trick) return null;
  return html`
    <figure class="lay"><figcaption>${t("tablet.accused.trick", { n: trick.number })}</figcaption>
      ${trick.plays.map((play) => html`
        <span key=${play.line} data-card=${play.card} class=${play.line === line ? "meant" : ""}>
          <${Face} pack=${say.pack} card=${play.card} /><span>${say.seat(play.seat)}</span><span class="hidden">${say.card(play.card)}</span>
        </span>`)}
    </figure>`;
};

/**
 * The penalty in the rules of the table, the decision so far, and the effect of a ruling.
 * @param {Pick<Context, "game" | "say"> & {found: JudgedAccusation, service: ServiceAnswer | null, reading: Reading}} props
 */
const Effect = ({ found, service, game, reading, say }) => {
  const { renuncio_penalty: penalty, false_accusation: unfounded } = game.options;
  const decided = service?.view?.decided ?? reading.view.decided;
  const isLate = found.isLate || service?.view?.findings.some((one) => one.rule === "denounced-late" && one.line === found.said.line);
  const cost = found.verdict === "not_proved" ? t(`tablet.accused.unfounded.${unfounded}`) : t(`tablet.accused.costs.${penalty}`);
  return html`
    <section class="effect">
      <h3>${t("tablet.accused.effect")}</h3>
      <p>${isLate ? t("tablet.accused.late") : cost}</p>
      ${decided && html`<p><b>${t("tablet.table.wins", { side: say.side(decided.winner) })}</b>, ${t(`how.${decided.how}`)}</p>`}
      ${service && service.told.words.length > 0 && html`<p>${t("tablet.accused.if_ruled", { side: say.side(sideOf(found.said.by)) })}</p>
        <${Effects} ...${service.told} />`}
    </section>`;
};
