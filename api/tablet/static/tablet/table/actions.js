// Actions of the table page. They run one after another: each starts from the state that the previous one left.
import { certainCard, dealsWithoutCount, impossible } from "../rules/index.js";
import { t } from "../../html/words.js";
import { isWaiting, runningDeal } from "./cells.js";
import { gameOf, lastOf, readingOf } from "./game.js";
import { consequences, otherCard } from "./replace.js";
import { keepTakers, usesTakers } from "./takers.js";
import { speakerOf } from "../wording.js";
/** @import { OpenTable, TableState } from "../outbox/table.js" */
/** @import { Act, ActOf, Change } from "../rules/acts.js" */
/** @import { Slip } from "../rules/queries/slips.js" */
/** @import { TableView } from "../rules/queries/view.js" */
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */
/** @import { Consequences } from "./replace.js" */
/**
 * @typedef {{game: Game, say: Say}} TableNow
 * @typedef {{number: number, line: number}} LineOfPartida
 * @typedef {{number: number, after: number, acts: Act[]}} PendingActs acts that are being stored, after so many entries
 *
 * @typedef {object} SheetShown an open sheet and its values
 * @property {string} name
 * @property {number} [number] of the partida
 * @property {number} [line]
 * @property {Change[]} [changes]
 * @property {Consequences} [follows] other effects of the changes
 * @property {ActOf<"card">} [act]
 * @property {string} [rule]
 *
 * @typedef {object} Ui state of the page
 * @property {string} chosen seat
 * @property {LineOfPartida | null} correcting the line that is being corrected
 * @property {SheetShown | null} sheet
 * @property {boolean} isReviewing whether the last trick is shown
 * @property {PendingActs | null} kept acts that are being stored
 * @property {boolean} isHalf whether tricks before arrastre are noted by their takers
 * @property {number[]} certain lines that were recorded by themselves
 * @property {string} news
 */

/**
 * The current reading of the table, and the words for its names and pack.
 * @type {(table: OpenTable, kept?: PendingActs | null) => TableNow}
 */
export const seen = (table, kept = null) => {
  const state = withKept(table.state(), kept);
  return { game: gameOf(state), say: speakerOf(state) };
};

/**
 * The state with the acts that are still being stored, so that a tap is shown at once.
 * @type {(state: TableState, kept: PendingActs | null) => TableState}
 */
const withKept = (state, kept) => {
  const partidas = state.partidas.map((one) => {
    if (one.number !== kept?.number) return one;
    const there = one.entries.length;
    const more = kept.acts.slice(Math.max(there - kept.after, 0));
    return { ...one, entries: [...one.entries, ...more.map((act, place) => ({ line: there + place + 1, act, queued: true }))] };
  });
  return kept ? { ...state, partidas } : state;
};

/**
 * The part of the state that the table page shows. What was sent is shown by the bar, and by the page only of an act that is pointed at.
 * @type {(state: TableState, isPointing: boolean) => string}
 */
const recordOf = ({ encuentro, names, partidas }, isPointing) =>
  JSON.stringify([encuentro.version, names, partidas.map(({ entries }) => entries.map(({ act, queued }) => (isPointing ? [act, queued] : act)))]);

/**
 * These acts with the cards that can only be the next ones, and the partida after all of them.
 * @type {(table: OpenTable, kept: PendingActs) => {kept: PendingActs, view: TableView}}
 */
const withCertain = (table, kept) => {
  const { view } = readingOf(gameOf(withKept(table.state(), kept)), kept.number);
  const act = kept.acts.at(-1)?.kind === "card" ? certainCard(view) : null;
  return act ? withCertain(table, { ...kept, acts: [...kept.acts, act] }) : { kept, view };
};

/** Sheet that opens after these acts: for an accusation, its verdict; where tricks were not counted, the totals. @type {(kept: PendingActs, view: TableView, isHalf: boolean) => SheetShown | null} */
const sheetAfter = ({ number, after, acts }, view, isHalf) => {
  if (acts.at(-1)?.kind === "denounce") return { name: "accused", number, line: after + acts.length };
  const isUncounted = isHalf ? dealsWithoutCount(view.state).length > 0 : view.between !== undefined;
  return view.phase === "counting" && isUncounted ? { name: "count" } : null;
};

/** @type {Pick<Ui, "chosen" | "correcting" | "sheet" | "isReviewing" | "certain">} */
const NOTHING = { chosen: "", correcting: null, sheet: null, isReviewing: false, certain: [] };

/**
 * Queue of actions. `changed` is called when the page has to be drawn again, `busy` when the first action starts and when the
 * last one ends.
 * @param {OpenTable} table @param {() => void} changed @param {(is: boolean) => void} busy
 */
const workOf = (table, changed, busy) => {
  /** @type {Ui} */
  let ui = { ...NOTHING, kept: null, isHalf: usesTakers(), news: "" };
  /** @type {Promise<unknown>} */
  let work = Promise.resolve();
  /** @type {Promise<unknown>} */
  let landed = Promise.resolve();
  let shown = "";
  /** @type {(more: Partial<Ui>) => void} */
  const show = (more) => {
    ui = { ...ui, ...more };
    changed();
  };
  /** Draws again if the record differs from what is shown. */
  const recordChanged = () => {
    const record = recordOf(table.state(), Boolean(ui.correcting || ui.sheet));
    if (record === shown || ui.kept) return;
    shown = record;
    changed();
  };
  /** @param {(now: TableNow) => unknown} job @returns {Promise<void>} */
  const next = (job) => {
    const mine = work.then(() => job(seen(table, ui.kept))).catch((error) => show({ news: error.message }));
    work = mine;
    busy(true);
    return mine.then(() => landed).then(() => busy(work !== mine));
  };
  /** @param {TableNow} now @param {Act[]} acts */
  const keep = async ({ game: { now }, say }, acts) => {
    const before = ui.kept ?? { number: now.number, after: now.log.length, acts: [] };
    const told = { ...before, acts: [...before.acts, ...acts] };
    const { kept, view } = withCertain(table, told);
    const more = kept.acts.slice(told.acts.length);
    const certain = more.map((_, place) => told.after + told.acts.length + place + 1);
    show({ ...NOTHING, kept, certain, sheet: sheetAfter(kept, view, ui.isHalf), news: [...acts, ...more].map(say.act).join(". ") });
    shown = recordOf(withKept(table.state(), kept), false);
    const recorded = table.record(now.number, [...acts, ...more]);
    landed = Promise.allSettled([landed, recorded]).then(() => {
      if (ui.kept !== kept) return;
      ui = { ...ui, kept: null };
      recordChanged();
    });
    recorded.catch((error) => show({ news: error.message }));
  };
  return { table, ui: () => ui, landed: () => landed, show, recordChanged, next, keep };
};
/** @typedef {ReturnType<typeof workOf>} Work */

/** @type {(work: Work, number: number, changes: Change[], because?: string) => Promise<void>} */
const mend = async ({ table, show, landed }, number, changes, because) => {
  show(NOTHING);
  await landed();
  await table.amend(number, changes, because);
  show({ news: t("tablet.table.corrected") });
};

/**
 * Corrects at once if the correction has no other effects, else asks first; for the reason too, once the result was reported.
 * @type {(work: Work, now: TableNow, number: number, changes: Change[]) => Promise<void> | void}
 */
const mendOrAsk = (work, { game, say }, number, changes) => {
  const reading = readingOf(game, number);
  const follows = consequences(reading, game.options, changes, say);
  const isAlone = Object.values(follows).every((told) => !told.length);
  if (isAlone && reading === game.now && !game.isReported) return mend(work, number, changes);
  return work.show({ sheet: { name: "confirm", number, changes, follows } });
};

/** Takes back the act that the button named; what ended a partida only after a look at what follows. @type {(work: Work, now: TableNow, line: number) => Promise<void>} */
const takeBack = async (work, now, line) => {
  const last = lastOf(now.game);
  if (!last?.mayUndo || last.acts[0].line !== line) return;
  const { reading, acts, isEarlier } = last;
  await work.landed();
  if (isEarlier || reading.view.decided) {
    await mendOrAsk(work, now, reading.number, acts.map(({ line }) => ({ line, how: "withdraw" })));
    return;
  }
  for (const one of acts) await work.table.amend(reading.number, [{ line: one.line, how: "withdraw" }]);
  work.show({ ...NOTHING, news: t("tablet.table.undone", { act: acts.map(({ act }) => now.say.act(act)).join(". ") }) });
};

/** Records the pinta, and before it the deal if that is missing. @type {(work: Work, now: TableNow, card: string) => Promise<void> | void} */
const turned = (work, now, card) => {
  const { view } = now.game.now;
  const deal = runningDeal(view);
  const dealer = deal?.dealer || work.ui().chosen || view.dealer_due;
  if (!dealer) return work.show({ news: t("tablet.table.who_deals") });
  /** @type {Act[]} */
  const before = deal ? [] : [{ kind: "deal", dealer }];
  return work.keep(now, [...before, { kind: "pinta", card }]);
};

/** @type {(work: Work, now: TableNow, card: string) => Promise<void> | void} */
const laid = (work, now, card) => {
  const { view } = now.game.now;
  const seat = work.ui().chosen || (runningDeal(view)?.turn ?? "");
  /** @type {ActOf<"card">} */
  const act = { kind: "card", seat, card };
  const rule = seat ? impossible(view, act) : "deal-played-out";
  return rule ? work.show({ sheet: { name: "seen", act, rule } }) : work.keep(now, [act]);
};

/** Effect of a tapped card: it replaces the one that is being corrected, is the pinta, or is played. */
const tapped = (/** @type {Work} */ work, /** @type {TableNow} */ now, /** @type {string} */ card) => {
  const { correcting } = work.ui();
  if (!correcting) return (isWaiting(now.game.now.view) ? turned : laid)(work, now, card);
  const { number, line } = correcting;
  return mendOrAsk(work, now, number, otherCard(readingOf(now.game, number).entries, line, card));
};

/** Corrects a slip, then records the act that it prevented. @type {(work: Work, now: TableNow, slip: Slip) => Promise<void>} */
const mendSlip = async (work, now, { changes, act }) => {
  if (changes.length) await mend(work, now.game.now.number, changes);
  if (act) await work.keep(now, [act]);
};

/** Starts the next partida, and opens its first sheet. @type {(work: Work, now: TableNow, sheet: string) => Promise<void>} */
const begun = async ({ table, show, landed }, { game }, sheet) => {
  await landed();
  await table.start(game.score.dealer_due);
  if (sheet) show({ sheet: { name: sheet } });
};

/**
 * Actions of a table; `ui` is the state of the page.
 * @param {OpenTable} table @param {() => void} changed @param {(is: boolean) => void} busy
 */
export const actionsOf = (table, changed, busy) => {
  const work = workOf(table, changed, busy);
  const { ui, recordChanged, next, show, keep } = work;
  return {
    ui,
    recordChanged,
    onCard: (/** @type {string} */ card) => next((now) => tapped(work, now, card)),
    onSeat: (/** @type {string} */ seat) => next(() => show({ chosen: ui().chosen === seat ? "" : seat })),
    pick: (/** @type {number} */ number, /** @type {number} */ line) => next(() => {
      const isSame = ui().correcting?.line === line && ui().correcting?.number === number;
      show({ ...NOTHING, correcting: isSame ? null : { number, line } });
    }),
    leave: () => next(() => show(NOTHING)),
    halve: (/** @type {boolean} */ isHalf) => next(() => {
      keepTakers(isHalf);
      show({ ...NOTHING, isHalf });
    }),
    review: (/** @type {boolean} */ isReviewing) => next(() => show({ isReviewing })),
    open: (/** @type {string} */ name, /** @type {Partial<SheetShown>} */ more = {}) => next(() => show({ sheet: { name, ...more } })),
    close: () => next(() => show({ sheet: null })),
    record: (/** @type {Act[]} */ ...acts) => next((now) => keep(now, acts)),
    amend: (/** @type {number} */ number, /** @type {Change[]} */ changes, because = "") => next(() => mend(work, number, changes, because)),
    propose: (/** @type {number} */ number, /** @type {Change[]} */ changes) => next((now) => mendOrAsk(work, now, number, changes)),
    repair: (/** @type {Slip} */ slip) => next((now) => mendSlip(work, now, slip)),
    undo: (/** @type {number} */ line) => next((now) => takeBack(work, now, line)),
    begin: (sheet = "") => next((now) => begun(work, now, sheet)),
  };
};
/** @typedef {ReturnType<typeof actionsOf>} Actions */
