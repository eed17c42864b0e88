// Notifications between the views of this browser, in all tabs, that the data of an encuentro changed.
import { ours } from "../../html/prefix.js";

/** @type {BroadcastChannel | null} */
const channel = "BroadcastChannel" in globalThis ? new BroadcastChannel(ours("guinote")) : null;
/** @type {Set<(encuentro: string) => void>} */
const listeners = new Set();

channel?.addEventListener("message", ({ data }) => listeners.forEach((listener) => listener(data)));

/**
 * Notifies the other views, in this tab and in others, that an encuentro changed.
 * @type {(encuentro: string) => void}
 */
export const announceChange = (encuentro) => {
  channel?.postMessage(encuentro);
  listeners.forEach((listener) => listener(encuentro));
};

/**
 * Calls the listener with each encuentro that changes, in any tab. The result removes the listener.
 * @type {(listener: (encuentro: string) => void) => () => void}
 */
export const onChange = (listener) => {
  listeners.add(listener);
  return () => listeners.delete(listener);
};
