/**
 * Worlds: all possible distributions of the unseen cards, kept as one of them, the witness, and its exchanges, as in
 * `referee/rules/evidence/worlds.py`. A card lies in one place: what a seat had in hand up to some moment, what it drew
 * after that, or the stock. Places are numbers, sets of cards are masks.
 */
import { countOf } from "../cards.js";
/** @import { Cards } from "../cards.js" */

/** @typedef {number} Place */
export const STOCK = 0;
/** Cards that a wrong deal leaves unaccounted for. */
export const ASIDE = 1;
const NOBODY = -1;

/** No distribution of the cards is possible. */
export class Impossible extends Error {}

/** Lowest card of a mask. @type {(cards: Cards) => Cards} */
const lowest = (cards) => cards & -cards;
/** @type {(masks: readonly Cards[]) => Cards} */
const union = (masks) => masks.reduce((all, one) => all | one, 0n);

/** Places with their sizes, the cards that may lie in each, and a witness. The first place of seat `i` is `2 + i`. */
export class Worlds {
  /** @param {Cards} deck @param {readonly number[]} sizes @param {number} stock */
  constructor(deck, sizes, stock) {
    const aside = countOf(deck) - sizes.reduce((sum, size) => sum + size, 0) - stock;
    /** @type {number[]} */
    this.owner = [NOBODY, NOBODY, ...sizes.keys()];
    this.sizes = [stock, aside, ...sizes];
    this.may = this.sizes.map(() => deck);
    this.witness = this.sizes.map(() => 0n);
    this.#fill(deck);
  }

  /** A copy that can be narrowed independently. */
  copy() {
    const copy = new Worlds(0n, [], 0);
    const { owner, sizes, may, witness } = this;
    return Object.assign(copy, { owner: [...owner], sizes: [...sizes], may: [...may], witness: [...witness] });
  }

  /** Cards that lie in some place. */
  get cards() {
    return union(this.witness);
  }

  /** Every place of a seat. @param {number} seat @returns {Place[]} */
  placesOf(seat) {
    return [...this.owner.keys()].filter((place) => this.owner[place] === seat);
  }

  /** Place of a hand as it was dealt. @param {number} seat @returns {Place} */
  firstOf(seat) {
    return ASIDE + 1 + seat;
  }

  /** Place of a seat that was opened last. @param {number} seat @returns {Place} */
  lastOf(seat) {
    return this.owner.lastIndexOf(seat);
  }

  /** For each place, the cards that are there in some world. @returns {Cards[]} */
  possible() {
    const { cards, may, sizes, witness } = this;
    if (sizes.some((size) => size < 0)) return may.map((each) => each & cards);
    const reach = this.#reach();
    return may.map((each, place) => witness[place] | (each & union(witness.filter((_, other) => reach[place][other]))));
  }

  /** For each place, whether each other can be reached by moving cards. @returns {boolean[][]} */
  #reach() {
    const steps = this.witness.map((cards) => this.may.map((may) => (cards & may) !== 0n));
    for (const middle of steps.keys()) {
      for (const row of steps) if (row[middle]) steps[middle].forEach((isStep, to) => (row[to] ||= isStep));
    }
    return steps;
  }

  /**
   * Whether some world has all of `inside` within these places and none of `outside`.
   * @param {Cards} inside @param {readonly Place[]} places @param {Cards} outside
   */
  can(inside, places, outside = 0n) {
    try {
      this.copy().narrow(inside, places, outside);
    } catch (error) {
      if (error instanceof Impossible) return false;
      throw error;
    }
    return true;
  }

  /**
   * Keep the worlds with all of `inside` within these places and none of `outside`. Throws `Impossible`: there is none.
   * @param {Cards} inside @param {readonly Place[]} places @param {Cards} outside
   */
  narrow(inside, places, outside = 0n) {
    let loose = 0n;
    for (const [place, cards] of this.witness.entries()) {
      const gone = places.includes(place) ? outside : inside;
      this.may[place] &= ~gone;
      loose |= cards & gone;
      this.witness[place] = cards & ~gone;
    }
    this.#fill(loose);
  }

  /**
   * Remove a card from one of these places, and reduce the size of the place. Throws `Impossible`.
   * @param {Cards} card @param {readonly Place[]} places
   */
  takeOut(card, places) {
    this.narrow(card, places);
    const place = places.find((one) => this.witness[one] & card);
    if (place === undefined) throw new Impossible();
    this.witness[place] &= ~card;
    this.sizes[place] -= 1;
    this.may = this.may.map((may) => may & ~card);
  }

  /** The card of a draw that was not made goes back to the stock. @param {Place} place */
  putBack(place) {
    this.sizes[STOCK] += 1;
    this.sizes[place] -= 1;
    const loose = this.witness[place];
    this.witness[place] = 0n;
    this.#fill(loose);
  }

  /** A new place of a seat, empty as yet, for what it draws from now on. @param {number} seat @returns {Place} */
  openPlace(seat) {
    return this.#add(seat, 0, this.may[STOCK], 0n);
  }

  /** All cards of these places in one of them; the others are empty, and nobody's. @param {readonly Place[]} places @param {Place} into */
  merge(places, into) {
    for (const place of places.filter((one) => one !== into)) {
      this.sizes[into] += this.sizes[place];
      this.may[into] |= this.may[place];
      this.witness[into] |= this.witness[place];
      this.owner[place] = NOBODY;
      this.sizes[place] = 0;
      this.may[place] = this.witness[place] = 0n;
    }
  }

  /** Cards that were in no place lie in this one. @param {Cards} cards @param {Place} place */
  putIn(cards, place) {
    this.sizes[place] += countOf(cards);
    this.may[place] |= cards;
    this.witness[place] |= cards;
  }

  /** One card of a place apart from the others: nobody knows which. @param {Place} place @returns {Place} */
  split(place) {
    const card = lowest(this.witness[place]);
    this.sizes[place] -= 1;
    this.witness[place] ^= card;
    return this.#add(NOBODY, 1, this.may[place], card);
  }

  /** @param {number} owner @param {number} size @param {Cards} may @param {Cards} witness @returns {Place} */
  #add(owner, size, may, witness) {
    this.owner.push(owner);
    this.sizes.push(size);
    this.may.push(may);
    this.witness.push(witness);
    return this.owner.length - 1;
  }

  /**
   * Change the size of a place; the difference comes from the stock, or without one from the cards set aside.
   * @param {Place} place @param {number} more
   */
  resize(place, more) {
    const fromStock = this.sizes[STOCK] ? Math.min(more, this.sizes[STOCK]) : 0;
    this.sizes[place] += more;
    this.sizes[STOCK] -= fromStock;
    this.sizes[ASIDE] -= more - fromStock;
    let loose = 0n;
    for (const [at, size] of this.sizes.entries()) {
      while (countOf(this.witness[at]) > Math.max(size, 0)) {
        const card = lowest(this.witness[at]);
        this.witness[at] ^= card;
        loose |= card;
      }
    }
    this.#fill(loose);
  }

  /** Assign loose cards to allowed places. @param {Cards} loose */
  #fill(loose) {
    for (let left = loose; left; left ^= lowest(left)) this.#put(lowest(left));
  }

  /** Assign one card along a shortest path over full places to one with room. @param {Cards} card */
  #put(card) {
    const queue = [...this.may.keys()].filter((place) => this.may[place] & card);
    const came = new Map(queue.map((place) => [place, NOBODY]));
    for (const place of queue) {
      if (countOf(this.witness[place]) < this.sizes[place]) {
        this.#handOn(card, place, came);
        return;
      }
      for (const [other, may] of this.may.entries()) {
        if (came.has(other) || !(this.witness[place] & may)) continue;
        came.set(other, place);
        queue.push(other);
      }
    }
    throw new Impossible();
  }

  /** @param {Cards} card @param {Place} to @param {Map<Place, Place>} came */
  #handOn(card, to, came) {
    let place = to;
    for (let before = came.get(place) ?? NOBODY; before >= 0; before = came.get(place) ?? NOBODY) {
      const moved = lowest(this.witness[before] & this.may[place]);
      this.witness[before] ^= moved;
      this.witness[place] |= moved;
      place = before;
    }
    this.witness[place] |= card;
  }
}
