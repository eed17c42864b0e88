/**
 * Cantes and the tute: what bars them, and the verdict of the cards from their line on. Score, findings and pages
 * take the verdict on a cante from here.
 */
import { cannotHold, hasWon, holding, windowIsOpen } from "./announcing.js";
import { CANTE_PAIR, SUITS, maskOf } from "./cards.js";
import { afterOwnDraw, mayHaveDrawnUnseen, ownDraw } from "./drawing.js";
import { answerOf, setsOf, sungAfter } from "./evidence/sung.js";
import { learn } from "./learning.js";
import { isOfEarlierLaw } from "./options.js";
import { partnerOf, sideOf } from "./seats.js";
import { cameBefore, copyOfDeal, hasDeal, isSettled, note, placeOf } from "./state.js";
/** @import { ActOf } from "./acts.js" */
/** @import { Cards, Suit } from "./cards.js" */
/** @import { Options } from "./options.js" */
/** @import { Seat } from "./seats.js" */
/** @import { Cante, Deal, RunningTable, Table } from "./state.js" */

const CANTE_OF_TRUMP = 40;
const CANTE_OF_ANOTHER = 20;
const SIDE_SUITS = SUITS.length - 1;
const DISPROVED = "cante-disproved";
const FALSE_TUTE = "tute-disproved";
const REPEATED = "cante-already-sung";

/**
 * A cante counts unless a condition bars it or the cards disprove it; then it is void.
 * @type {(table: RunningTable, act: ActOf<"cante">) => void}
 */
export const canteAnnounced = (table, { seat, suit = "", shown = null }) => {
  const { deal, options, line } = table;
  const sets = possibleSuits(deal, suit).map((each) => CANTE_PAIR[each]);
  const barred = canteBarred(deal, seat, suit, options);
  const isMissing = mustBeShown(deal, suit, shown, options);
  for (const rule of isMissing ? [...barred, "cante-not-shown"] : barred) note(table, rule, seat, { suit });
  if (suit === deal.trump && shown && options.cante_40_shown === "never") note(table, "cante-40-shown", seat, { suit });
  const rival = hiddenBefore(deal, seat);
  const said = afterSaying(deal, seat, sets, line, rival);
  const isEarlier = isOfEarlierLaw(options);
  const isElsewhere = sets.length > 0 && sets.every((set) => cannotHold(deal, seat, set));
  const isDisproved = isElsewhere || (sets.length > 0 && answerOf(said.sung, line) === "unlawful");
  table.deal = said;
  if (isDisproved) note(table, DISPROVED, seat, { suit });
  else if (shown && suit) showToHold(table, deal, seat, sets, rival);
  const isBarred = barred.length > 0 || isElsewhere || ((isMissing || isDisproved) && !isEarlier);
  const isRepeated = [...barred, isMissing, isElsewhere].every((rule) => !rule || rule === REPEATED);
  const points = suit === deal.trump ? CANTE_OF_TRUMP : CANTE_OF_ANOTHER;
  const answer = isBarred ? "unlawful" : answerOf(table.deal.sung, line);
  table.deal.cantes.push({ line, seat, suit, points, trick: deal.tricks.length, void: isBarred, isBarred, isRepeated, answer, since: 0 });
};

/**
 * The suit of a hidden 20 is named; if it had to be named and was not, there is a finding.
 * @type {(table: RunningTable, act: ActOf<"ask_suit">) => void}
 */
export const suitRequested = (table, { by, seat, suit = "" }) => {
  const { deal, line, options } = table;
  const cante = hiddenCante(deal, seat);
  if (!cante) return;
  const partner = partnerOf(seat, table.seats.length);
  const isDue = options.cante_20_shown === "suit_on_request_in_arrastre" && (!partner || partner === by);
  if (!isDue) note(table, "suit-request-barred", by, { by: seat });
  let rule = isDue && !suit ? "cante-not-shown" : "";
  let fallen = cante;
  if (suit) {
    deal.sights.push({ kind: "named", line, saidAt: cante.line, sets: [CANTE_PAIR[suit]] });
    const sung = deal.cantes.find((one) => !one.void && one.suit === suit);
    rule = suit === deal.trump || sung ? REPEATED : "";
    if (sung && suit !== deal.trump && deal.cantes.indexOf(sung) > deal.cantes.indexOf(cante)) {
      fallen = sung;
      if (answerOf(sungAfter(deal.sung, deal.sights), cante.line) === "unlawful") rule = "";
    }
  }
  const isBad = rule !== "" && !cante.isBarred;
  if (isBad) note(table, rule, fallen.seat, { suit }, fallen.line);
  deal.cantes = deal.cantes.map((one) => {
    const named = one === cante ? { ...one, suit } : one;
    const isRepeated = rule === REPEATED && suit !== deal.trump;
    return isBad && one === fallen ? { ...named, void: true, isBarred: true, isRepeated, answer: "unlawful" } : named;
  });
};

/** Line of the latest cante of a seat that stands and whose suit is not named; 0: none. @type {(deal: Deal, seat: Seat) => number} */
const hiddenBefore = ({ cantes }, seat) => cantes.findLast((one) => one.seat === seat && !one.suit && !one.void)?.line ?? 0;

/** The latest cante of a seat whose suit is not named. @type {(deal: Deal, seat: Seat) => Cante | undefined} */
export const hiddenCante = ({ cantes }, seat) => cantes.findLast((cante) => cante.seat === seat && !cante.suit);

/**
 * The deal once a seat has said that it holds one of these sets.
 * @type {(before: Deal, seat: Seat, sets: Cards[], line: number, rival?: number) => Deal}
 */
const afterSaying = (before, seat, sets, line, rival = 0) => {
  const deal = copyOfDeal(before);
  const drawing = mayHaveDrawnUnseen(deal, seat);
  deal.sights.push({ kind: "sang", line, seat: placeOf(deal, seat), sets, drawing, drawn: ownDraw(deal, seat), rival });
  deal.sung = sungAfter(deal.sung, deal.sights);
  return deal;
};

/**
 * A seat said that it holds a set, and showed it; `before` is the deal without that.
 * @type {(table: RunningTable, before: Deal, seat: Seat, sets: Cards[], rival?: number) => void}
 */
const showToHold = (table, before, seat, sets, rival = 0) => {
  const cards = sets.reduce((mask, each) => mask | each, 0n);
  const deal = afterSaying(afterOwnDraw(before, seat, cards), seat, sets, table.line, rival);
  const drawing = mayHaveDrawnUnseen(deal, seat);
  deal.sights.push({ kind: "held", line: table.line, seat: placeOf(deal, seat), cards, drawing });
  deal.sung = sungAfter(deal.sung, deal.sights);
  table.deal = deal;
  learn(table, seat, cards);
};

/** The suit of a cante, or every side suit not yet sung. @type {(deal: Deal, suit: Suit) => Suit[]} */
const possibleSuits = ({ trump, cantes }, suit) => {
  if (suit) return [suit];
  const sung = cantes.filter((cante) => !cante.void).map((cante) => cante.suit);
  return [...SUITS].filter((each) => each !== trump && !sung.includes(each));
};

/**
 * Rules that bar a cante, whatever the cards.
 * @type {(deal: Deal, seat: Seat, suit: Suit, options: Options) => string[]}
 */
const canteBarred = (deal, seat, suit, options) => {
  const { tricks, trump } = deal;
  const side = sideOf(seat);
  const sung = deal.cantes.filter((cante) => !cante.void);
  const ofTrick = sung.filter((cante) => cante.trick === tricks.length && sideOf(cante.seat) === side);
  const ofPlayer = ofTrick.filter((cante) => cante.seat === seat);
  return holding({
    "cante-no-trick": !hasWon(deal, side, options.cante_needs_trick) || !tricks.length,
    "cante-late": tricks.length > 0 && !windowIsOpen(deal, options.cante_window, side),
    "cante-after-swap": options.cante_before_swap && deal.swapped,
    "cante-in-arrastre": !options.cante_in_arrastre && !deal.stock,
    [REPEATED]: isSung(sung, suit, trump),
    "cantes-per-player": ofPlayer.length >= options.cantes_per_player,
    "cantes-per-side": options.cantes_per_side > 0 && ofTrick.length >= options.cantes_per_side,
  });
};

/** Whether these cantes have sung a suit; one without a suit: whether none is left for it. @type {(sung: Cante[], suit: Suit, trump: Suit) => boolean} */
const isSung = (sung, suit, trump) => {
  const twenties = sung.filter((cante) => cante.suit !== trump).length + (suit === trump ? 0 : 1);
  return twenties > SIDE_SUITS || (suit !== "" && sung.some((cante) => cante.suit === suit));
};

/** Whether a seat can announce a cante that would count, as far as is known. @type {(deal: Deal, seat: Seat, suit: Suit, options: Options) => boolean} */
export const maySing = (deal, seat, suit, options) =>
  !canteBarred(deal, seat, suit, options).length &&
  !(mustBeShown(deal, suit, null, options) && !isOfEarlierLaw(options)) &&
  !possibleSuits(deal, suit).every((each) => cannotHold(deal, seat, CANTE_PAIR[each]));

/**
 * Whether a cante of 20 should have been shown, or its suit named, and was not.
 * @type {(deal: Deal, suit: Suit, shown: boolean | null, options: Options) => boolean}
 */
const mustBeShown = ({ trump, stock }, suit, shown, { cante_20_shown: how }) => {
  if (suit === trump) return false;
  const isFree = stock > 0;
  if (!suit) return how === "always" || how === "suit_named" || isFree;
  return shown === false && (how === "always" || (how === "not_in_arrastre" && isFree));
};

/**
 * Every cante that no condition bars is judged by the cards so far. One that they disprove is void from this line, unless
 * the deal is counted or a claim judged. One that was void since its suit was sung stands if that other was false or is annulled.
 * @type {(table: Table) => void}
 */
export const judgeCantes = (table) => {
  if (!hasDeal(table) || !(table.deal.cantes.length || table.endings.length)) return;
  const { deal, line, options, ruledOut } = table;
  const isFinal = isOfEarlierLaw(options) || isSettled(table, deal);
  if (!isFinal) {
    freeSuits(table);
    judgeAlone(table);
  }
  const sung = sungAfter(deal.sung, deal.sights);
  deal.sung = sung;
  /** @type {Cante[]} */
  const found = [];
  for (const known of deal.cantes) {
    const answer = answerOf(sung, known.line);
    const judged = { ...known, since: answer === "unlawful" ? known.since || line : 0 };
    const cante = judged.isRepeated && !isFinal && (judged.isBarred || ruledOut.length) ? repeatedAgain(table, judged, found) : judged;
    const { isBarred, suit } = cante;
    if (!isBarred && answer !== cante.answer) noteDisproved(table, DISPROVED, cante, answer, { suit });
    const isVoid = isFinal || ruledOut.includes(cante.line) ? cante.void : answer === "unlawful";
    found.push(isBarred ? cante : { ...cante, answer, void: isVoid });
  }
  deal.cantes = found;
  if (!isFinal) judgeTutes(table);
};

/** Whether a cante stood at a line, as far as is known now. @type {(table: Table, cante: Cante, at: number) => boolean} */
const hadSung = (table, { line, since }, at) => !table.ruledOut.includes(line) && (!since || cameBefore(table, at, since));

/** A 20 without a suit may mean those of cantes that a ruling annulled. @type {(table: RunningTable) => void} */
const freeSuits = (table) => {
  const { deal, line, ruledOut } = table;
  for (const [place, { line: saidAt, suit }] of deal.cantes.entries()) {
    const before = suit ? [] : deal.cantes.slice(0, place);
    const sets = setsOf(deal.sung, saidAt);
    const sung = before.filter((one) => one.isRepeated && hadSung(table, one, saidAt)).map((one) => CANTE_PAIR[one.suit]);
    const annulled = before.filter((one) => ruledOut.includes(one.line) && one.suit && one.suit !== deal.trump);
    const more = annulled.map((one) => CANTE_PAIR[one.suit]).filter((set) => !sung.includes(set) && !sets.includes(set));
    if (more.length) deal.sights.push({ kind: "named", line, saidAt, sets: [...sets, ...more] });
  }
};

/** Cantes are judged alone whose singer's earlier 20 without a suit a ruling annulled. @type {(table: RunningTable) => void} */
const judgeAlone = ({ deal, line, ruledOut }) => {
  for (const sang of ruledOut.length ? [...deal.sights] : []) {
    if (sang.kind !== "sang" || !ruledOut.includes(sang.rival)) continue;
    const saidAt = sang.line;
    const isAlone = deal.sights.some((one) => one.kind === "named" && one.isAlone && one.saidAt === saidAt);
    if (!isAlone) deal.sights.push({ kind: "named", line, saidAt, sets: setsOf(deal.sung, saidAt), isAlone: true });
  }
};

/**
 * A cante whose only fault may be that its suit was sung, by those that had sung it then. One that the cards disproved by the
 * line of this one, or that a ruling annulled, had not.
 * @type {(table: RunningTable, cante: Cante, before: Cante[]) => Cante}
 */
const repeatedAgain = (table, cante, before) => {
  const { deal, findings } = table;
  const had = before.filter((one) => !one.isBarred && hadSung(table, one, cante.line));
  const isBarred = isSung(had, cante.suit, deal.trump);
  if (isBarred === cante.isBarred) return cante;
  table.findings = findings.filter((one) => one.line !== cante.line || one.rule !== REPEATED);
  if (isBarred) note(table, REPEATED, cante.seat, { suit: cante.suit }, cante.line);
  return { ...cante, isBarred, void: isBarred, answer: isBarred ? "unlawful" : "open" };
};

/** A finding beside each tute that the cards so far disprove; it wins nothing. @type {(table: RunningTable) => void} */
const judgeTutes = (table) => {
  const { sights, sung, seats } = table.deal;
  for (const sight of sights)
    if (sight.kind === "sang" && table.endings.some(({ how, line }) => how === "tute" && line === sight.line))
      noteDisproved(table, FALSE_TUTE, { line: sight.line, seat: seats[sight.seat] }, answerOf(sung, sight.line));
};

/**
 * The finding beside what the cards disprove, taken back if they no longer do.
 * @type {(table: RunningTable, rule: string, said: {line: number, seat: Seat}, answer: Cante["answer"], facts?: Record<string, string>) => void}
 */
const noteDisproved = (table, rule, { line, seat }, answer, facts = {}) => {
  const isNoted = (/** @type {{line: number, rule: string}} */ one) => one.line === line && one.rule === rule;
  if (answer !== "unlawful") table.findings = table.findings.filter((one) => !isNoted(one));
  else if (!table.findings.some(isNoted)) note(table, rule, seat, facts, line);
};

/**
 * A tute wins the partida if the profile knows it, it is in time and nothing disproves it. As a cante, it counts as
 * announced where nobody noted whether it was shown.
 * @type {(table: RunningTable, act: ActOf<"tute">) => void}
 */
export const tuteAnnounced = (table, { seat, rank, shown = null }) => {
  const { deal, options, line } = table;
  const isEarlier = isOfEarlierLaw(options);
  const four = maskOf([...SUITS].map((suit) => rank + suit));
  const isElsewhere = cannotHold(deal, seat, four);
  const said = afterSaying(deal, seat, [four], line);
  const isFalse = !isEarlier && answerOf(said.sung, line) === "unlawful";
  table.deal = said;
  if (shown && !isElsewhere && !isFalse) showToHold(table, deal, seat, [four]);
  const isMissing = isEarlier ? !shown && (deal.held[seat] & four) !== four : shown === false;
  if (!tuteIsInTime(deal, seat, options)) note(table, "tute-barred", seat);
  else if (isElsewhere) note(table, FALSE_TUTE, seat);
  else if (isMissing) note(table, "cante-not-shown", seat);
  else table.endings.push({ line, how: "tute", side: sideOf(seat), hasWon: true, ofDeal: true });
};

/** Whether a seat may announce a tute now. @type {(deal: Deal, seat: Seat, options: Options) => boolean} */
export const tuteIsInTime = (deal, seat, options) =>
  options.tute &&
  deal.tricks.length > 0 &&
  hasWon(deal, sideOf(seat), options.cante_needs_trick) &&
  windowIsOpen(deal, options.cante_window, sideOf(seat));
