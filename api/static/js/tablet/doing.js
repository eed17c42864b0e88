// What taps do at a table, one after another: each begins with what the one before it left.
import { impossible } from "../rules/index.js";
import { t } from "../words.js";
import { isWaiting, runningDeal } from "./cells.js";
import { gameOf, lastOf } from "./game.js";
import { consequences, otherCard } from "./replace.js";
import { speakerOf } from "./said.js";

/** The table as it is now: what the record says, and who speaks of it how. */
export const seen = (table, kept = null) => {
  const state = withKept(table.state(), kept);
  return { game: gameOf(state), say: speakerOf(state) };
};

/** The state with acts that are on their way to the disk, so that a tap is seen before it is there. */
const withKept = (state, kept) => {
  const partidas = state.partidas.map((one) => {
    if (one.number !== kept?.number) return one;
    const there = one.entries.length;
    const more = kept.acts.slice(Math.max(there - kept.after, 0));
    return { ...one, entries: [...one.entries, ...more.map((act, place) => ({ line: there + place + 1, act, queued: true }))] };
  });
  return kept ? { ...state, partidas } : state;
};

/** What of the state a table shows: how far it was sent is told elsewhere. */
const recordOf = ({ encuentro, names, partidas }) =>
  JSON.stringify([encuentro.version, names, partidas.map(({ entries }) => entries.map(({ act }) => act))]);

/** What is looked at next: an accusation at once with what it comes to. */
const sheetAfter = ({ number, after, acts }) =>
  acts.at(-1).kind === "denounce" ? { name: "accused", number, line: after + acts.length } : null;

const NOTHING = { chosen: "", correcting: null, sheet: null, isReviewing: false };

/**
 * `ui` is what is chosen on the page: a seat, the line that is put right, an open sheet, the last trick looked at; what is
 * being kept, and the news.
 * `changed` is called whenever it is another, `busy` when something begins to be done and when all is.
 */
export const doings = (table, changed, busy) => {
  let ui = { ...NOTHING, kept: null, news: "" };
  let work = Promise.resolve();
  let landed = Promise.resolve();
  let shown = "";
  const show = (more) => {
    ui = { ...ui, ...more };
    changed();
  };
  /** The record is another, and not what is shown already. */
  const told = () => {
    const record = recordOf(table.state());
    if (record === shown || ui.kept) return;
    shown = record;
    changed();
  };
  const next = (job) => {
    const mine = work.then(() => job(seen(table, ui.kept))).catch((error) => show({ news: error.message }));
    work = mine;
    busy(true);
    return mine.then(() => landed).then(() => busy(work !== mine));
  };

  const keep = async ({ game: { now }, say }, acts) => {
    const before = ui.kept ?? { number: now.number, after: now.log.length, acts: [] };
    const kept = { ...before, acts: [...before.acts, ...acts] };
    show({ ...NOTHING, kept, sheet: sheetAfter(kept), news: acts.map(say.act).join(". ") });
    shown = recordOf(withKept(table.state(), kept));
    const recorded = table.record(now.number, acts);
    landed = Promise.allSettled([landed, recorded]).then(() => {
      if (ui.kept !== kept) return;
      ui = { ...ui, kept: null };
      told();
    });
    recorded.catch((error) => show({ news: error.message }));
  };
  const mend = async (number, changes) => {
    show(NOTHING);
    await landed;
    await table.amend(number, changes);
    show({ news: t("tablet.table.corrected") });
  };
  /** Corrects at once if nothing else follows, else asks first. */
  const mendOrAsk = ({ game, say }, number, changes) => {
    const reading = game.partidas.find((one) => one.number === number);
    const follows = consequences(reading, game.options, changes, say);
    if (!follows.length && reading === game.now) return mend(number, changes);
    return show({ sheet: { name: "confirm", number, changes, follows } });
  };
  const takeBack = async (now) => {
    const last = lastOf(now.game);
    if (!last) return;
    const { reading, acts, isEarlier } = last;
    await landed;
    if (isEarlier) return mendOrAsk(now, reading.number, acts.map(({ line }) => ({ line, how: "withdraw" })));
    for (const _ of acts) await table.undo(reading.number);
    show({ ...NOTHING, news: t("tablet.table.undone", { act: acts.map(({ act }) => now.say.act(act)).join(". ") }) });
  };
  const turned = (now, view, card) => {
    const deal = runningDeal(view);
    const dealer = deal?.dealer || ui.chosen || view.dealer_due;
    if (!dealer) return show({ news: t("tablet.table.who_deals") });
    return keep(now, [...(deal ? [] : [{ kind: "deal", dealer }]), { kind: "pinta", card }]);
  };
  const laid = (now, view, card) => {
    const seat = ui.chosen || runningDeal(view).turn;
    const act = { kind: "card", seat, card };
    const rule = seat ? impossible(view, act) : "deal-played-out";
    return rule ? show({ sheet: { name: "seen", act, rule } }) : keep(now, [act]);
  };
  /** A slip put right, and what was to be noted after it. */
  const mendSlip = async (now, { changes, act }) => {
    if (changes.length) await mend(now.game.now.number, changes);
    if (act) await keep(now, [act]);
  };
  const putRight = (now, { number, line }, card) => {
    const { entries } = now.game.partidas.find((one) => one.number === number);
    return mendOrAsk(now, number, otherCard(entries, line, card));
  };

  return {
    ui: () => ui,
    told,
    onCard: (card) => next((now) => {
      const { view } = now.game.now;
      if (ui.correcting) return putRight(now, ui.correcting, card);
      return (isWaiting(view) ? turned : laid)(now, view, card);
    }),
    onSeat: (seat) => next(() => show({ chosen: ui.chosen === seat ? "" : seat })),
    pick: (number, line) => next(() => {
      const isSame = ui.correcting?.line === line && ui.correcting.number === number;
      show({ ...NOTHING, correcting: isSame ? null : { number, line } });
    }),
    leave: () => next(() => show(NOTHING)),
    review: (isReviewing) => next(() => show({ isReviewing })),
    open: (name, more = {}) => next(() => show({ sheet: { name, ...more } })),
    close: () => next(() => show({ sheet: null })),
    record: (...acts) => next((now) => keep(now, acts)),
    amend: (number, changes) => next(() => mend(number, changes)),
    propose: (number, changes) => next((now) => mendOrAsk(now, number, changes)),
    repair: (slip) => next((now) => mendSlip(now, slip)),
    undo: () => next(takeBack),
    /** The next partida; and at once what is to be noted of it. */
    begin: (sheet = "") => next(async ({ game }) => {
      await landed;
      await table.start(game.score.dealer_due);
      if (sheet) show({ sheet: { name: sheet } });
    }),
  };
};
