// The replay page: shows the data of the page, moment by moment.
import { t } from "../html/words.js";
import { actList } from "./acts.js";
import { detailsOf } from "./details.js";
import { controls, swipes } from "./controls.js";
import { el, leavesOf } from "./dom.js";
import { feltAt } from "./felt.js";
import { momentOfLine, ready } from "./data.js";
import { scoreDrawing, scoreTable } from "./score.js";
import { studyOf } from "./study.js";
/** @import { Replay, ReplayData } from "./data.js" */

/** @type {(id: string) => ReplayData | null} */
const read = (id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** @type {(replay: Replay, stage: HTMLElement) => void} */
const start = (replay, stage) => {
  let moment = 0;
  let showsAll = false;
  const felt = el("div", { class: `felt players-${replay.players}` });
  const beside = el("div", { class: "beside", "aria-live": "polite" });
  const show = () => {
    felt.replaceChildren(...feltAt(replay, moment, showsAll));
    describe();
    followers.forEach((follow) => follow(moment));
  };
  const describe = () => beside.replaceChildren(...leavesOf([detailsOf(replay, moment), study.said(lineAt(replay, moment))]));
  const to = (/** @type {number} */ asked) => {
    moment = Math.min(Math.max(asked, 0), replay.last);
    show();
    remember(replay, moment);
  };
  const toLine = (/** @type {number} */ line) => to(momentOfLine(replay, line));
  const bar = controls(replay, () => moment, to);
  const score = scoreDrawing(replay, to);
  const acts = actList(replay, to);
  const study = studyOf(replay, acts.list, to, (line) => { if (line === lineAt(replay, moment)) describe(); });
  const followers = [bar.follow, score.move, acts.follow, study.follow];
  const all = el("input", { type: "checkbox", onchange: () => { showsAll = all.checked; show(); } });
  stage.replaceChildren(
    el("div", { class: "theatre" }, ...leavesOf([felt, bar.bar, legend(all), study.section])),
    el("div", { class: "aside" }, jumps(replay, toLine), acts.list, beside),
    el("div", { class: "scores" }, el("h2", null, t("replay.score")), score.drawing, scoreTable(replay)),
  );
  swipes(felt, () => moment, to);
  document.addEventListener("click", (event) => {
    const link = /** @type {Element} */ (event.target).closest("a[data-line]");
    if (!link) return;
    event.preventDefault();
    toLine(Number(link.getAttribute("data-line")));
    felt.scrollIntoView({ block: "nearest" });
  });
  const asked = askedLine();
  moment = asked === null ? opening(replay) : momentOfLine(replay, asked);
  show();
};

/** Line of the act of a moment; 0 before the first. @type {(replay: Replay, moment: number) => number} */
const lineAt = (replay, moment) => replay.steps[moment - 1]?.line ?? 0;

/** Moment at which the page opens without a line in the address: the first card that was a breach, else the first card. @type {(replay: Replay) => number} */
const opening = (replay) => {
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
