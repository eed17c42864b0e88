// The replay page: shows the data of the page, moment by moment.
import { t } from "../html/words.js";
import { actList } from "./acts.js";
import { detailsOf } from "./details.js";
import { controls, swipes } from "./controls.js";
import { el, leavesOf, renew } from "./dom.js";
import { feltAt } from "./felt.js";
import { Lines } from "./lines/lines.js";
import { momentOfLine, ready } from "./data.js";
import { scoreDrawing, scoreTable } from "./score.js";
import { studyOf } from "./study.js";
/** @import { Replay, ReplayData, View } from "./data.js" */
/** @import { Study } from "./study.js" */

/** @type {(id: string) => ReplayData | null} */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {(replay: Replay, stage: HTMLElement) => void} */
const start = (replay, stage) => {
  /** @type {View} */
  let view = { replay, moment: 0 };
  let showsAll = false;
  const felt = el("div", { class: "felt" });
  const beside = el("div", { class: "beside", "aria-live": "polite" });
  const show = () => {
    const { replay: shown, moment } = view;
    renew(felt, feltAt(shown, moment, showsAll));
    followers.forEach((follow) => follow(shown.isUnplayed ? shown.first : moment));
    bar.follow();
    lines?.follow(view);
    describe();
  };
  const describe = () => { felt.className = classOf(view, lines); beside.replaceChildren(...described(view, study, lines)); };
  const go = (/** @type {Replay} */ shown, /** @type {number} */ asked) => {
    view = { replay: shown, moment: Math.min(Math.max(asked, shown.first), shown.last) };
    show();
    if (shown === replay) remember(replay, view.moment);
  };
  const to = (/** @type {number} */ asked) => go(replay, asked);
  const toLine = (/** @type {number} */ line) => to(momentOfLine(replay, line));
  const step = (/** @type {number} */ asked) => go(view.replay, asked);
  const bar = controls(() => view, step);
  const score = scoreDrawing(replay, to);
  const acts = actList(replay, to);
  const study = studyOf(replay, acts.list, to, (moment) => { if (moment === view.moment) describe(); });
  const lines = study && new Lines(replay, study, { go, back: to, describe });
  const followers = [score.move, acts.follow, ...(study ? [study.follow] : [])];
  const all = el("input", { type: "checkbox", onchange: () => { showsAll = all.checked; show(); } });
  stage.replaceChildren(
    el("div", { class: "theatre" }, lines?.banner, felt, bar.bar, legend(all), study?.section),
    el("div", { class: "aside" }, jumps(replay, toLine), acts.list, beside),
    el("div", { class: "scores" }, el("h2", null, t("replay.score")), score.drawing, scoreTable(replay)),
  );
  swipes(felt, () => view, step);
  listen(felt, toLine, lines);
  view = { replay, moment: opening(replay) };
  show();
};

/** @type {(view: View, lines: Lines | null) => string} */
const classOf = ({ replay, moment }, lines) => `felt${replay.isUnplayed ? " unplayed" : ""}${lines?.hasChoices(moment) ? " tries" : ""}`;

/** What is said of the moment on the felt. @type {(view: View, study: Study | null, lines: Lines | null) => (Node | string)[]} */
const described = ({ replay, moment }, study, lines) =>
  leavesOf(replay.isUnplayed ? [lines?.said()] : [detailsOf(replay, moment), study?.said(moment)]);

/** Links to a line, cards of a hand that are tapped, and the key that ends a line. @type {(felt: HTMLElement, toLine: (line: number) => void, lines: Lines | null) => void} */
const listen = (felt, toLine, lines) => {
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[data-line]");
    if (!link) return;
    event.preventDefault();
    toLine(Number(link.getAttribute("data-line")));
    felt.scrollIntoView({ block: "nearest" });
  });
  felt.addEventListener("click", (event) => {
    const held = /** @type {Element} */ (event.target).closest(".hand [data-card]");
    const seat = held?.closest("[data-seat]")?.getAttribute("data-seat");
    if (held && seat) lines?.layOf(seat, held.getAttribute("data-card") ?? "");
  });
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") lines?.leave(); });
};

/** Line of the act of a moment; 0 before the first. @type {(replay: Replay, moment: number) => number} */
const lineAt = (replay, moment) => replay.steps[moment - 1]?.line ?? 0;

/** Moment at which the page opens: that of the line in the address, else the first card that was a breach, else the first card. @type {(replay: Replay) => number} */
const opening = (replay) => {
  const asked = askedLine();
  if (asked !== null) return momentOfLine(replay, asked);
  const cards = replay.steps.filter((step) => step.kind === "card");
  const broken = cards.find((step) => replay.verdictOf.get(step.line)?.verdict === "unlawful");
  const first = broken ?? cards[0];
  return first ? (replay.momentOf.get(first.line) ?? 0) : replay.last;
};

/** @type {() => number | null} */
const askedLine = () => {
  const found = new URLSearchParams(location.search).get("linea") ?? new URLSearchParams(location.hash.slice(1)).get("linea");
  return /^\d{1,6}$/.test(found ?? "") ? Number(found) : null;
};

/**
 * Puts this moment into the address, so that it can be shared. In a file only the fragment can be changed.
 * @type {(replay: Replay, moment: number) => void}
 */
const remember = (replay, moment) => {
  const line = lineAt(replay, moment);
  const address = new URL(location.href);
  if (location.protocol === "file:") address.hash = `linea=${line}`;
  else address.searchParams.set("linea", String(line));
  try {
    history.replaceState(null, "", address);
  } catch {
    // a browser may refuse this in a file; the replay works without it
  }
  document.dispatchEvent(new CustomEvent("moment", { detail: { line } }));
};

/** @type {(all: HTMLInputElement) => Element} */
const legend = (all) =>
  el(
    "p",
    { class: "legend" },
    ["seen", "deduced", "possible"].map((how) => el("span", { class: how }, t(how === "possible" ? "replay.possible_one" : `replay.${how}`))),
    el("label", null, all, " ", t("replay.show_all")),
  );

/** @type {(replay: Replay, toLine: (line: number) => void) => Element} */
const jumps = (replay, toLine) =>
  el(
    "div",
    { class: "jumps", role: "group", "aria-label": t("replay.deals_of") },
    replay.deals.map((deal) => el("button", { type: "button", onclick: () => toLine(deal.line) }, t("replay.deal", { n: deal.number }))),
  );

const stage = document.getElementById("replay");
const data = read("replay-data");
if (stage && data) start(ready(data), stage);
