// Requests to the server: what an answer means for the queue, and whether there is a connection.
import { prefix } from "../../html/prefix.js";
import { lang } from "../../html/words.js";

const PATIENCE_MS = 15_000;
const SHORTEST_MS = 1_000;
const LONGEST_MS = 10_000;
const CLOCK = "Guinote-Clock";
const LATER = [408, 425, 429];
const GRACE_MS = 3_000;

/** @import { Command } from "./commands.js" */
/**
 * Outcome of a request: `answered`; `wrong`, a problem that another try does not solve; `signed_out`; `later`, it is not known
 * whether the server did it.
 * @typedef {{outcome: "answered" | "wrong", answer: Response, content: any}
 *   | {outcome: "later" | "signed_out", answer?: undefined, content?: undefined}} Asked
 */

/**
 * State of the connection, for the bar. `since`: when the server stopped answering, or null. `isFull`: it has no room for a write.
 * `isApart`: its clock and this one are minutes apart.
 */
export const server = { since: /** @type {string | null} */ (null), isSignedOut: false, isRevoked: false, isFull: false, isApart: false };

let failures = 0;
let notBefore = 0;

/** Whether there is no connection: the browser says so, or no answer came for longer than a request takes that fails as a tablet wakes up. */
export const isOffline = () => server.since !== null && (!navigator.onLine || Date.now() - Date.parse(server.since) > GRACE_MS);

/** Milliseconds until the next try: longer after each failure, with a random part so that tablets do not all try at once. */
export const pauseMs = () => {
  if (server.isSignedOut) return LONGEST_MS;
  const growing = Math.min(LONGEST_MS, SHORTEST_MS * 2 ** Math.min(Math.max(failures - 1, 0), 10));
  return Math.max(notBefore - Date.now(), growing * (0.5 + Math.random() / 2));
};

/** Resets the pause: the network is back, or the page is visible again. */
export const hope = () => {
  failures = 0;
};

const silent = () => {
  failures += 1;
  server.since ??= new Date().toISOString();
};

/** @type {() => void} */
let revoked = () => {};

/** Sets the listener for the answer that this session or device was revoked; no other answer means that. */
export const onRevoked = (/** @type {() => void} */ listener) => {
  revoked = listener;
};

/** @type {(status: number, code: unknown) => void} */
const heard = (status, code) => {
  failures = 0;
  notBefore = 0;
  server.since = null;
  server.isSignedOut = status === 401;
  if (!server.isSignedOut || code !== "revoked" || server.isRevoked) return;
  server.isRevoked = true;
  revoked();
};

/**
 * The JSON of an answer of the service; null if another server answered, for example a captive portal.
 * @type {(answer: Response) => Promise<any>}
 */
const contentOf = async (answer) => {
  const type = answer.headers.get("Content-Type") ?? "";
  const isOurs = type.startsWith("application/json") || type.startsWith("application/problem+json");
  const content = isOurs ? await answer.json() : null;
  return content && typeof content === "object" ? content : null;
};

/** @type {(address: string, settings: RequestInit) => Promise<{answer: Response, content: any}>} */
const asked = async (address, settings) => {
  const url = `${address}${address.includes("?") ? "&" : "?"}lang=${lang}`;
  const signal = AbortSignal.timeout?.(PATIENCE_MS);
  const headers = { ...settings.headers, [CLOCK]: new Date(Date.now()).toISOString() };
  const answer = await fetch(url, { cache: "no-store", redirect: "error", ...settings, headers, signal });
  server.isApart = answer.headers.has(CLOCK);
  return { answer, content: answer.status === 304 ? {} : await contentOf(answer) };
};

/** @type {(answer: Response) => void} */
const waits = (answer) => {
  const seconds = Number(answer?.headers.get("Retry-After"));
  if (seconds > 0) notBefore = Date.now() + Math.min(seconds * 1000, LONGEST_MS);
};

/**
 * Asks once.
 * @type {(address: string, settings?: RequestInit) => Promise<Asked>}
 */
export const ask = async (address, settings = {}) => {
  if (server.isRevoked) return { outcome: "signed_out" };
  const found = await asked(address, settings).catch(() => null);
  if (!found || settings.method) server.isFull = found?.answer.status === 507;
  if (!found) {
    silent();
    return { outcome: "later" };
  }
  const { answer, content } = found;
  if (!content || answer.status >= 500 || LATER.includes(answer.status)) {
    waits(answer);
    silent();
    return { outcome: "later" };
  }
  heard(answer.status, content.code);
  if (answer.status === 401) return { outcome: "signed_out" };
  return { outcome: answer.ok || answer.status === 304 ? "answered" : "wrong", answer, content };
};

/** Whether the service can be reached now; no service worker answers this. @type {() => Promise<boolean>} */
export const isReached = () => fetch(`${prefix}/healthz`, { cache: "no-store" }).then(({ ok }) => ok, () => false);

/** Headers of a command, the same at each try. @type {(command: Command) => Record<string, string>} */
export const headersOf = ({ key, expect, device }) => ({
  "Content-Type": "application/json",
  "Idempotency-Key": key,
  "If-Match": `"${expect}"`,
  "Guinote-Device": device,
});

/** Sends a command as it was stored. @type {(command: Command) => Promise<Asked>} */
export const send = (command) => ask(command.path, { method: "POST", body: command.body, headers: headersOf(command) });
