// What the service says of a partida beyond what is kept here; null where it does not answer, as without a network.
import { t } from "../words.js";

/** A JSON answer about a partida. @param {string} id @param {number} number @param {string} path @param {any} [body] */
export const asked = async (id, number, path, { body, signal } = {}) => {
  const settings = body
    ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }
    : {};
  const answer = await fetch(`/api/v1/encuentros/${id}/partidas/${number}${path}`, { ...settings, signal });
  return answer.ok ? answer.json() : null;
};

/** Seats in a text of the service by the names of who sits there. */
export const named = (text, say) => text.replace(/\b[ABC][12]\b/g, (seat) => say.seat(seat));

/** The article of a rulebook, as one cites it. */
export const cited = ({ profile, section, basis }) =>
  `${profile}${section ? `, «${section}»` : ""} (${t(`basis.${basis}`)})`;
