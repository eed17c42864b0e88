// The lead of a deal after each card of its arrastre, as a line to tap on.
import { t } from "../html/words.js";
import { svg } from "./dom.js";
import { isLarge, signed } from "./numbers.js";
import { WIDE } from "./score.js";
/** @import { AnalysedCard } from "./analysis.js" */
/** @import { Child } from "./dom.js" */
/** @import { Replay } from "./data.js" */

const HIGH = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [42, 12, 12, 36];
const ROW = 12;

/** `found`: analysed cards by their lines. @typedef {{found: Map<number, AnalysedCard>, moment: number, least: number, pick: (moment: number) => void}} CurveOf */

/** The curve of a deal whose cards have these lines. @type {(replay: Replay, lines: number[], known: AnalysedCard[], shown: CurveOf) => SVGSVGElement} */
export const curve = (replay, lines, known, { moment, least, pick }) => {
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
