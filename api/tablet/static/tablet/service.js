// Answers of the service about a partida that are not stored here; null if it does not answer, for example without a network.
// It is never asked about the table of the tour.
import { prefix } from "../html/prefix.js";
import { PRACTICE } from "./tour/practice.js";

/**
 * @typedef {{profile: string, section: string, basis: string}} Article of a rulebook
 *
 * @typedef {object} ActEvidence evidence of the service about an act
 * @property {number} line
 * @property {string} rule
 * @property {"lawful" | "unlawful" | "open"} verdict
 * @property {string} text
 * @property {number} since
 * @property {boolean} by_count
 * @property {{lines: number[], cards: string[]}} [proof]
 * @property {{cards: string[], tricks: number[]}} [settles]
 * @property {Article} [article]
 * @property {{text: string}} [slip]
 */

/**
 * A JSON answer about a partida.
 * @type {(id: string, number: number, path: string, how?: {body?: object, signal?: AbortSignal}) => Promise<any>}
 */
export const asked = async (id, number, path, { body, signal } = {}) => {
  if (id === PRACTICE) return null;
  const settings = body
    ? { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) }
    : {};
  const answer = await fetch(`${prefix}/api/v1/encuentros/${id}/partidas/${number}${path}`, { cache: "no-store", ...settings, signal });
  return answer.ok ? answer.json() : null;
};

/**
 * Whether the session may open cases about an encuentro: the page of the tablet names its permissions in a header.
 * @type {(id: string) => Promise<boolean>}
 */
export const mayOpenCases = async (id) => {
  if (id === PRACTICE) return false;
  const answer = await fetch(`${prefix}/arbitro/`, { method: "HEAD", cache: "no-store" });
  return (answer.headers.get("Guinote-Permissions") ?? "").split(" ").includes("cases:open");
};
