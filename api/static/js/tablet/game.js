// What the record kept on this tablet says: every partida read by the rules in the browser, and what they add up to.
import { SEATS, evolve, read, score, standing, start } from "../rules/index.js";
import { latestLine } from "../outbox/commands.js";

/** The last reading of each partida, by encuentro and number: a tap reads only what is new. */
const known = new Map();

const reading = ({ number, entries: log }, options, { key, due }) => {
  const setting = { options, dealer_due: due };
  const entries = standing(log);
  const before = known.get(key);
  const isSame = before && before.setting.options === options && before.setting.dealer_due === due;
  const done = isSame ? commonStart(before.entries, entries) : 0;
  const isOn = done > 0 && done === before.entries.length;
  let view = isOn ? before.view : start(setting);
  for (const entry of entries.slice(isOn ? done : 0)) view = evolve(view, entry);
  const found = { number, log, entries, setting, view };
  known.set(key, found);
  return found;
};

/** How many entries two readings begin with alike. */
const commonStart = (before, now) => {
  const differs = before.findIndex((entry, place) => entry.line !== now[place]?.line || !isSameAct(entry.act, now[place].act));
  return differs < 0 ? before.length : differs;
};

const isSameAct = (one, other) => one === other || JSON.stringify(one) === JSON.stringify(other);

/**
 * Everything the table page shows, from the state of the outbox.
 * @returns {{options: any, seats: string[], partidas: any[], now: any, score: any}} `now` is the latest partida
 */
export const gameOf = ({ encuentro, options, partidas }) => {
  const drawn = drawnDealer(encuentro);
  const read = partidas.map((partida) => {
    const due = partida.dealer_due || (partida.number === 1 ? drawn : "");
    return reading(partida, options, { key: `${encuentro.id} ${partida.number}`, due });
  });
  const tables = Object.fromEntries(read.map(({ number, view }) => [number, view]));
  return {
    options,
    seats: SEATS[options.players],
    partidas: read,
    now: runningOf(read),
    score: score(encuentro, tables),
  };
};

/** Seat that a draw made the first dealer, or "". */
const drawnDealer = ({ draws = [], seats }) => {
  const dealer = draws.map((draw) => draw.outcome.dealer).filter(Boolean).pop();
  return Object.keys(seats).find((seat) => seat === dealer || seats[seat] === dealer) ?? "";
};

/** The partida to go on with: the latest, or one before it that is open again while nothing was noted after it. */
const runningOf = (read) => {
  const last = read.length - 1;
  const open = read.findIndex(({ view }) => !view.decided);
  const isOpenAgain = open >= 0 && read.slice(open + 1).every(({ entries }) => !entries.length);
  return read[isOpenAgain ? open : last] ?? null;
};

/** The same partida with corrections made, to see what they change. */
export const corrected = (reading, changes) => {
  const line = 1 + Math.max(0, ...reading.log.map((entry) => entry.line));
  const entries = standing([...reading.log, { line, act: { kind: "amend", changes } }]);
  return { ...reading, entries, view: read(entries, reading.setting) };
};

/** What a partida said before an act. */
export const viewBefore = ({ entries, setting }, line) => {
  const at = entries.findIndex((entry) => entry.line === line);
  return read(at < 0 ? entries : entries.slice(0, at), setting);
};

/**
 * What one tap on undo takes back: of the running partida, or of the one before while nothing is noted in it. A pinta goes
 * with the deal that was noted with it, the last first; a deal with its cut was noted for itself.
 */
export const lastOf = ({ partidas, now }) => {
  const from = partidas.indexOf(now);
  const reading = partidas.slice(0, from + 1).reverse().find((one) => latestLine(one.log) !== null);
  return reading ? { reading, acts: lastActs(reading), isEarlier: reading !== now } : null;
};

/** A deal of which nobody noted more than who deals: a tap on the pinta notes it. */
const isBare = (act) => act?.kind === "deal" && act.cut === undefined && !act.removed;

const lastActs = ({ log, entries }) => {
  const line = latestLine(log);
  const last = log.find((entry) => entry.line === line);
  if (!last) return [];
  const deal = entries[entries.length - 2];
  return last.act.kind === "pinta" && isBare(deal?.act) ? [last, deal] : [last];
};
