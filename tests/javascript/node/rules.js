/** The rules in the browser against what the service said: each function answers with the differences it found. */
import * as rules from "/static/tablet/rules/index.js";

const TABLE = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

const crc32 = (text) => {
  let crc = 0xffffffff;
  for (let at = 0; at < text.length; at += 1) crc = TABLE[(crc ^ text.charCodeAt(at)) & 255] ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
};

const ordered = (key, value) =>
  value && typeof value === "object" && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const shown = ({ state, ...view }) => JSON.stringify(view, ordered);

export const duties = (tables) =>
  tables.flatMap(({ options, positions }) =>
    positions.filter(({ trump, hand, trick, ...said }) => {
      const found = rules.duty(options, trump, hand, trick);
      return JSON.stringify(found, ordered) !== JSON.stringify(said, ordered);
    }),
  );

/** Tables after each line of a log: carried on act by act, and read anew after a correction. */
export function* tablesOf({ setting, log }) {
  let table = rules.start(setting);
  for (const [place, recorded] of log.entries()) {
    const isCorrection = recorded.act.kind === "amend";
    table = isCorrection ? rules.read(rules.standing(log.slice(0, place + 1)), setting) : rules.evolve(table, recorded);
    yield [recorded.line, table];
  }
}

/** The first line of each history after which the view is another. */
export const histories = (given) =>
  given.flatMap((history, place) => {
    for (const [line, table] of tablesOf(history)) {
      const text = shown(table);
      if (crc32(text) !== history.lines[line - 1].digest) return [{ place, line, view: JSON.parse(text) }];
    }
    const anew = rules.read(rules.standing(history.log), history.setting);
    const carried = [...tablesOf(history)].pop();
    return carried && shown(anew) !== shown(carried[1]) ? [{ place, line: "all", view: anew.deals }] : [];
  });

const differing = (found, said) => JSON.stringify(found, ordered) !== JSON.stringify(said, ordered);

/** Lines at which another card is tinted, or another act offered; and how many cards were tinted. */
export const asked = (given) => {
  const wrong = [];
  const counts = { lines: 0, unlawful: 0, accuses: 0 };
  given.forEach((history, place) => {
    for (const [line, table] of tablesOf(history)) {
      const said = history.asked[line];
      if (!said) continue;
      counts.lines += 1;
      for (const [seat, cards] of Object.entries(said.tint)) {
        const found = Object.fromEntries(rules.tint(table, seat));
        for (const code of Object.values(found)) counts[code] += 1;
        if (differing(found, cards)) wrong.push({ place, line, seat, found, said: cards });
      }
      for (const [seat, cards] of Object.entries(said.impossible)) {
        const found = Object.fromEntries(rules.TOKENS.map((card) => [card, rules.impossible(table, { seat, card })]));
        if (differing(found, cards)) wrong.push({ place, line, seat, found, said: cards });
      }
      const refused = Object.fromEntries(Object.keys(said.refusal).map((kind) => [kind, rules.refusal(table, kind)]));
      if (differing(refused, said.refusal)) wrong.push({ place, line, refused, said: said.refusal });
      const found = rules.next(table);
      if (differing(found, said.next)) wrong.push({ place, line, found, said: said.next });
    }
  });
  return { wrong, counts };
};

export const scores = (matches) =>
  matches.flatMap(({ encuentro, score }) => {
    const { dealer_due, outcomes, ...found } = rules.score(encuentro);
    return differing(found, score) ? [{ encuentro, found, score }] : [];
  });

/** Seats due to deal the next partida that are other ones; and the score of a match of that partida alone. */
export const dealers = (given) =>
  given.flatMap((history, place) => {
    const table = rules.read(rules.standing(history.log), history.setting);
    const { dealer_due: found } = rules.score({ profile: history.setting, partidas: [] }, { 1: table });
    const said = table.decided ? history.next_dealer : "";
    return found === said ? [] : [{ place, found, said }];
  });

/** Slips behind the last card of each record, which cannot be true. */
export const slips = (given) =>
  given.map(({ setting, log, act }) => rules.slips(rules.standing(log), setting, act));

/** Outcomes as they were reported that are doubted or completed otherwise. */
export const outcomes = (given) =>
  given.flatMap(({ options, reported, record, doubts, completions }) => {
    const found = { doubts: rules.doubts(reported, options, record), completions: rules.completions(reported, options, record) };
    return differing(found, { doubts, completions }) ? [{ reported, record, options, found, doubts, completions }] : [];
  });
