/**
 * The engine of the analysis in a browser: what a position is worth when every card is known and all play their best.
 * `referee/analysis/questions.py` asks the same module the same questions, under the same names. The module depends on
 * nothing, so a Worker can load it alone.
 *
 * A card is a token, "3O"; seats are "A1" and so on; a suit is its letter. `options` are those of the table, by name.
 *
 * @typedef {object} KnownPosition
 * @property {Record<string, any>} options
 * @property {string} trump
 * @property {string} leader led the open trick, or is to lead
 * @property {Record<string, string[]>} hands by seat, without the cards of the open trick
 * @property {string[]} [laid] cards of the open trick, in order of play
 * @property {string[]} [stock] cards to draw, the next first and the pinta last
 * @property {string[]} [sung] suits that are sung
 * @property {string[]} [winners] sides that have won a trick; all, if not said
 * @property {Record<string, number> | null} [sung_now] cantes of each seat since the last trick; null: none is in time any more
 * @property {[string, string] | null} [swap] the seat that may still swap the pinta, and the card it gives
 *
 * @typedef {object} CardPrices
 * @property {string} seat whose turn it is
 * @property {Record<string, number>} values what its side makes from here after each card it holds
 * @property {string[]} lawful
 * @property {number} best value after the best lawful card
 * @property {number} nodes the work it took, the same everywhere
 *
 * @typedef {object} BestPlayCard a card of best play, and the position after it; at the end of the deal its hands are empty
 * @property {string} seat
 * @property {string} card
 * @property {KnownPosition} before
 * @property {KnownPosition} then
 * @property {string} winner seat whose card wins the trick so far
 *
 * @typedef {"any_order" | "any_partner" | "best_play" | "fails"} ClaimStrength
 * @typedef {"lead" | "points" | "tricks"} Aim points and half of the cantes; own points with whole cantes; tricks
 * @typedef {{side: string, aim: Aim, friends?: string[]}} AskedFor for whom, for what, and which seats play for it
 */

const SUITS = "OCEB";
export const RANKS = "2456789CSR3A";
const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };
const POINTS = [0, 0, 0, 0, 0, 0, 0, 2, 3, 4, 10, 11];
/** What a 20 and a 40 of ours add, and what a 20 and a 40 of theirs take away. @type {Record<Aim, number[]>} */
const CANTES = { lead: [10, 20, 10, 20], points: [20, 40, 0, 0], tricks: [0, 0, 0, 0] };
/** What a cante is worth. @type {(suit: string, trump: string) => number} */
export const worthOfCante = (suit, trump) => CANTES.points[suit === trump ? 1 : 0];
const UNKNOWN = -9999;
const NOBODY = 255;
/** About 17 ms: no arrastre of 5,000 random ones needed so many. */
export const MOST_NODES = 200_000;
/** Of a question that only a thread of its own is asked: a deal of ten tricks without a stock needs some millions. */
export const WHOLE_DEAL_NODES = 20_000_000;

/** `struct sheet` of engine.c: the bytes of a field, and how many there are of it. @type {[string, number, number][]} */
const FIELDS = [
  ["hand", 8, 4],
  ["lawful", 8, 1],
  ["most_nodes", 4, 1],
  ["nodes", 4, 1],
  ["price", 2, 48],
  ["points", 1, 12],
  ["cante", 1, 4],
  ["trick", 1, 4],
  ["sung_by", 1, 4],
  ["law", 2, 1],
  ...["players", "leader", "trump", "laid", "per_player", "per_side", "sings_in_arrastre", "sung", "won", "gap_open"].map(
    (name) => /** @type {[string, number, number]} */ ([name, 1, 1]),
  ),
  ...["ours", "with_us", "last_trick", "per_trick", "swapper", "swap_card", "stock_size"].map(
    (name) => /** @type {[string, number, number]} */ ([name, 1, 1]),
  ),
  ["stock", 1, 36],
  ["winner", 1, 1],
];
/** @type {Record<string, {at: number, bytes: number}>} */
const PLACES = {};
let end = 0;
for (const [name, bytes, count] of FIELDS) {
  PLACES[name] = { at: end, bytes };
  end += bytes * count;
}

/** @type {(card: string) => number} */
const numberOf = (card) => SUITS.indexOf(card[1]) * RANKS.length + RANKS.indexOf(card[0]);
/** @type {(number: number) => string} */
const tokenOf = (number) => RANKS[number % RANKS.length] + SUITS[Math.floor(number / RANKS.length)];
/** @type {(seat: string) => string} */
export const sideOf = (seat) => seat[0];
/** @type {(known: KnownPosition) => string[]} */
export const seatsOf = (known) => SEATS[/** @type {2 | 3 | 4} */ (known.options.players)];
/** @type {(all: string[], chosen: string[]) => number} */
const bits = (all, chosen) => all.reduce((sum, one, place) => sum + (chosen.includes(one) ? 2 ** place : 0), 0);
/** @type {(flags: boolean[]) => number} */
const flagged = (flags) => flags.reduce((sum, flag, place) => sum + (flag ? 2 ** place : 0), 0);

/** @type {(all: string[], flags: number) => string[]} */
const chosen = (all, flags) => all.filter((_, place) => (flags >> place) & 1);

/** Seat whose turn it is. @type {(known: KnownPosition) => string} */
export const seatToPlay = (known) => {
  const seats = seatsOf(known);
  return seats[(seats.indexOf(known.leader) + (known.laid ?? []).length) % seats.length];
};

/** @type {(card: string) => number} */
export const pointsOf = (card) => POINTS[RANKS.indexOf(card[0])];

/** Points of the cards that are still to be won, with those of the last trick. @type {(known: KnownPosition) => number} */
export const left = (known) =>
  [...Object.values(known.hands).flat(), ...(known.laid ?? []), ...(known.stock ?? [])]
    .reduce((sum, card) => sum + pointsOf(card), known.options.last_trick_points);

/** Tricks still to be taken, the open one with them. @type {(known: KnownPosition) => number} */
const tricksLeft = (known) =>
  known.hands[seatToPlay(known)].length + (known.stock ?? []).length / seatsOf(known).length;

/** Options of play as bits, in the order of `enum law`. @type {(options: Record<string, any>) => number} */
const lawBits = (options) =>
  flagged([
    options.beat_partner,
    options.trump_partner,
    options.beat_after_trumped,
    options.overtrump,
    options.undertrump === "forced",
    options.sota_caballo === "caballo_over_sota",
    options.cante_window === "before_draw",
    options.cante_before_swap,
    options.cante_needs_trick === "any_trick",
  ]);

/** The sheet in the memory of the engine. */
class Sheet {
  /** @param {WebAssembly.Memory} memory @param {number} at */
  constructor(memory, at) {
    this.view = new DataView(memory.buffer, at, end);
  }

  /** @param {string} name @param {number} value @param {number} [index] */
  put(name, value, index = 0) {
    const { at, bytes } = PLACES[name];
    if (bytes === 1) this.view.setUint8(at + index, value);
    else if (bytes === 2) this.view.setUint16(at + index * 2, value, true);
    else this.view.setUint32(at + index * 4, value, true);
  }

  /** @param {string} name @param {readonly number[]} values */
  putAll(name, values) {
    values.forEach((value, index) => this.put(name, value, index));
  }

  /** A set of cards: two halves of 32. @param {number} place @param {string[]} cards */
  putHand(place, cards) {
    const halves = [0, 0];
    for (const number of cards.map(numberOf)) halves[number >> 5] += 2 ** (number % 32);
    const at = PLACES.hand.at + place * 8;
    halves.forEach((half, index) => this.view.setUint32(at + index * 4, half, true));
  }

  /** @param {string} card */
  isLawful(card) {
    const number = numberOf(card);
    return Boolean((this.view.getUint32(PLACES.lawful.at + (number >> 5) * 4, true) >>> number % 32) & 1);
  }

  /** @param {string} card */
  price(card) {
    return this.view.getInt16(PLACES.price.at + numberOf(card) * 2, true);
  }

  get nodes() {
    return this.view.getUint32(PLACES.nodes.at, true);
  }

  /** A field of one byte. @param {string} name */
  byte(name) {
    return this.view.getUint8(PLACES[name].at);
  }
}

/** @type {(sheet: Sheet, options: Record<string, any>, aim: Aim) => void} */
const writeLaw = (sheet, options, aim) => {
  const inPoints = aim !== "tricks";
  sheet.put("players", options.players);
  sheet.put("law", lawBits(options));
  sheet.putAll("points", inPoints ? POINTS : POINTS.map(() => 0));
  sheet.put("last_trick", inPoints ? options.last_trick_points : 0);
  sheet.put("per_trick", inPoints ? 0 : 1);
  sheet.put("per_player", inPoints ? options.cantes_per_player : 0);
  sheet.put("per_side", options.cantes_per_side);
  sheet.put("sings_in_arrastre", options.cante_in_arrastre ? 1 : 0);
  sheet.putAll("cante", CANTES[aim]);
};

/** @type {(sheet: Sheet, known: KnownPosition) => void} */
const writeCards = (sheet, known) => {
  const seats = seatsOf(known);
  const { laid = [], stock = [], sung = [], winners = ["A", "B", "C"], sung_now = null, swap = null } = known;
  seats.forEach((seat, place) => sheet.putHand(place, known.hands[seat]));
  sheet.put("leader", seats.indexOf(known.leader));
  sheet.put("trump", SUITS.indexOf(known.trump));
  sheet.put("laid", laid.length);
  sheet.putAll("trick", laid.map(numberOf));
  sheet.put("stock_size", stock.length);
  sheet.putAll("stock", stock.map(numberOf));
  sheet.put("sung", bits([...SUITS], sung));
  sheet.put("won", bits([...new Set(seats.map(sideOf))], winners));
  sheet.put("gap_open", sung_now ? 1 : 0);
  sheet.putAll("sung_by", seats.map((seat) => sung_now?.[seat] ?? 0));
  sheet.put("swapper", swap ? seats.indexOf(swap[0]) : NOBODY);
  sheet.put("swap_card", swap ? numberOf(swap[1]) : 0);
};

/** Of the best lawful cards for a side, or against it, the one of least worth. @type {(known: KnownPosition, prices: CardPrices, isFor: boolean) => string} */
const bestCard = (known, { values, lawful }, isFor) => {
  const worth = (/** @type {string} */ card) => {
    const rank = RANKS.indexOf(card[0]);
    return 100 * POINTS[rank] + (card[1] === known.trump ? 50 : 0) + rank;
  };
  const [first, ...others] = [...lawful].sort((one, other) => worth(one) - worth(other));
  return others.reduce((best, card) => ((isFor ? values[card] > values[best] : values[card] < values[best]) ? card : best), first);
};

/** The engine, for one question after another. */
export class Engine {
  /** @param {WebAssembly.Instance} instance */
  constructor(instance) {
    this.ask = /** @type {Record<string, (...given: number[]) => number>} */ (/** @type {unknown} */ (instance.exports));
    const memory = /** @type {WebAssembly.Memory} */ (instance.exports.memory);
    this.sheet = new Sheet(memory, this.ask.address());
  }

  /** Nodes that the last question used. */
  get nodes() {
    return this.sheet.nodes;
  }

  /** The line of a card if one is asked about, else the prices of a position. @param {{known: KnownPosition, card?: string}} question @param {number} mostNodes */
  answer({ known, card }, mostNodes) {
    return card ? this.line(known, card, mostNodes) : this.prices(known, undefined, mostNodes);
  }

  /** @param {KnownPosition} known @param {AskedFor} asked @param {number} mostNodes */
  write(known, { side, aim, friends }, mostNodes) {
    const ours = seatsOf(known).filter((seat) => sideOf(seat) === side);
    writeLaw(this.sheet, known.options, aim);
    writeCards(this.sheet, known);
    this.sheet.put("ours", bits(seatsOf(known), ours));
    this.sheet.put("with_us", bits(seatsOf(known), friends ?? ours));
    this.sheet.put("most_nodes", mostNodes);
  }

  /**
   * Points that a side makes from here, the open trick included, half of each cante given and half taken; the side to play
   * if none is said. null if the nodes did not suffice, here and below.
   * @param {KnownPosition} known @param {AskedFor} [asked] @param {number} [mostNodes] @returns {number | null}
   */
  value(known, asked = { side: sideOf(seatToPlay(known)), aim: "lead" }, mostNodes = MOST_NODES) {
    this.write(known, asked, mostNodes);
    const found = this.ask.value();
    return found === UNKNOWN ? null : found;
  }

  /**
   * Value after each card of the seat to play, the unlawful ones too.
   * @param {KnownPosition} known @param {AskedFor} [asked] @param {number} [mostNodes] @returns {CardPrices | null}
   */
  prices(known, asked = { side: sideOf(seatToPlay(known)), aim: "lead" }, mostNodes = MOST_NODES) {
    this.write(known, asked, mostNodes);
    if (this.ask.prices() === UNKNOWN) return null;
    const seat = seatToPlay(known);
    const held = known.hands[seat];
    const values = Object.fromEntries(held.map((card) => [card, this.sheet.price(card)]));
    const lawful = held.filter((card) => this.sheet.isLawful(card));
    return { seat, values, lawful, best: Math.max(...lawful.map((card) => values[card])), nodes: this.nodes };
  }

  /**
   * A card is laid, and what follows from it: a full trick is closed, and what is worth singing after it is sung.
   * @param {KnownPosition} known @param {string} card @param {string} side for which, or against which, best play goes on
   * @param {number} [mostNodes] @returns {BestPlayCard | null}
   */
  lay(known, card, side, mostNodes = MOST_NODES) {
    this.write(known, { side, aim: "lead" }, mostNodes);
    if (this.ask.lay(numberOf(card)) === UNKNOWN) return null;
    const [seats, seat, sheet] = [seatsOf(known), seatToPlay(known), this.sheet];
    const then = {
      ...known,
      leader: seats[sheet.byte("leader")],
      hands: { ...known.hands, [seat]: known.hands[seat].filter((one) => one !== card) },
      laid: sheet.byte("laid") ? [...(known.laid ?? []), card] : [],
      sung: chosen([...SUITS], sheet.byte("sung")),
      winners: chosen([...new Set(seats.map(sideOf))], sheet.byte("won")),
      sung_now: null,
      swap: null,
    };
    return { seat, card, before: known, then, winner: seats[sheet.byte("winner")] };
  }

  /**
   * Best play for the side to play, and against it, from a card of the seat to play to the end of the deal.
   * @param {KnownPosition} known @param {string} card @param {number} [mostNodes] for a card @returns {BestPlayCard[] | null}
   */
  line(known, card, mostNodes = MOST_NODES) {
    const side = sideOf(seatToPlay(known));
    /** @type {BestPlayCard[]} */
    const line = [];
    for (let [now, next] = [known, card]; ; ) {
      const laid = this.lay(now, next, side, mostNodes);
      if (!laid) return null;
      line.push(laid);
      now = laid.then;
      if (!now.hands[seatToPlay(now)].length) return line;
      const prices = this.prices(now, { side, aim: "lead" }, mostNodes);
      if (!prices) return null;
      next = bestCard(now, prices, sideOf(prices.seat) === side);
    }
  }

  /**
   * Whether a side can make so many points from here against best play, its cantes whole. `rival`: points that the other side
   * needs, in a race that the first to have its own wins; nobody sings in it.
   * @param {KnownPosition} known @param {string} side @param {number} points @param {number} [mostNodes] @param {number} [rival]
   * @returns {boolean | null}
   */
  reaches(known, side, points, mostNodes = MOST_NODES, rival = 0) {
    this.write(known, { side, aim: "points" }, mostNodes);
    if (rival) this.sheet.put("per_player", 0);
    const found = rival ? this.ask.race(points, rival) : this.ask.reaches(points);
    return found === UNKNOWN ? null : found === 1;
  }

  /**
   * How good a claim of all remaining tricks is: in whatever order the seat plays, whatever its partner does if it plays
   * well itself, with best play of both, or not at all.
   * @param {KnownPosition} known @param {string} seat @param {number} [mostNodes] @returns {ClaimStrength | null}
   */
  claimOfRest(known, seat, mostNodes = MOST_NODES) {
    const seats = seatsOf(known);
    const side = sideOf(seat);
    const tricks = tricksLeft(known);
    const pair = seats.filter((one) => sideOf(one) === side);
    /** @type {[ClaimStrength, string[]][]} */
    const ways = [["any_order", []], ["any_partner", [seat]], ["best_play", pair]];
    for (const [strength, friends] of ways) {
      this.write(known, { side, aim: "tricks", friends }, mostNodes);
      const found = this.ask.reaches(tricks);
      if (found === UNKNOWN) return null;
      if (found === 1) return strength;
    }
    return "fails";
  }
}

/** An engine of the bytes of engine.wasm. @type {(bytes: BufferSource) => Promise<Engine>} */
export const openEngine = async (bytes) => new Engine((await WebAssembly.instantiate(bytes, {})).instance);

/** All cards, as the engine numbers them. @type {readonly string[]} */
export const CARDS = Array.from({ length: SUITS.length * RANKS.length }, (_, number) => tokenOf(number));
