/** Seats in order of play, and sides. */

export const SEATS = { 2: ["A1", "B1"], 3: ["A1", "B1", "C1"], 4: ["A1", "B1", "A2", "B2"] };

export const SIDES = { 2: ["A", "B"], 3: ["A", "B", "C"], 4: ["A", "B"] };

/** Side of a seat: its letter. */
export const sideOf = (seat) => seat[0];

/** All seats in order of play, beginning with this one. */
export const orderFrom = (seat, players) => {
  const seats = SEATS[players];
  const start = seats.indexOf(seat);
  return [...seats.slice(start), ...seats.slice(0, start)];
};

/** Seat that plays after this one. */
export const nextSeat = (seat, players) => orderFrom(seat, players)[1];

/** Seat opposite of the same side; null for a lone player. */
export const partnerOf = (seat, players) => (players === 4 ? orderFrom(seat, players)[2] : null);
