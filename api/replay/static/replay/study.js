// The analysis on the page: the lead of a deal after each card as a line, what each card took, and how much of it is shown.
import { t } from "../html/words.js";
import { analysedCard, positionsOf } from "./analysis.js";
import { askedEngine } from "./asking.js";
import { curve } from "./curve.js";
import { el, leavesOf } from "./dom.js";
import { isLarge, signed, told } from "./numbers.js";
import { sidesOf } from "./data.js";
/** @import { AnalysedCard, Arrastre, ArrastreCard } from "./analysis.js" */
/** @import { AskedEngine } from "./asking.js" */
/** @import { CurveOf } from "./curve.js" */
/** @import { Child } from "./dom.js" */
/** @import { CardPrices } from "./engine.js" */
/** @import { Replay } from "./data.js" */

/**
 * @typedef {object} Study
 * @property {Element} section
 * @property {Element} choices in it: the place of the cards to try
 * @property {(moment: number) => void} follow
 * @property {(moment: number) => Child} said of the card of a moment
 * @property {(moment: number) => ArrastreCard | undefined} cardAt
 * @property {(moment: number) => number} momentAfter moment of the next card of an arrastre
 * @property {(one: ArrastreCard, isLater?: boolean) => Promise<CardPrices | null>} pricesOf
 * @property {(one: ArrastreCard) => CardPrices | null | undefined} priced the prices that are known already; null: they need too many nodes
 * @property {AskedEngine["line"]} line
 */

const LEAST = [1, 3, 10];

/**
 * The analysis of a replay, null where there is none; `pick` gets the moment of a card that was tapped, `answered` that of each card that is known now.
 * @type {(replay: Replay, acts: Element, pick: (moment: number) => void, answered: (moment: number) => void) => Study | null}
 */
export const studyOf = (replay, acts, pick, answered) => {
  const holder = document.getElementById("engine");
  if (!replay.arrastres?.deals.length || !holder) return null;
  const { options, deals } = replay.arrastres;
  const cards = deals.flatMap((arrastre) => positionsOf(options, arrastre));
  const moments = cards.map((one) => replay.momentOf.get(one.line) ?? 0);
  /** @type {Map<number, AnalysedCard>} */
  const found = new Map();
  let [moment, least, isHere] = [0, LEAST[0], true];
  const picture = el("div", { class: "lead-line" });
  const choice = el("select", { onchange: () => { least = Number(choice.value); show(); for (const one of found.values()) mark(acts, one, least); } }, LEAST.map((size) => el("option", { value: size }, t(`analysis.size_${size}`))));
  const show = () => {
    const arrastre = deals[replay.frames[moment].deal - 1];
    picture.replaceChildren(...leavesOf(isHere ? pictured(replay, arrastre, { found, moment, least, pick }, isAsked) : [el("p", null, t("analysis.none_here"))]));
  };
  const note = (/** @type {ArrastreCard} */ one, /** @type {CardPrices | null} */ prices) => {
    if (prices) {
      const analysed = analysedCard(one, prices);
      found.set(one.line, analysed);
      mark(acts, analysed, least);
    }
    answered(replay.momentOf.get(one.line) ?? 0);
    show();
  };
  const asked = priced(holder, (one, prices) => { if (cards.includes(one)) note(one, prices); });
  const isAsked = (/** @type {number} */ line) => cards.some((one) => one.line === line && asked.priced(one) === undefined);
  askAll(cards, asked.pricesOf).catch(() => {
    isHere = false;
    show();
  });
  const choices = el("div", { class: "choices" });
  return {
    ...asked,
    section: framed(replay, choices, picture, choice),
    choices,
    follow: (now) => { moment = now; show(); },
    said: (at) => told(found.get(replay.steps[at - 1]?.line)),
    cardAt: (at) => cards[moments.indexOf(at)],
    momentAfter: (at) => moments.find((one) => one > at) ?? 0,
  };
};

/** The engine of the page, which is asked once about each card; `note` gets each answer. @type {(holder: HTMLElement, note: (one: ArrastreCard, prices: CardPrices | null) => void) => Pick<Study, "pricesOf" | "priced" | "line">} */
const priced = (holder, note) => {
  const engine = askedEngine(holder);
  /** @type {WeakMap<ArrastreCard, Promise<CardPrices | null>>} */
  const asked = new WeakMap();
  /** @type {WeakMap<ArrastreCard, CardPrices | null>} */
  const known = new WeakMap();
  const ask = async (/** @type {ArrastreCard} */ one, /** @type {boolean} */ isLater) => {
    const prices = await engine.prices(one.known, isLater);
    known.set(one, prices);
    note(one, prices);
    return prices;
  };
  const pricesOf = (/** @type {ArrastreCard} */ one, isLater = false) => {
    const answer = asked.get(one) ?? ask(one, isLater);
    asked.set(one, answer);
    return answer;
  };
  return { pricesOf, priced: (one) => known.get(one), line: engine.line };
};

/** Ask about every card, one after the other: the last tricks first, which take least. @type {(cards: ArrastreCard[], pricesOf: Study["pricesOf"]) => Promise<void>} */
const askAll = async (cards, pricesOf) => {
  const held = (/** @type {ArrastreCard} */ { known, seat }) => known.hands[seat].length;
  for (const one of [...cards].sort((a, b) => held(a) - held(b))) await pricesOf(one, true);
};

/** @type {(replay: Replay, choices: Element, picture: Element, choice: Element) => Element} */
const framed = (replay, choices, picture, choice) =>
  el(
    "section",
    { class: "analysis", "aria-labelledby": "analysis" },
    el("h2", { id: "analysis" }, t("analysis.title")),
    choices,
    picture,
    el("label", null, t("analysis.size"), " ", choice),
    why(replay),
  );

/** Why it is said so, one tap away. @type {(replay: Replay) => Element} */
export const why = (replay) =>
  el("details", { class: "why" }, el("summary", null, t("analysis.why")), el("p", null, t("analysis.why_best")), el("p", null, t("analysis.why_unseen")), replay.players === 3 ? el("p", null, t("analysis.three")) : null);

/** What is shown of the deal of a moment; `isAsked`: whether the answer about the card of a line is still to come. @type {(replay: Replay, arrastre: Arrastre | undefined, shown: CurveOf, isAsked: (line: number) => boolean) => Child[]} */
const pictured = (replay, arrastre, shown, isAsked) => {
  if (!arrastre) return [el("p", null, t("replay.start"))];
  if (arrastre.not_known) return [el("p", null, t(`analysis.${arrastre.not_known}`))];
  const lines = (arrastre.cards ?? []).map((one) => one.line);
  const known = lines.flatMap((line) => shown.found.get(line) ?? []);
  const waiting = lines.some(isAsked) ? el("p", null, t("analysis.waiting")) : null;
  if (!known.length) return [waiting ?? el("p", null, t("analysis.beyond"))];
  if (!known[0].leads) return [el("p", null, t("analysis.three"))];
  return [el("figure", null, curve(replay, lines, known, shown), el("figcaption", null, t("analysis.curve", { side: replay.people[sidesOf(replay)[0]] }))), waiting];
};

/** The number of a card in the list of acts. @type {(acts: Element, one: AnalysedCard, least: number) => void} */
const mark = (acts, one, least) => {
  const marks = acts.querySelector(`[data-line="${one.line}"] .marks`);
  marks?.querySelector(".took")?.remove();
  if (!isLarge(one, least)) return;
  const words = t(one.cost > 0 ? "analysis.mark" : "analysis.mark_more", { n: Math.abs(one.cost) });
  marks?.append(el("span", { class: "mark took", title: words }, el("span", { "aria-hidden": "true" }, signed(-one.cost)), el("span", { class: "hidden" }, words)));
};
