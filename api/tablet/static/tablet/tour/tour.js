// The tour of the table: the page of a table, with a strip that says what to tap. Only what is marked answers to a tap.
import { html, useEffect, useRef, useState } from "../vendor/ui.js";
import { t } from "../../html/words.js";
import { View as TableView } from "../table/table.js";
import { PRACTICE, practice } from "./practice.js";
import { STEPS } from "./steps.js";
/** @import { TableState } from "../outbox/table.js" */
/** @import { Step } from "./steps.js" */

/**
 * @typedef {object} Guide what the strip shows, and its buttons
 * @property {number} at number of steps that are done
 * @property {boolean} isLost whether the last tap was elsewhere
 * @property {() => void} skip the tour taps by itself
 * @property {() => void} again from the beginning
 */

const MARK = "data-tour";
const PACE_MS = 220;
/** Parts of the page that answer at any time: the strip, and what closes a sheet. */
const FREE = ".tour, .sheet header, .skip";

const main = () => /** @type {HTMLElement} */ (document.getElementById("main"));
const isStill = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
const pause = () => new Promise((go) => setTimeout(go, isStill() ? 0 : PACE_MS));

/** What is to be tapped now: the last of its selectors that is on the page. @type {(step: Step | undefined) => HTMLElement | null} */
const wanted = (step) => {
  const found = (step?.taps ?? []).map((tap) => /** @type {HTMLElement | null} */ (main().querySelector(tap)));
  return found.filter(Boolean).at(-1) ?? null;
};

/** Resolves when the record has so many entries. @type {(entries: number) => Promise<void>} */
const recorded = (entries) =>
  new Promise((done) => {
    const look = (/** @type {TableState} */ state) => {
      if (state.partidas[0].entries.length < entries) return;
      stop();
      done();
    };
    const stop = practice().table.subscribe(look);
    look(practice().table.state());
  });

/** Goes on after the last tap of a step: its entries, then those that the tour records. @type {(step: Step, next: Step | undefined, isOver: () => boolean) => Promise<void>} */
const playOn = async (step, next, isOver) => {
  const { table, disconnect } = practice();
  await recorded(table.state().partidas[0].entries.length + step.adds);
  if (step.isCut && !next?.isCut) disconnect(false);
  for (const act of step.then) {
    await pause();
    if (isOver()) return;
    await table.record(1, [act]);
  }
  if (next?.isCut && !step.isCut && !isOver()) disconnect(true);
};

/** Marks what is to be tapped, whenever the page was drawn. @type {(step: Step | undefined, onMark: (marked: HTMLElement) => void) => void} */
const useMark = (step, onMark) =>
  useEffect(() => {
    const clear = () => main().querySelectorAll(`[${MARK}]`).forEach((one) => one.removeAttribute(MARK));
    const look = () => {
      const found = wanted(step);
      if (!found || found.hasAttribute(MARK)) return;
      clear();
      found.setAttribute(MARK, "");
      found.scrollIntoView({ block: "nearest" });
      onMark(found);
    };
    look();
    const drawn = new MutationObserver(look);
    drawn.observe(main(), { childList: true, subtree: true });
    return () => {
      drawn.disconnect();
      clear();
    };
  }, [step]);

/** Steps of the tour, and the taps that lead from one to the next. @type {(again: () => void) => Guide} */
const useGuide = (again) => {
  const [at, go] = useState(0);
  const [isPlaying, play] = useState(false);
  const [isLost, lose] = useState(false);
  const isSkipping = useRef(false);
  const isOver = useRef(false);
  const step = isPlaying ? undefined : STEPS[at];
  useMark(step, (marked) => isSkipping.current && setTimeout(() => marked.click()));
  useEffect(() => () => void (isOver.current = true), []);
  useEffect(() => {
    const passed = async (/** @type {Step} */ done) => {
      play(true);
      isSkipping.current = false;
      await playOn(done, STEPS[at + 1], () => isOver.current);
      if (isOver.current) return;
      go(at + 1);
      play(false);
    };
    const guard = (/** @type {Event} */ event) => {
      const target = /** @type {Element} */ (event.target);
      const marked = wanted(step);
      const isRight = marked?.contains(target);
      if (!isRight && (target.closest(FREE) || target.matches("dialog"))) return;
      if (!isRight) event.stopPropagation();
      if (event.type !== "click") return;
      lose(!isRight && step !== undefined);
      if (isRight && step && marked?.matches(/** @type {string} */ (step.taps.at(-1)))) passed(step);
    };
    const kinds = ["click", "pointerdown"];
    kinds.forEach((kind) => main().addEventListener(kind, guard, true));
    return () => kinds.forEach((kind) => main().removeEventListener(kind, guard, true));
  }, [step]);
  const skip = () => {
    isSkipping.current = true;
    wanted(step)?.click();
  };
  return { at, isLost, skip, again };
};

/** The strip. @param {Guide & {isSaid?: boolean}} props `isSaid`: screen readers announce it */
const Strip = ({ at, isLost, skip, again, isSaid = false }) => {
  const names = practice().table.state().names;
  const words = Object.fromEntries(["swap", "cante", "undo"].map((one) => [one, t(`tablet.table.${one}`)]));
  const facts = { ...names, ...words };
  const said = (/** @type {string} */ key) => t(`tablet.tour.${key}`, facts);
  const isEnd = at === STEPS.length;
  return html`
    <div class="tour">
      <div ...${isSaid && { role: "status" }}>
        <p class="done">${isLost ? said("elsewhere") : at ? t(`tablet.tour.done.${STEPS[at - 1].name}`, facts) : said("begin")}</p>
        <p class="step">${isEnd ? said("end") : t(`tablet.tour.step.${STEPS[at].name}`, facts)}</p>
      </div>
      <p class="ways">
        <span class="at">${t("tablet.tour.at", { n: Math.min(at + 1, STEPS.length), of: STEPS.length })}</span>
        ${isEnd ? html`<button type="button" class="plain" onClick=${again}>${said("again")}</button>`
          : html`<button type="button" class="plain" onClick=${skip}>${said("skip")}</button>`}
        <a class=${`button${isEnd ? "" : " plain"}`} href="#/">${said("leave")}</a>
      </p>
    </div>`;
};

/** @param {{again: () => void}} props */
const Tour = ({ again }) => {
  const guide = useGuide(again);
  useEffect(() => {
    document.body.classList.add("touring");
    return () => document.body.classList.remove("touring");
  }, []);
  return html`
    <${Strip} ...${guide} isSaid=${true} />
    <${TableView} id=${PRACTICE} guide=${html`<${Strip} ...${guide} />`} />`;
};

/** The view of the address `#/prueba`. */
export const View = () => {
  const [run, begin] = useState(0);
  useEffect(() => () => practice().clear(), []);
  const again = () => {
    practice().clear();
    begin(run + 1);
  };
  return html`<${Tour} key=${run} again=${again} />`;
};
