// The list of acts: each is a button to its moment, with a mark if there are details.
import { t } from "../html/words.js";
import { MARKS } from "./details.js";
import { el } from "./dom.js";
import { besides, verdictAt } from "./data.js";
/** @import { Child } from "./dom.js" */
/** @import { Replay, ReplayStep } from "./data.js" */

/**
 * The list, and the function that marks the current moment in it.
 * @type {(replay: Replay, pick: (moment: number) => void) => {list: HTMLElement, follow: (moment: number) => void}}
 */
export const actList = (replay, pick) => {
  const buttons = replay.steps.map((step, index) => row(replay, step, index + 1, pick));
  const heads = new Map(replay.deals.map((deal) => [deal.line, deal]));
  const items = replay.steps.flatMap((step, index) => {
    const deal = heads.get(step.line);
    const head = deal ? el("li", { class: "head" }, t("replay.deal", { n: deal.number }), deal.counts ? "" : ` (${t("replay.annulled")})`) : null;
    const item = el("li", null, buttons[index]);
    return head ? [head, item] : [item];
  });
  const list = el("div", { class: "scroller" }, el("ol", { class: "acts", "aria-label": t("replay.acts") }, items));
  return { list, follow: (moment) => follow(replay, buttons, moment) };
};

/** @type {(replay: Replay, step: ReplayStep, moment: number, pick: (moment: number) => void) => HTMLButtonElement} */
const row = (replay, step, moment, pick) =>
  el(
    "button",
    { type: "button", "data-line": step.line, onclick: () => pick(moment) },
    el("small", { class: "line fine", "aria-hidden": "true" }, String(step.line)),
    el("span", { class: "text" }, step.text),
    el("span", { class: "marks" }, marks(replay, step)),
  );

/** @type {(replay: Replay, step: ReplayStep) => Child[]} */
const marks = (replay, step) => {
  const verdict = verdictAt(replay, step.line, replay.last);
  const found = besides(replay, step.line);
  return [
    MARKS[verdict] ? mark(MARKS[verdict], t(`replay.${verdict}`), verdict) : null,
    found.findings.length ? mark("!", t("replay.noticed"), "noticed") : null,
    found.compared ? mark("≠", t("replay.differs"), "differs") : null,
    found.amendments.length ? mark("✎", t("replay.was_corrected"), "corrected") : null,
    found.rulings.length || found.cases.length || step.kind === "ruling" ? mark("§", t("replay.was_ruled"), "ruled") : null,
  ];
};

/** @type {(sign: string, words: string, kind: string) => HTMLElement} */
const mark = (sign, words, kind) =>
  el("span", { class: `mark ${kind}`, title: words }, el("span", { "aria-hidden": "true" }, sign), el("span", { class: "hidden" }, words));

/** @type {(replay: Replay, buttons: HTMLButtonElement[], moment: number) => void} */
const follow = (replay, buttons, moment) => {
  const now = buttons[moment - 1];
  const box = buttons[0]?.closest(".scroller");
  box?.querySelector("[aria-current]")?.removeAttribute("aria-current");
  now?.setAttribute("aria-current", "step");
  // once everything else of the step is written, so that the page is laid out once
  if (box && now) requestAnimationFrame(() => { box.scrollTop = now.offsetTop - box.clientHeight / 2; });
};
