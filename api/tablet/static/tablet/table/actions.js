// What taps do at a table, one after another: each begins with what the one before it left.
import { impossible } from "../rules/index.js";
import { t } from "../../html/words.js";
import { isWaiting, runningDeal } from "./cells.js";
import { gameOf, lastOf, readingOf } from "./game.js";
import { consequences, otherCard } from "./replace.js";
import { speakerOf } from "../wording.js";
/** @import { OpenTable, TableState } from "../outbox/table.js" */
/** @import { Act, ActOf, Change } from "../rules/acts.js" */
/** @import { Slip } from "../rules/slips.js" */
/** @import { TableView } from "../rules/view.js" */
/** @import { Game } from "./game.js" */
/** @import { Say } from "../wording.js" */
/**
 * @typedef {{game: Game, say: Say}} TableNow
 * @typedef {{number: number, line: number}} LineOfPartida
 * @typedef {{number: number, after: number, acts: Act[]}} PendingActs acts on their way to the disk, after so many entries
 *
 * @typedef {object} SheetShown an open sheet, and what it needs
 * @property {string} name
 * @property {number} [number] of the partida
 * @property {number} [line]
 * @property {Change[]} [changes]
 * @property {string[]} [follows] what changes with them
 * @property {ActOf<"card">} [act]
 * @property {string} [rule]
 *
 * @typedef {object} Ui what is chosen on the page
 * @property {string} chosen seat
 * @property {LineOfPartida | null} correcting the line that is put right
 * @property {SheetShown | null} sheet
 * @property {boolean} isReviewing whether the last trick is looked at
 * @property {PendingActs | null} kept what is being kept
 * @property {string} news
 */

/**
 * The table as it is now: what the record says, and who speaks of it how.
 * @type {(table: OpenTable, kept?: PendingActs | null) => TableNow}
 */
export const seen = (table, kept = null) => {
  const state = withKept(table.state(), kept);
  return { game: gameOf(state), say: speakerOf(state) };
};

/**
 * The state with acts that are on their way to the disk, so that a tap is seen before it is there.
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

/** What of the state a table shows: how far it was sent is recordChanged elsewhere. @type {(state: TableState) => string} */
const recordOf = ({ encuentro, names, partidas }) =>
  JSON.stringify([encuentro.version, names, partidas.map(({ entries }) => entries.map(({ act }) => act))]);

/** What is looked at next: an accusation at once with what it comes to. @type {(kept: PendingActs) => SheetShown | null} */
const sheetAfter = ({ number, after, acts }) =>
  acts.at(-1)?.kind === "denounce" ? { name: "accused", number, line: after + acts.length } : null;

const NOTHING = { chosen: "", correcting: null, sheet: null, isReviewing: false };

/**
 * What is done, one thing after another. `changed` is called whenever what the page shows is another, `busy` when something
 * begins to be done and when all is.
 * @param {OpenTable} table @param {() => void} changed @param {(is: boolean) => void} busy
 */
const workOf = (table, changed, busy) => {
  /** @type {Ui} */
  let ui = { ...NOTHING, kept: null, news: "" };
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
  /** The record is another, and not what is shown already. */
  const recordChanged = () => {
    const record = recordOf(table.state());
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
    const kept = { ...before, acts: [...before.acts, ...acts] };
    show({ ...NOTHING, kept, sheet: sheetAfter(kept), news: acts.map(say.act).join(". ") });
    shown = recordOf(withKept(table.state(), kept));
    const recorded = table.record(now.number, acts);
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

/** @type {(work: Work, number: number, changes: Change[]) => Promise<void>} */
const mend = async ({ table, show, landed }, number, changes) => {
  show(NOTHING);
  await landed();
  await table.amend(number, changes);
  show({ news: t("tablet.table.corrected") });
};

/**
 * Corrects at once if nothing else follows, else asks first.
 * @type {(work: Work, now: TableNow, number: number, changes: Change[]) => Promise<void> | void}
 */
const mendOrAsk = (work, { game, say }, number, changes) => {
  const reading = readingOf(game, number);
  const follows = consequences(reading, game.options, changes, say);
  if (!follows.length && reading === game.now) return mend(work, number, changes);
  return work.show({ sheet: { name: "confirm", number, changes, follows } });
};

/** @type {(work: Work, now: TableNow) => Promise<void>} */
const takeBack = async (work, now) => {
  const last = lastOf(now.game);
  if (!last) return;
  const { reading, acts, isEarlier } = last;
  await work.landed();
  if (isEarlier) {
    await mendOrAsk(work, now, reading.number, acts.map(({ line }) => ({ line, how: "withdraw" })));
    return;
  }
  for (const _ of acts) await work.table.undo(reading.number);
  work.show({ ...NOTHING, news: t("tablet.table.undone", { act: acts.map(({ act }) => now.say.act(act)).join(". ") }) });
};

/** The pinta, with the deal if nobody noted that. @type {(work: Work, now: TableNow, card: string) => Promise<void> | void} */
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

/** A card that was tapped: it takes the place of the one that is put right, is the pinta, or is laid. */
const tapped = (/** @type {Work} */ work, /** @type {TableNow} */ now, /** @type {string} */ card) => {
  const { correcting } = work.ui();
  if (!correcting) return (isWaiting(now.game.now.view) ? turned : laid)(work, now, card);
  const { number, line } = correcting;
  return mendOrAsk(work, now, number, otherCard(readingOf(now.game, number).entries, line, card));
};

/** A slip put right, and what was to be noted after it. @type {(work: Work, now: TableNow, slip: Slip) => Promise<void>} */
const mendSlip = async (work, now, { changes, act }) => {
  if (changes.length) await mend(work, now.game.now.number, changes);
  if (act) await work.keep(now, [act]);
};

/** The next partida; and at once what is to be noted of it. @type {(work: Work, now: TableNow, sheet: string) => Promise<void>} */
const begun = async ({ table, show, landed }, { game }, sheet) => {
  await landed();
  await table.start(game.score.dealer_due);
  if (sheet) show({ sheet: { name: sheet } });
};

/**
 * What can be done at a table; `ui` is what is chosen on the page.
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
    review: (/** @type {boolean} */ isReviewing) => next(() => show({ isReviewing })),
    open: (/** @type {string} */ name, /** @type {Partial<SheetShown>} */ more = {}) => next(() => show({ sheet: { name, ...more } })),
    close: () => next(() => show({ sheet: null })),
    record: (/** @type {Act[]} */ ...acts) => next((now) => keep(now, acts)),
    amend: (/** @type {number} */ number, /** @type {Change[]} */ changes) => next(() => mend(work, number, changes)),
    propose: (/** @type {number} */ number, /** @type {Change[]} */ changes) => next((now) => mendOrAsk(work, now, number, changes)),
    repair: (/** @type {Slip} */ slip) => next((now) => mendSlip(work, now, slip)),
    undo: () => next((now) => takeBack(work, now)),
    begin: (sheet = "") => next((now) => begun(work, now, sheet)),
  };
};
/** @typedef {ReturnType<typeof actionsOf>} Actions */
