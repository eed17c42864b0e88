/**
 * What the seen cards prove about cantes, as in `referee/rules/evidence/verdicts.py`: `lawful` if in every world their
 * cards were held, `unlawful` if in none, else `open`.
 */
import { cardsIn, BIT } from "../cards.js";
import { ASIDE, Impossible, STOCK, Worlds } from "./worlds.js";
/** @import { Cards } from "../cards.js" */
/** @import { Place } from "./worlds.js" */

/**
 * What a table could see of the cards, in order. `seat` is the place in order of play, -1 nobody; `line` 0 for what was
 * not recorded; `drawing`: the seat may just have drawn an unseen card; `drawn`: the known card that it may just have drawn.
 * @typedef {{kind: "dealt", line: number, deck: Cards, sizes: number[], stock: number}
 *   | {kind: "turned" | "recalled", line: number, seat: number, card: Cards}
 *   | {kind: "played", line: number, seat: number, card: Cards, accusers: Cards}
 *   | {kind: "drew", line: number, seat: number, card: Cards}
 *   | {kind: "hidden", line: number, seats: number[]}
 *   | {kind: "held", line: number, seat: number, cards: Cards, drawing: boolean, isSecret?: boolean}
 *   | {kind: "lacked", line: number, seat: number, cards: Cards}
 *   | {kind: "was_dealt", line: number, seat: number, cards: Cards, isWhole: boolean}
 *   | {kind: "swapped", line: number, seat: number, gave: Cards, took: Cards, drawing: boolean}
 *   | {kind: "sang", line: number, seat: number, sets: Cards[], drawing: boolean, drawn: Cards,
 *     rival: number}
 *   | {kind: "named", line: number, saidAt: number, sets: Cards[], isAlone?: boolean}
 *   | {kind: "resized", line: number, seat: number, more: number}
 *   | {kind: "waited", line: number, seat: number}
 *   | {kind: "returned", line: number, seat: number, card: Cards, since: number}
 *   | {kind: "stacked", line: number, cards: Cards}} Sight
 *
 * @typedef {"lawful" | "unlawful" | "open"} Answer
 * @typedef {object} Question a cante that depends on what its singer had in hand: in which places
 * @property {number} line
 * @property {number} seat
 * @property {Place[]} places
 * @property {Place[]} maybe a place that was filled by then, or was not
 * @property {Cards} drawn a known card that was drawn by then, or was not
 * @property {Cards} had cards that certainly were there
 * @property {Cards} never cards that certainly were not
 * @property {Cards[]} sets one of which it says to hold
 * @property {Cards[]} alive those of them that may have been held
 * @property {number} rival line of an earlier cante of the same seat and of no suit
 * @property {Answer} answer
 */

/** @type {(one: readonly Place[], other: readonly Place[]) => boolean} */
const areSame = (one, other) => one.length === other.length && one.every((place) => other.includes(place));

/** What the cantes of a deal depend on. */
class Evidence {
  worlds = new Worlds(0n, [], 0);
  isBlind = false;
  /** Whether the record is impossible for all cards. */
  isBroken = false;
  gone = 0n;
  /** Cards in hand that are in no place. @type {Cards[]} */
  fixed = [];
  /** Cards seen in a hand and not laid since. @type {Cards[]} */
  shown = [];
  /** Cards laid that still fill a place of their seat. @type {Cards[]} */
  spent = [];
  /** A place for each card that a seat laid unseen. @type {Place[][]} */
  unseen = [];
  /** Those of them since the last draw of the seat. @type {Place[][]} */
  unseenSince = [];
  /** Whether the next draw of a seat opens a place. @type {boolean[]} */
  closed = [];
  /** The place of a draw that may have been made, or 0. @type {Place[]} */
  pending = [];
  /** @type {Question[]} */
  questions = [];

  copy() {
    const copy = Object.assign(new Evidence(), this, { worlds: this.worlds.copy() });
    const { fixed, shown, spent, unseen, unseenSince, closed, pending } = this;
    Object.assign(copy, { fixed: [...fixed], shown: [...shown], spent: [...spent], closed: [...closed], pending: [...pending] });
    Object.assign(copy, { unseen: [...unseen], unseenSince: [...unseenSince] });
    copy.questions = this.questions.map((question) => ({ ...question }));
    return copy;
  }

  /** @param {Sight} sight */
  see(sight) {
    try {
      this.#takeIn(sight);
    } catch (error) {
      if (!(error instanceof Impossible)) throw error;
      this.isBlind = this.isBroken = true;
    }
    if (sight.line && !this.isBlind) this.#settle();
  }

  /** @param {Sight} sight */
  #takeIn(sight) {
    const { worlds } = this;
    switch (sight.kind) {
      case "dealt": return this.#begin(sight);
      case "turned": return this.#turned(sight);
      case "drew": return this.#drew(sight);
      case "recalled": return this.#recalled(sight);
      case "played": return this.#layDown(sight.seat, sight.card);
      case "hidden": return sight.seats.forEach((seat) => this.#hidden(seat));
      case "held":
        this.shown[sight.seat] |= sight.cards;
        this.#had(sight.seat, sight.cards, [], sight.line);
        return this.#inside(sight.seat, sight.cards, this.#hand(sight.seat, sight.drawing));
      case "lacked": return this.#lacked(sight);
      case "was_dealt": return worlds.narrow(sight.cards & worlds.cards, [worlds.firstOf(sight.seat), ...this.unseen[sight.seat]]);
      case "swapped": return this.#swapped(sight);
      case "sang": return this.#sang(sight);
      case "named": return this.#named(sight);
      case "resized":
        worlds.resize(this.#dealtPlace(sight.seat, sight.more), sight.more);
        this.questions.forEach((question) => (question.answer = "open"));
        return undefined;
      case "waited": return this.#notDrawnYet(sight.seat);
      case "returned": return this.#returned(sight);
      case "stacked":
        this.#takeBack([...this.pending.keys()]);
        this.closed = this.closed.map(() => true);
        return worlds.narrow(sight.cards & worlds.cards, [STOCK]);
    }
  }

  /** @param {{seat: number, cards: Cards}} sight */
  #lacked({ seat, cards }) {
    this.closed[seat] = true;
    if (cards & this.fixed[seat]) throw new Impossible();
    this.worlds.narrow(0n, this.#filled(seat), cards & ~this.spent[seat]);
  }

  /** @param {Sight & {kind: "swapped"}} sight */
  #swapped({ seat, gave, took, drawing }) {
    if (this.fixed.some((cards) => cards & took)) throw new Impossible();
    this.fixed[seat] |= took;
    this.#hand(seat, drawing);
    this.#layDown(seat, gave);
  }

  /** The place of a hand that was wrongly dealt: as it was dealt, if that can be so much less. @param {number} seat @param {number} more */
  #dealtPlace(seat, more) {
    const first = this.worlds.firstOf(seat);
    return this.worlds.sizes[first] + more >= 0 ? first : this.worlds.lastOf(seat);
  }

  /** @param {Sight & {kind: "dealt"}} sight */
  #begin({ deck, sizes, stock }) {
    this.worlds = new Worlds(deck, sizes, stock);
    for (const seat of sizes.keys()) {
      this.fixed[seat] = this.shown[seat] = this.spent[seat] = 0n;
      this.closed[seat] = false;
      this.pending[seat] = 0;
      this.unseen[seat] = this.unseenSince[seat] = [];
    }
  }

  /** @param {{seat: number, card: Cards}} sight */
  #turned({ seat, card }) {
    const { worlds } = this;
    if (seat < 0) {
      worlds.takeOut(card, [worlds.sizes[STOCK] ? STOCK : ASIDE]);
      return;
    }
    this.fixed[seat] |= card;
    worlds.takeOut(card, [worlds.firstOf(seat)]);
  }

  /** @param {{line: number, seat: number, card: Cards}} sight */
  #drew({ line, seat, card }) {
    if (line) this.#notDrawnYet(seat);
    const { worlds } = this;
    const pending = this.pending[seat];
    this.unseenSince[seat] = [];
    if (pending && (!card || worlds.cards & ~this.gone & card)) {
      this.pending[seat] = 0;
      this.closed[seat] = true;
      worlds.narrow(card, [pending]);
      return;
    }
    const isOfStock = !card || (worlds.cards & card) !== 0n;
    this.#takeBack(worlds.sizes[STOCK] || !isOfStock ? [seat] : [...this.pending.keys()]);
    if (!card) {
      worlds.resize(this.#placeOfDraw(seat), 1);
      return;
    }
    this.fixed[seat] |= card;
    if (this.gone & card) this.gone &= ~card;
    else if (worlds.cards & card) worlds.takeOut(card, [STOCK]);
  }

  /** The draw of a seat has not happened: one that is noted happens at its line. @param {number} seat */
  #notDrawnYet(seat) {
    this.#takeBack([seat]);
    for (const question of this.questions) {
      if (question.seat === seat) question.drawn &= this.fixed[seat] | this.gone;
    }
  }

  /** The card of an implied draw becomes known. @param {{seat: number, card: Cards}} sight */
  #recalled({ seat, card }) {
    const { worlds } = this;
    const since = this.unseenSince[seat];
    if (!since.length) this.#had(seat, card);
    if (worlds.cards & ~this.gone & card) {
      if (!since.length) this.shown[seat] |= card;
      worlds.narrow(card, [worlds.lastOf(seat), ...since]);
      return;
    }
    if (this.fixed[seat] & card) return;
    if (this.fixed.some((cards) => cards & card)) throw new Impossible();
    if (since.length) this.isBlind = true;
    else this.fixed[seat] |= card;
    this.gone &= ~card;
    worlds.resize(worlds.lastOf(seat), -1);
  }

  /** The pinta lies on the table, and the seat has an unseen card instead. @param {{seat: number, card: Cards, since: number}} sight */
  #returned({ seat, card, since }) {
    if (!(this.fixed[seat] & card)) this.isBlind = true; // it may have been laid unseen
    this.fixed[seat] &= ~card;
    const place = this.#placeOfDraw(seat);
    this.worlds.resize(place, 1);
    for (const question of this.questions.filter((one) => one.seat === seat && one.line > since)) {
      question.had &= ~card;
      question.maybe = [...question.maybe, place];
      question.answer = "open";
    }
  }

  /** @param {number} seat @returns {Place} */
  #placeOfDraw(seat) {
    if (!this.closed[seat]) return this.worlds.lastOf(seat);
    this.closed[seat] = false;
    return this.worlds.openPlace(seat);
  }

  /** Every place of a seat, with one for the card that it may have drawn already. @param {number} seat @param {boolean} drawing */
  #hand(seat, drawing) {
    const { worlds } = this;
    if (drawing && !this.pending[seat] && worlds.sizes[STOCK]) {
      this.pending[seat] = worlds.openPlace(seat);
      worlds.resize(this.pending[seat], 1);
    }
    return worlds.placesOf(seat);
  }

  /** Draws that these seats may have made, but have not. @param {number[]} seats */
  #takeBack(seats) {
    for (const seat of seats) {
      const pending = this.pending[seat];
      this.pending[seat] = 0;
      if (!pending) continue;
      this.closed[seat] = true;
      this.worlds.putBack(pending);
    }
  }

  /** Places of a seat without that of a draw which nobody has noted yet. @param {number} seat */
  #filled(seat) {
    return this.worlds.placesOf(seat).filter((place) => place !== this.pending[seat]);
  }

  /** A card leaves a hand, where it was whenever its seat had it. @param {number} seat @param {Cards} card */
  #layDown(seat, card) {
    const { worlds } = this;
    const isElsewhere = this.#isElsewhere(seat, card);
    this.gone |= card;
    this.shown[seat] &= ~card;
    if (this.fixed[seat] & card) {
      this.fixed[seat] &= ~card;
      return;
    }
    const places = worlds.placesOf(seat);
    this.#had(seat, card, places);
    if (isElsewhere) throw new Impossible();
    if (places.length > 1) {
      this.spent[seat] |= card;
      worlds.narrow(card, places);
    } else worlds.takeOut(card, places);
  }

  /**
   * Cards of a hand were also in it at each cante since its last possible draw; after a card laid unseen they may have been in it at others.
   * @param {number} seat @param {Cards} cards @param {Place[]} places
   */
  #had(seat, cards, places = [], line = 0) {
    const unseen = this.unseen[seat];
    for (const question of this.questions.filter((one) => one.seat === seat)) {
      const seen = question.places.filter((place) => !unseen.includes(place));
      if (places.length ? areSame(seen, places) : question.line === line) question.had |= cards;
      else if (unseen.length && question.maybe.some((place) => places.includes(place))) question.drawn |= cards;
    }
  }

  /** One card of a hand was laid unseen: any of those that it may have had until then. @param {number} seat */
  #hidden(seat) {
    this.shown[seat] = 0n;
    const place = this.#mergeHand(seat);
    const apart = this.worlds.split(place);
    this.unseen[seat] = [...this.unseen[seat], apart];
    this.unseenSince[seat] = [...this.unseenSince[seat], apart];
    for (const question of this.questions) {
      if (question.places.includes(place)) question.places = [...question.places, apart];
      if (question.maybe.includes(place)) question.maybe = [...question.maybe, apart];
    }
  }

  /**
   * The first place of a seat, with every card of its hand, also those that were known. Of a cante about only some of its
   * places it is not known any more which cards were there.
   * @param {number} seat @returns {Place}
   */
  #mergeHand(seat) {
    const { worlds } = this;
    const hand = worlds.placesOf(seat);
    const place = worlds.firstOf(seat);
    const [known, spent] = [this.fixed[seat], this.spent[seat]];
    this.fixed[seat] = this.spent[seat] = 0n;
    this.pending[seat] = 0;
    const others = (/** @type {Place[]} */ places) => places.filter((one) => !hand.includes(one));
    for (const question of this.questions.filter((one) => one.seat === seat)) {
      const { had, maybe, places } = question;
      const isWhole = hand.every((one) => places.includes(one)) && !(known & ~had);
      if (isWhole) question.places = [...others(places), place];
      else if ([...places, ...maybe].some((one) => hand.includes(one))) {
        Object.assign(question, { places: others(places), maybe: [...others(maybe), place], drawn: question.drawn | spent });
      }
    }
    worlds.merge(hand, place);
    for (const card of cardsIn(spent)) worlds.takeOut(BIT[card], [place]);
    worlds.putIn(known, place);
    return place;
  }

  /** @param {number} seat @param {Cards} cards @param {Place[]} places */
  #inside(seat, cards, places) {
    if (this.#isElsewhere(seat, cards)) throw new Impossible();
    this.worlds.narrow(cards & ~this.fixed[seat], places);
  }

  /** Whether one of these cards is certainly not in a hand. @param {number} seat @param {Cards} cards */
  #isElsewhere(seat, cards) {
    return (cards & (this.#absent(seat) | (~this.worlds.cards & ~this.fixed[seat]))) !== 0n;
  }

  /** Cards that are certainly not in a hand, whatever the others say. @param {number} seat */
  #absent(seat) {
    const elsewhere = this.fixed.reduce((all, cards, other) => (other === seat ? all : all | cards), this.gone);
    return elsewhere & ~this.fixed[seat];
  }

  /** @param {Sight & {kind: "named"}} sight */
  #named({ saidAt, sets, isAlone }) {
    for (const question of this.questions.filter(({ line }) => line === saidAt)) {
      if (question.answer === "lawful" || isAlone || sets.length > question.sets.length) question.answer = "open";
      if (isAlone) question.rival = 0;
      question.sets = sets;
    }
  }

  /** @param {Sight & {kind: "sang"}} sight */
  #sang({ line, seat, sets, drawing, drawn, rival }) {
    const hand = this.#hand(seat, drawing);
    const places = this.#filled(seat);
    this.questions.push({
      line,
      seat,
      places,
      maybe: hand.filter((place) => !places.includes(place)),
      drawn,
      had: this.fixed[seat] | this.shown[seat],
      never: this.#absent(seat) & ~drawn,
      sets,
      alive: [],
      rival,
      answer: "open",
    });
    this.closed[seat] = true;
  }

  #settle() {
    if (this.questions.every(({ answer }) => answer !== "open")) return;
    const possible = this.worlds.possible();
    for (const question of this.questions) if (question.answer === "open") question.answer = this.#answer(question, possible);
  }

  /** @param {Question} question @param {Cards[]} possible for each place the cards that may be there @returns {Answer} */
  #answer(question, possible) {
    const { places, maybe, drawn, had, never, sets } = question;
    const rival = this.questions.find(({ line }) => line === question.rival);
    const within = (/** @type {Place[]} */ chosen) => {
      let inside = 0n;
      let outside = 0n;
      for (const [place, cards] of possible.entries()) {
        if (chosen.includes(place)) inside |= cards;
        else outside |= cards;
      }
      return { certain: inside & ~outside, possible: inside };
    };
    const may = (within([...places, ...maybe]).possible | had | drawn) & ~never;
    const certain = (within(places).certain | had) & ~never;
    const taken = rival?.answer === "lawful" && rival.alive.length === 1 ? rival.alive[0] : 0n;
    const mayBe = (/** @type {Cards} */ set) =>
      set !== taken && !(set & ~may) && this.worlds.can(set & ~had & ~drawn, [...places, ...maybe]);
    const alive = (question.alive = sets.filter(mayBe));
    if (!alive.length) return "unlawful";
    const mayLack = (/** @type {Cards[]} */ chosen) =>
      oneOfEach(chosen).some((lacked) => !(lacked & certain) && this.worlds.can(0n, places, lacked));
    const theirs = rival && rival.answer !== "unlawful" ? rival.alive.filter((set) => alive.includes(set)) : [];
    const isOpen = mayLack(alive) || theirs.some((set) => mayLack(alive.filter((one) => one !== set)));
    return isOpen ? "open" : "lawful";
  }
}

/** Every choice of one card of each set, as masks. @type {(sets: readonly Cards[]) => Cards[]} */
const oneOfEach = (sets) =>
  sets.reduce((found, set) => found.flatMap((mask) => cardsIn(set).map((card) => mask | BIT[card])), [0n]);

/**
 * Evidence after all these sights: those seen before, and perhaps more. What was known before never changes.
 * @typedef {{evidence: Evidence, seen: number}} Sung
 * @type {(before: Sung, sights: readonly Sight[]) => Sung}
 */
export const sungAfter = (before, sights) => {
  if (before.seen === sights.length) return before;
  const evidence = before.evidence.copy();
  for (const sight of sights.slice(before.seen)) evidence.see(sight);
  return { evidence, seen: sights.length };
};

/** Nothing seen yet. @type {Sung} */
export const NOTHING_SUNG = { evidence: new Evidence(), seen: 0 };

/** Verdict on the cante of a line. @type {(sung: Sung, line: number) => Answer} */
export const answerOf = ({ evidence }, line) => evidence.questions.find((one) => one.line === line)?.answer ?? "open";

/** What a cante is taken to have said, one of these sets. @type {(sung: Sung, line: number) => Cards[]} */
export const setsOf = ({ evidence }, line) => evidence.questions.find((one) => one.line === line)?.sets ?? [];
