// The analysis on the page: the lead of a deal after each card as a line, what each card took, and how much of it is shown.
import { t } from "../html/words.js";
import { analysedCard, positionsOf } from "./analysis.js";
import { asking } from "./asking.js";
import { el, svg } from "./dom.js";
import { sidesOf } from "./data.js";
import { WIDE } from "./score.js";
/** @import { AnalysedCard, Arrastre } from "./analysis.js" */
/** @import { Child } from "./dom.js" */
/** @import { Replay } from "./data.js" */

/** @typedef {Map<number, AnalysedCard>} AnalysedCards analysed cards by their lines */
/** @typedef {{section: Element | null, follow: (moment: number) => void, said: (line: number) => Child}} Study */

const HIGH = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 12, 12, 36];
const ROW = 12;
const LEAST = [1, 3, 10];

/**
 * The analysis of a replay; `pick` gets the moment of a card that was tapped, `answered` the line of each card that is known now.
 * @type {(replay: Replay, acts: Element, pick: (moment: number) => void, answered: (line: number) => void) => Study}
 */
export const studyOf = (replay, acts, pick, answered) => {
  const holder = document.getElementById("engine");
  if (!replay.arrastres || !holder) return { section: null, follow: () => {}, said: () => null };
  const { options, deals } = replay.arrastres;
  /** @type {AnalysedCards} */
  const found = new Map();
  let [moment, least, isHere] = [0, LEAST[0], true];
  const picture = el("div", { class: "lead-line" });
  const choice = el("select", { onchange: () => { least = Number(choice.value); show(); for (const one of found.values()) mark(acts, one, least); } }, LEAST.map((size) => el("option", { value: size }, t(`analysis.size_${size}`))));
  const show = () => {
    const arrastre = deals[replay.frames[moment].deal - 1];
    picture.replaceChildren(isHere ? pictured(replay, arrastre, { found, moment, least, pick }) : el("p", null, t("analysis.none_here")));
  };
  const note = (/** @type {AnalysedCard} */ one) => {
    found.set(one.line, one);
    mark(acts, one, least);
    answered(one.line);
    show();
  };
  work(holder, deals.map((arrastre) => positionsOf(options, arrastre)), note).catch(() => {
    isHere = false;
    show();
  });
  const follow = (/** @type {number} */ now) => { moment = now; show(); };
  return { section: framed(replay, picture, choice), follow, said: (line) => told(found.get(line)) };
};

/** Ask about every card, deal after deal. @type {(holder: HTMLElement, deals: import("./analysis.js").ArrastreCard[][], note: (one: AnalysedCard) => void) => Promise<void>} */
const work = async (holder, deals, note) => {
  const ask = asking(holder);
  for (const one of deals.flat()) {
    const prices = await ask(one.known);
    if (prices) note(analysedCard(one, prices));
  }
};

/** @type {(replay: Replay, picture: Element, choice: Element) => Element} */
const framed = (replay, picture, choice) =>
  el(
    "section",
    { class: "analysis", "aria-labelledby": "analysis" },
    el("h2", { id: "analysis" }, t("analysis.title")),
    picture,
    el("label", null, t("analysis.size"), " ", choice),
    el("details", null, el("summary", null, t("analysis.why")), el("p", null, t("analysis.why_best")), el("p", null, t("analysis.why_unseen")), replay.players === 3 ? el("p", null, t("analysis.three")) : null),
  );

/** What is shown of the deal of a moment. @type {(replay: Replay, arrastre: Arrastre | undefined, shown: CurveOf) => Element} */
const pictured = (replay, arrastre, shown) => {
  if (!arrastre) return el("p", null, t("replay.start"));
  if (arrastre.not_known) return el("p", null, t(`analysis.${arrastre.not_known}`));
  const lines = (arrastre.cards ?? []).map((one) => one.line);
  const known = lines.flatMap((line) => shown.found.get(line) ?? []);
  if (!known.length) return el("p", null, t("analysis.waiting"));
  if (!known[0].leads) return el("p", null, t("analysis.three"));
  return el("figure", null, curve(replay, lines, known, shown), el("figcaption", null, t("analysis.curve", { side: replay.people[sidesOf(replay)[0]] })));
};

/** @typedef {{found: AnalysedCards, moment: number, least: number, pick: (moment: number) => void}} CurveOf */

/** @type {(replay: Replay, lines: number[], known: AnalysedCard[], shown: CurveOf) => SVGSVGElement} */
const curve = (replay, lines, known, { moment, least, pick }) => {
  const leads = known.map((one) => /** @type {[number, number]} */ (one.leads));
  const [low, high] = [Math.min(...leads.flat()), Math.max(...leads.flat())];
  const x = (/** @type {number} */ place) => LEFT + (place / lines.length) * (WIDE - LEFT - RIGHT);
  const y = (/** @type {number} */ lead) => HIGH - BOTTOM - ((lead - low) / Math.max(high - low, 1)) * (HIGH - TOP - BOTTOM);
  const placeOf = (/** @type {number} */ line) => lines.indexOf(line) + 1;
  const points = [[x(placeOf(known[0].line) - 1), y(leads[0][0])], ...known.map((one, index) => [x(placeOf(one.line)), y(leads[index][1])])];
  const now = lines.filter((line) => (replay.momentOf.get(line) ?? 0) <= moment).length;
  const drawing = svg(
    "svg",
    { class: "leads", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("analysis.curve_of") },
    [...new Set(low < 0 && high > 0 ? [low, 0, high] : [low, high])].map((lead) => [
      svg("line", { class: lead ? "grid" : "even", x1: LEFT, x2: WIDE - RIGHT, y1: y(lead), y2: y(lead) }),
      svg("text", { x: LEFT - 6, y: y(lead) + 4, "text-anchor": "end" }, signed(lead)),
    ]),
    svg("line", { class: "cursor", x1: x(now), x2: x(now), y1: TOP - 4, y2: HIGH - BOTTOM }),
    svg("path", { d: `M${points.map((point) => point.map((one) => one.toFixed(1)).join(" ")).join("L")}` }),
    known.map((one, index) => cardAt(one, x(placeOf(one.line)), y(leads[index][1]), index % 2 ? ROW : 0, least)),
  );
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const place = Math.round(((((event.clientX - box.left) / box.width) * WIDE - LEFT) / (WIDE - LEFT - RIGHT)) * lines.length);
    pick(replay.momentOf.get(lines[Math.min(Math.max(place, 1), lines.length) - 1]) ?? 0);
  });
  return drawing;
};

/**
 * A card on the line; one that took much has its number below, of each second card in a row of its own.
 * @type {(one: AnalysedCard, x: number, y: number, row: number, least: number) => Child}
 */
const cardAt = (one, x, y, row, least) =>
  isLarge(one, least)
    ? [svg("circle", { class: "much", cx: x, cy: y, r: 4.5 }), svg("text", { class: "took", x, y: HIGH - ROW - 6 + row, "text-anchor": "middle", "data-line": one.line }, signed(-one.cost))]
    : svg("circle", { cx: x, cy: y, r: 2.5 });

/** @type {(one: AnalysedCard, least: number) => boolean} */
const isLarge = (one, least) => Math.abs(one.cost) >= least;

/** A number with its sign. @type {(points: number) => string} */
const signed = (points) => (points < 0 ? `−${-points}` : points ? `+${points}` : "0");

/** The number of a card in the list of acts. @type {(acts: Element, one: AnalysedCard, least: number) => void} */
const mark = (acts, one, least) => {
  const marks = acts.querySelector(`[data-line="${one.line}"] .marks`);
  marks?.querySelector(".took")?.remove();
  if (!isLarge(one, least)) return;
  const words = t(one.cost > 0 ? "analysis.mark" : "analysis.mark_more", { n: Math.abs(one.cost) });
  marks?.append(el("span", { class: "mark took", title: words }, el("span", { "aria-hidden": "true" }, signed(-one.cost)), el("span", { class: "hidden" }, words)));
};

/** What is said of a card beside its act. @type {(one: AnalysedCard | undefined) => Child} */
const told = (one) => {
  if (!one) return null;
  const how = one.cost < 0 ? "more" : one.cost === 0 ? "as_good" : one.cost === 1 ? "less_1" : "less";
  return el("p", { class: "took" }, t(`analysis.${how}`, { n: Math.abs(one.cost), cards: one.best }));
};
