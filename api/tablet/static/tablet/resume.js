// Where the arbiter was: after a dead battery the tablet opens there.
import { read } from "./outbox/store.js";

const LAST = "guinote.last";

/** Keeps the table that is looked at. @type {(encuentro: string) => void} */
export const remember = (encuentro) => {
  try {
    localStorage.setItem(LAST, encuentro);
  } catch {
    // a browser that keeps nothing opens at the list
  }
};

/** The table looked at last, if it is known here and goes on; else "". @type {() => Promise<string>} */
export const lastTable = async () => {
  try {
    const encuentro = localStorage.getItem(LAST);
    const table = encuentro && (await read(["tables"], (tx) => tx.objectStore("tables").get(encuentro)));
    return table && !table.view.decided ? encuentro : "";
  } catch {
    return "";
  }
};
