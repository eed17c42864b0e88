/**
 * Seats in order of play, "A1", "B1"…, and sides: the letter of a seat.
 * @typedef {string} Seat "" where none is known
 * @typedef {string} Side
 */

/** @type {Record<number, Seat[]>} */
export const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };
/** @type {Record<number, Side[]>} */
export const SIDES = { 2: ["A", "B"], 3: ["A", "B", "C"], 4: ["A", "B"] };

/** @type {(seat: Seat) => Side} */
export const sideOf = (seat) => seat[0];

/** All seats in order of play, beginning with this one. @type {(seat: Seat, players: number) => Seat[]} */
export const orderFrom = (seat, players) => {
  const start = SEATS[players].indexOf(seat);
  return [...SEATS[players].slice(start), ...SEATS[players].slice(0, start)];
};

/** @type {(seat: Seat, players: number) => Seat} */
export const nextSeat = (seat, players) => orderFrom(seat, players)[1];

/** Seat opposite of the same side; null for a lone player. @type {(seat: Seat, players: number) => Seat | null} */
export const partnerOf = (seat, players) => (players === 4 ? orderFrom(seat, players)[2] : null);

/**
 * Seat on the left, where the dealer offers the cut.
 * @type {(seat: Seat, players: number, direction: "anticlockwise" | "clockwise") => Seat}
 */
export const leftOf = (seat, players, direction) => orderFrom(seat, players)[direction === "clockwise" ? 1 : players - 1];
