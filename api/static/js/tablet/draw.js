// The draw for partners and dealer: the cards keyed as they fall, or drawn by the program. The server says what comes of it.
import { html, useEffect, useRef, useState } from "../../vendor/ui.js";
import { ask } from "../outbox/asking.js";
import { RANKS, SUITS } from "../cards.js";
import { t } from "../words.js";
import { Face, nameOfCard, packOf } from "./drawn.js";
import { letSeedStand, standingSeed } from "./seed.js";
import { Choice } from "./terms.js";

const PREVIEW = "/api/v1/draws/preview";
const METHODS = { partners: ["a_reyes", "a_la_mas_alta"], dealer: ["a_reyes", "a_la_mas_alta", "por_palo"] };

/** Asks how a draw stands. `{stands}` or `{wrong}`, a text. */
const tried = async (body) => {
  const { outcome, content } = await ask(PREVIEW, { method: "POST", body: JSON.stringify(body), headers: { "Content-Type": "application/json" } });
  if (outcome === "answered") return { stands: content };
  if (outcome !== "wrong") return { wrong: t("tablet.open.no_network") };
  const reason = content.reason && t(`tablet.open.reason.${content.reason}`);
  return { wrong: reason && !reason.startsWith("tablet.") ? reason : content.detail };
};

/** Every card of the deck, those that lie on the table gone. */
const Pad = ({ deck, pack, gone, onCard }) => html`<div class=${`keys deck-${deck}`} role="group" aria-label=${t("tablet.open.pad")}>
  ${SUITS.map((suit) => RANKS.filter((rank) => deck === 48 || !"89".includes(rank)).map((rank) => rank + suit).map((card) => html`
    <button type="button" key=${card} data-card=${card} disabled=${gone.includes(card)} aria-label=${nameOfCard(pack, card)} onClick=${() => onCard(card)}><${Face} pack=${pack} card=${card} /></button>`))}
</div>`;

/** Who gets cards, and which; one of those who wait may be chosen to get the next one. */
const Fallen = ({ pack, candidates, nameOf, cards, waiting, next, onNext }) => html`<ul class="fallen">
  ${candidates.map((one) => html`<li key=${one} class=${one === next ? "next" : ""}>
    <button type="button" aria-pressed=${one === next} disabled=${!waiting.includes(one)} onClick=${() => onNext(one)}>${nameOf(one)}</button>
    <span class="got">${cards.filter(([who]) => who === one).map(([, card]) => html`<span role="img" aria-label=${nameOfCard(pack, card)}><${Face} pack=${pack} card=${card} /></span>`)}</span>
  </li>`)}
</ul>`;

const Outcome = ({ purpose, stands, candidates, nameOf, dealer }) => html`<div class="outcome" role="status">
  ${purpose === "partners" && html`<p>${t("tablet.open.partners", { text: [["A1", "A2"], ["B1", "B2"]].map((pair) => pair.map((seat) => nameOf(stands.outcome[seat])).join(" + ")).join(" — ") })}</p>`}
  <p><b>${t("tablet.open.dealer_is", { text: nameOf(dealer) })}</b></p>
  ${stands.may_choose && html`<p>${t("tablet.open.may_choose", { text: nameOf(dealer) })}</p>`}
  ${stands.seed && html`<p class="seed">${t("tablet.open.from_seed")} <code>${stands.seed}</code><br />${t("tablet.open.seed_repeats")}</p>`}
</div>`;

/** Cards of the round that is being drawn: after a tie the deck is whole again. */
const inRound = (history) => {
  const now = history[history.length - 1].stands;
  const begun = history.find(({ stands }) => stands.round === now.round) ?? history[0];
  return now.cards.slice(begun.stands.cards.length).map(([, card]) => card);
};

/**
 * @param {{table: object, seats: Record<string, {name: string, person?: string}>, players: number, deck: number, pack: string, onDrawn: (draw: object, outcome: object) => void, onClose: () => void}} given
 */
export const DrawPanel = ({ table, seats, players, deck, pack: name, onDrawn, onClose }) => {
  const pack = packOf(name);
  const [purpose, aim] = useState(players === 4 ? "partners" : "dealer");
  const [method, choose] = useState("a_reyes");
  const [by, let_] = useState("cards");
  const [seed, state] = useState("");
  const [standing, stand] = useState(standingSeed);
  const [kept, keep] = useState({ of: "", history: [] });
  const [picked, pick] = useState("");
  const [wrong, tell] = useState("");
  const turn = useRef(Promise.resolve());
  const panel = useRef(null);
  const places = Object.keys(seats);
  const seated = places.map((seat) => seats[seat]);
  // the program draws for the same players in the same order, wherever they sit, or sitting otherwise would be another try
  const listed = by === "program" ? [...seated].sort((one, other) => (one.name < other.name ? -1 : 1)) : seated;
  const candidates = purpose === "dealer" ? places : listed.map(({ person, name }) => person ?? name);
  const nameOf = (one) => (purpose === "dealer" ? seats[one] : Object.values(seats).find(({ person, name }) => (person ?? name) === one)).name;
  const asked = { ...table, players, deck, method, purpose, candidates };
  const of = [purpose, method, by].join(" ");
  const history = kept.of === of ? kept.history : [];
  const latest = useRef(kept);
  const set = (next) => keep((latest.current = { of, history: next }));

  const look = (more, isNew) => {
    turn.current = turn.current.then(async () => {
      const before = latest.current.of === of ? latest.current.history : [];
      if (!isNew && !before.length) return;
      const found = await tried({ ...asked, ...more(before) });
      tell(found.wrong ?? "");
      pick("");
      if (!found.stands) return;
      set([...(isNew ? [] : before), { stands: found.stands }]);
      if (!found.stands.seed) return;
      letSeedStand(found.stands.seed);
      stand(found.stands.seed);
    });
  };
  useEffect(() => {
    tell("");
    if (by === "cards") look(() => ({ cards: [] }), true);
  }, [of]);
  useEffect(() => panel.current.focus(), []);

  const stands = history[history.length - 1]?.stands;
  const isOver = Boolean(stands?.outcome);
  const next = stands && !isOver ? (picked || stands.waiting[0]) : "";
  const onCard = (card) => look((now) => {
    const last = now[now.length - 1].stands;
    return { cards: [...last.cards, [picked && last.waiting.includes(picked) ? picked : last.waiting[0], card]] };
  }, false);
  const undo = () => set(history.slice(0, -1));
  const byProgram = (event) => {
    event.preventDefault();
    const first = standing || seed.trim();
    look(() => (first ? { seed: first } : {}), true);
  };
  const take = () => {
    const drawn = stands.seed ? { seed: stands.seed } : { cards: stands.cards };
    onDrawn({ method, purpose, candidates, ...drawn }, stands.outcome);
  };
  const aims = players === 4 ? ["partners", "dealer"] : ["dealer"];
  return html`<section class="draw" ref=${panel} tabindex="-1" aria-label=${t("tablet.open.draw")}>
    <div class="title"><h2>${t("tablet.open.draw")}</h2><button type="button" class="plain" onClick=${onClose}>${t("tablet.open.no_draw")}</button></div>
    <div class="asked">
      ${aims.length > 1 && html`<${Choice} legend=${t("tablet.open.draws_what")} name="purpose" values=${aims} now=${purpose} said=${(one) => t(`tablet.open.for_${one}`)}
        onPick=${(one) => { aim(one); if (!METHODS[one].includes(method)) choose("a_reyes"); }} />`}
      <${Choice} legend=${t("tablet.open.how")} name="method" values=${METHODS[purpose]} now=${method} said=${(one) => t(`tablet.open.${one}`)} onPick=${choose} />
      <${Choice} legend=${t("tablet.open.draws_who")} name="by" values=${["cards", "program"]} now=${by} said=${(one) => t(`tablet.open.by_${one}`)} onPick=${let_} />
    </div>
    <p class="wrong" role="alert">${wrong}</p>
    ${by === "program" && !isOver && html`<form class="seeded" onSubmit=${byProgram}>
      ${standing ? html`<p class="seed">${t("tablet.open.seed_stands")} <code>${standing}</code></p>` : html`
      <label for="seed">${t("tablet.open.seed")}</label>
      <input id="seed" value=${seed} maxlength="128" pattern="[!-~]{8,128}" autocomplete="off" spellcheck="false" aria-describedby="seed-help" onInput=${(event) => state(event.target.value)} />
      <p id="seed-help" class="help">${t("tablet.open.seed_help")}</p>`}
      <button>${t("tablet.open.draw_now")}</button>
    </form>`}
    <div class="turn">
      <p class="ask" role="status">${next && t(method === "por_palo" ? "tablet.open.who_cuts" : "tablet.open.card_for", { text: nameOf(next) })}
        ${next && stands.round > 1 && html` <span class="tag live">${t("tablet.open.round", { n: stands.round })}</span>`}</p>
      ${by === "cards" && history.length > 1 && html`<button type="button" class="plain" onClick=${undo}>${t("tablet.open.undo")}</button>`}
    </div>
    ${stands && html`<${Fallen} pack=${pack} candidates=${candidates} nameOf=${nameOf} cards=${stands.cards} waiting=${method === "a_reyes" ? [next] : stands.waiting} next=${next} onNext=${pick} />`}
    ${next && html`<${Pad} deck=${deck} pack=${pack} gone=${inRound(history)} onCard=${onCard} />`}
    ${isOver && html`<${Outcome} ...${{ purpose, stands, candidates, nameOf, dealer: stands.outcome.dealer }} />`}
    ${isOver && html`<div class="does"><button type="button" class="main" onClick=${take}>${t(`tablet.open.use_${purpose}`)}</button></div>`}
  </section>`;
};
