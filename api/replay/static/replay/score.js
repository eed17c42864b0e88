// The score of a partida as a line chart, and as a table.
import { t } from "../html/words.js";
import { toLine } from "./details.js";
import { el, svg } from "./dom.js";
import { personOf, scoreLine, sidesOf } from "./data.js";
/** @import { Replay } from "./data.js" */

/** @typedef {(value: number) => number} Scale */

const PHONE = 704;
/** Width of a drawing in its own units. */
export const WIDE = (globalThis.innerWidth ?? 0) < PHONE ? 400 : 960;
const HIGH = 170;
const LEFT = 34;
const RIGHT = 58;
const TOP = 10;
const BOTTOM = 18;
const HALF = 50;

/**
 * The chart; `pick` gets the moment that the user points at.
 * @type {(replay: Replay, pick: (moment: number) => void) => {drawing: SVGSVGElement, move: (moment: number) => void}}
 */
export const scoreDrawing = (replay, pick) => {
  const most = Math.max(replay.target, ...replay.frames.flatMap((frame) => Object.values(frame.score)));
  /** @type {Scale} */
  const x = (moment) => LEFT + (moment / Math.max(replay.last, 1)) * (WIDE - LEFT - RIGHT);
  /** @type {Scale} */
  const y = (points) => HIGH - BOTTOM - (points / most) * (HIGH - TOP - BOTTOM);
  const ends = labelHeights(sidesOf(replay).map((side) => y(replay.frames[replay.last].score[side] ?? 0)));
  const cursor = svg("line", { class: "cursor", y1: TOP - 4, y2: HIGH - BOTTOM });
  const drawing = svg(
    "svg",
    { class: "scoreline", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": t("replay.score_drawing") },
    [0, HALF, replay.target].map((points) => [
      svg("line", { class: points === replay.target ? "target" : "grid", x1: LEFT, x2: WIDE - RIGHT, y1: y(points), y2: y(points) }),
      svg("text", { x: LEFT - 6, y: y(points) + 4, "text-anchor": "end" }, String(points)),
    ]),
    replay.deals.map((deal) => [
      svg("line", { class: "deal", x1: x(replay.momentOf.get(deal.line) ?? 0), x2: x(replay.momentOf.get(deal.line) ?? 0), y1: TOP, y2: HIGH - BOTTOM }),
      svg("text", { x: x(replay.momentOf.get(deal.line) ?? 0) + 4, y: HIGH - 4 }, t("replay.deal", { n: deal.number })),
    ]),
    sidesOf(replay).map((side, index) => [
      svg("path", { class: `of ${side}`, d: stairs(scoreLine(replay, side), x, y, replay.last) }),
      svg("text", { class: `of ${side}`, x: WIDE - RIGHT + 6, y: ends[index] + 4 }, String(replay.frames[replay.last].score[side] ?? 0)),
    ]),
    cursor,
  );
  drawing.addEventListener("click", (event) => {
    const box = drawing.getBoundingClientRect();
    const at = ((event.clientX - box.left) / box.width) * WIDE;
    pick(Math.round(((at - LEFT) / (WIDE - LEFT - RIGHT)) * replay.last));
  });
  const move = (/** @type {number} */ moment) => ["x1", "x2"].forEach((name) => cursor.setAttribute(name, String(x(moment))));
  return { drawing, move };
};

/** Heights of the labels at the end of the lines, moved apart so that each can be read. @type {(heights: number[]) => number[]} */
const labelHeights = (heights) => {
  const sorted = heights.map((height, index) => ({ height, index })).sort((a, b) => a.height - b.height);
  sorted.forEach((one, place) => {
    if (place) one.height = Math.max(one.height, sorted[place - 1].height + 14);
  });
  return sorted.sort((a, b) => a.index - b.index).map((one) => one.height);
};

/** @type {(points: [number, number][], x: Scale, y: Scale, last: number) => string} */
const stairs = (points, x, y, last) => {
  const [first, ...rest] = points;
  const steps = rest.map(([moment, value]) => `H${x(moment).toFixed(1)}V${y(value).toFixed(1)}`);
  return `M${x(first[0]).toFixed(1)} ${y(first[1]).toFixed(1)}${steps.join("")}H${x(last).toFixed(1)}`;
};

/** The table of all points with reason and line. @type {(replay: Replay) => Element} */
export const scoreTable = (replay) =>
  el(
    "details",
    { class: "items" },
    el("summary", null, t("replay.score_table")),
    el(
      "table",
      null,
      el("thead", null, el("tr", null, ["deal_head", "side", "reason", "points", "line_of"].map((name) => el("th", { scope: "col" }, t(`replay.${name}`))))),
      el(
        "tbody",
        null,
        replay.deals.flatMap((deal) =>
          deal.items.map(([side, reason, points, line]) =>
            el("tr", null, el("td", null, String(deal.number)), el("td", null, personOf(replay, side)), el("td", null, t(`replay.of_${reason}`)), el("td", { class: "n" }, String(points)), el("td", null, toLine(replay, line))),
          ),
        ),
      ),
    ),
  );
