// The draw for partners and dealer: cards are entered as they are dealt, or the program draws. The server works out the result.
import { prefix } from "../../html/prefix.js";
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { RANKS, SUITS } from "../../html/cards.js";
import { t } from "../../html/words.js";
import { Face, nameOfCard, packOf } from "../drawings.js";
import { letSeedStand, standingSeed } from "./seed.js";
import { typing } from "../input.js";
import { Choice } from "./terms.js";

const PREVIEW = `${prefix}/api/v1/draws/preview`;
/** @type {Record<Purpose, string[]>} */
const METHODS = { partners: ["a_reyes", "a_la_mas_alta"], dealer: ["a_reyes", "a_la_mas_alta", "por_palo"] };

/**
 * @import { Pack } from "../drawings.js"
 * @import { MadeDraw } from "./plan.js"
 * @import { Who } from "./people.js"
 *
 * @typedef {"partners" | "dealer"} Purpose
 * @typedef {object} DrawState state of a draw, from the service
 * @property {[who: string, card: string][]} cards
 * @property {string[]} waiting who gets a card next
 * @property {number} round
 * @property {Record<string, string> & {dealer: string}} [outcome]
 * @property {boolean} [may_choose]
 * @property {string} [seed]
 *
 * @typedef {{table: object, seats: Record<string, Who>, players: number, deck: number, pack: string,
 *   onDrawn: (draw: MadeDraw, outcome: Record<string, string>) => void, onClose: () => void}} Props
 * @typedef {{purpose: Purpose, method: string, by: string}} DrawSettings purpose of a draw, its method, and who draws
 */

/** Asks the service for the state of a draw. @type {(body: object) => Promise<{stands?: DrawState, wrong?: string}>} */
const tried = async (body) => {
  const { outcome, content } = await ask(PREVIEW, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  if (outcome === "answered") return { stands: content };
  if (outcome !== "wrong") return { wrong: t("tablet.open.no_network") };
  const reason = content.reason && t(`tablet.open.reason.${content.reason}`);
  return { wrong: reason && !reason.startsWith("tablet.") ? reason : content.detail };
};

/**
 * Every card of the deck; those on the table are disabled.
 * @param {{deck: number, pack: Pack, gone: string[], onCard: (card: string) => void}} props
 */
const Pad = ({ deck, pack, gone, onCard }) => html`<div class=${`keys deck-${deck}`} role="group" aria-label=${t("tablet.open.pad")}>
  ${SUITS.map((suit) => RANKS.filter((rank) => deck === 48 || !"89".includes(rank)).map((rank) => rank + suit).map((card) => html`
    <button type="button" key=${card} data-card=${card} disabled=${gone.includes(card)} aria-label=${nameOfCard(pack, card)} onClick=${() => onCard(card)}><${Face} pack=${pack} card=${card} /></button>`))}
</div>`;

/**
 * Players and the cards that they got; one of those who wait can be chosen to get the next card.
 * @param {{pack: Pack, candidates: string[], nameOf: (one: string) => string, cards: DrawState["cards"], waiting: string[],
 *   next: string, onNext: (one: string) => void}} props
 */
const DrawnCards = ({ pack, candidates, nameOf, cards, waiting, next, onNext }) => html`<ul class="fallen">
  ${candidates.map((one) => html`<li key=${one} class=${one === next ? "next" : ""}>
    <button type="button" aria-pressed=${one === next} disabled=${!waiting.includes(one)} onClick=${() => onNext(one)}>${nameOf(one)}</button>
    <span class="got">${cards.filter(([who]) => who === one).map(([, card]) => html`<span role="img" aria-label=${nameOfCard(pack, card)}><${Face} pack=${pack} card=${card} /></span>`)}</span>
  </li>`)}
</ul>`;

/** @param {{purpose: Purpose, stands: DrawState, outcome: Record<string, string>, nameOf: (one: string) => string}} props */
const Outcome = ({ purpose, stands, outcome, nameOf }) => html`<div class="outcome" role="status">
  ${purpose === "partners" && html`<p>${t("tablet.open.partners", { text: [["A1", "A2"], ["B1", "B2"]].map((pair) => pair.map((seat) => nameOf(outcome[seat])).join(" + ")).join(" — ") })}</p>`}
  <p><b>${t("tablet.open.dealer_is", { text: nameOf(outcome.dealer) })}</b></p>
  ${stands.may_choose && html`<p>${t("tablet.open.may_choose", { text: nameOf(outcome.dealer) })}</p>`}
  ${stands.seed && html`<p class="seed">${t("tablet.open.from_seed")} <code>${stands.seed}</code><br />${t("tablet.open.seed_repeats")}</p>`}
</div>`;

/** Cards of the current round of the draw: after a tie the whole deck is used again. @type {(history: DrawState[]) => string[]} */
const inRound = (history) => {
  const now = history[history.length - 1];
  const begun = history.find(({ round }) => round === now.round) ?? history[0];
  return now.cards.slice(begun.cards.length).map(([, card]) => card);
};

/**
 * Candidates of a draw, and the name of each.
 * @type {(seats: Record<string, Who>, manner: DrawSettings) => {candidates: string[], nameOf: (one: string) => string}}
 */
const partiesOf = (seats, { purpose, by }) => {
  const places = Object.keys(seats);
  if (purpose === "dealer") return { candidates: places, nameOf: (one) => seats[one].name };
  const seated = Object.values(seats);
  // a fixed order, independent of the seats: otherwise changing seats would give another draw with the same seed
  const listed = by === "program" ? [...seated].sort((one, other) => (one.name < other.name ? -1 : 1)) : seated;
  const called = new Map(seated.map(({ person, name }) => [person ?? name, name]));
  return { candidates: listed.map(({ person, name }) => person ?? name), nameOf: (one) => called.get(one) ?? one };
};

/**
 * State of a draw after each card, the error of the last one, and who was chosen to get the next card.
 * `look` asks the service for the state after one more input, from the beginning or after the previous cards.
 * @param {object} asked @param {DrawSettings} manner
 */
const useDrawing = (asked, { purpose, method, by }) => {
  const of = [purpose, method, by].join(" ");
  const [standing, stand] = useState(standingSeed);
  const [kept, keep] = useState({ of: "", history: /** @type {DrawState[]} */ ([]) });
  const [picked, pick] = useState("");
  const [wrong, tell] = useState("");
  const turn = useRef(/** @type {Promise<void>} */ (Promise.resolve()));
  const latest = useRef(kept);
  const set = (/** @type {DrawState[]} */ history) => keep((latest.current = { of, history }));

  const look = (/** @type {(before: DrawState[]) => object} */ more, /** @type {boolean} */ isNew) => {
    turn.current = turn.current.then(async () => {
      const before = latest.current.of === of ? latest.current.history : [];
      if (!isNew && !before.length) return;
      const { stands, wrong: why = "" } = await tried({ ...asked, ...more(before) });
      tell(why);
      pick("");
      if (!stands) return;
      set([...(isNew ? [] : before), stands]);
      if (!stands.seed) return;
      letSeedStand(stands.seed);
      stand(stands.seed);
    });
  };
  useEffect(() => {
    tell("");
    if (by === "cards") look(() => ({ cards: [] }), true);
  }, [of]);
  const history = kept.of === of ? kept.history : [];
  return { history, wrong, picked, pick, standing, look, undo: () => set(history.slice(0, -1)) };
};

/**
 * Fields for the purpose of a draw, its method, and who draws.
 * @param {DrawSettings & {players: number, onManner: (more: Partial<DrawSettings>) => void}} props
 */
const DrawMethods = ({ players, purpose, method, by, onManner }) => {
  const aims = players === 4 ? ["partners", "dealer"] : ["dealer"];
  const aim = (/** @type {Purpose} */ one) =>
    onManner({ purpose: one, ...(METHODS[one].includes(method) ? {} : { method: "a_reyes" }) });
  const word = (/** @type {string} */ one) => t(`tablet.open.${one}`);
  return html`<div class="asked">
    ${aims.length > 1 && html`<${Choice} legend=${t("tablet.open.draws_what")} name="purpose" values=${aims} now=${purpose} said=${(/** @type {string} */ one) => word(`for_${one}`)} onPick=${aim} />`}
    <${Choice} legend=${t("tablet.open.how")} name="method" values=${METHODS[purpose]} now=${method} said=${word} onPick=${(/** @type {string} */ one) => onManner({ method: one })} />
    <${Choice} legend=${t("tablet.open.draws_who")} name="by" values=${["cards", "program"]} now=${by} said=${(/** @type {string} */ one) => word(`by_${one}`)} onPick=${(/** @type {string} */ one) => onManner({ by: one })} />
  </div>`;
};

/** Draw by the program, from the stored seed or from one that the players agreed on. @param {{standing: string, onSeed: (seed: string) => void}} props */
const SeedForm = ({ standing, onSeed }) => {
  const [seed, type] = useState("");
  const submit = (/** @type {Event} */ event) => {
    event.preventDefault();
    onSeed(standing || seed.trim());
  };
  return html`<form class="seeded" onSubmit=${submit}>
    ${standing ? html`<p class="seed">${t("tablet.open.seed_stands")} <code>${standing}</code></p>` : html`
    <label for="seed">${t("tablet.open.seed")}</label>
    <input id="seed" value=${seed} maxlength="128" pattern="[!-~]{8,128}" autocomplete="off" spellcheck="false" aria-describedby="seed-help" onInput=${typing(type)} />
    <p id="seed-help" class="help">${t("tablet.open.seed_help")}</p>`}
    <button>${t("tablet.open.draw_now")}</button>
  </form>`;
};

/** @param {Props} props */
export const DrawPanel = ({ table, seats, players, deck, pack: name, onDrawn, onClose }) => {
  const pack = packOf(name);
  const [manner, choose] = useState(/** @type {DrawSettings} */ ({ purpose: players === 4 ? "partners" : "dealer", method: "a_reyes", by: "cards" }));
  const { purpose, method, by } = manner;
  const panel = useRef(/** @type {HTMLElement | null} */ (null));
  const { candidates, nameOf } = partiesOf(seats, manner);
  const { history, wrong, picked, pick, standing, look, undo } = useDrawing({ ...table, players, deck, method, purpose, candidates }, manner);
  useEffect(() => panel.current?.focus(), []);

  const stands = history[history.length - 1];
  const outcome = stands?.outcome;
  const next = stands && !outcome ? picked || stands.waiting[0] : "";
  const onCard = (/** @type {string} */ card) => look((before) => {
    const { cards, waiting } = before[before.length - 1];
    return { cards: [...cards, [picked && waiting.includes(picked) ? picked : waiting[0], card]] };
  }, false);
  const take = (/** @type {Record<string, string>} */ made) =>
    onDrawn({ method, purpose, candidates, ...(stands.seed ? { seed: stands.seed } : { cards: stands.cards }) }, made);
  return html`<section class="draw" ref=${panel} tabindex="-1" aria-label=${t("tablet.open.draw")}>
    <div class="title"><h2>${t("tablet.open.draw")}</h2><button type="button" class="plain" onClick=${onClose}>${t("tablet.open.no_draw")}</button></div>
    <${DrawMethods} ...${{ ...manner, players }} onManner=${(/** @type {Partial<DrawSettings>} */ more) => choose((now) => ({ ...now, ...more }))} />
    <p class="wrong" role="alert">${wrong}</p>
    ${by === "program" && !outcome && html`<${SeedForm} standing=${standing} onSeed=${(/** @type {string} */ seed) => look(() => (seed ? { seed } : {}), true)} />`}
    <div class="turn">
      <p class="ask" role="status">${next && t(method === "por_palo" ? "tablet.open.who_cuts" : "tablet.open.card_for", { text: nameOf(next) })}
        ${next && stands.round > 1 && html` <span class="tag live">${t("tablet.open.round", { n: stands.round })}</span>`}</p>
      ${by === "cards" && history.length > 1 && html`<button type="button" class="plain" onClick=${undo}>${t("tablet.open.undo")}</button>`}
    </div>
    ${stands && html`<${DrawnCards} ...${{ pack, candidates, nameOf, next }} cards=${stands.cards} waiting=${method === "a_reyes" ? [next] : stands.waiting} onNext=${pick} />`}
    ${next && html`<${Pad} deck=${deck} pack=${pack} gone=${inRound(history)} onCard=${onCard} />`}
    ${outcome && html`<${Outcome} ...${{ purpose, stands, outcome, nameOf }} />
      <div class="does"><button type="button" class="main" onClick=${() => take(outcome)}>${t(`tablet.open.use_${purpose}`)}</button></div>`}
  </section>`;
};
