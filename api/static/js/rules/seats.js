/**
 * Seats in order of play, and sides.
 * @typedef {string} Seat
 * @typedef {string} Side
 */

/** @type {Record<number, Seat[]>} */
export const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };
/** @type {Record<number, Side[]>} */
export const SIDES = { 2: ["A", "B"], 3: ["A", "B", "C"], 4: ["A", "B"] };

/** Side of a seat: its letter. @param {Seat} seat @returns {Side} */
export const sideOf = (seat) => seat[0];

/** All seats in order of play, beginning with this one. @param {Seat} seat @param {number} players @returns {Seat[]} */
export const orderFrom = (seat, players) => {
  const seats = SEATS[players];
  const start = seats.indexOf(seat);
  return [...seats.slice(start), ...seats.slice(0, start)];
};

/** Seat that plays after this one. @param {Seat} seat @param {number} players */
export const nextSeat = (seat, players) => orderFrom(seat, players)[1];

/** Seat opposite of the same side; null for a lone player. @param {Seat} seat @param {number} players */
export const partnerOf = (seat, players) => (players === 4 ? orderFrom(seat, players)[2] : null);
