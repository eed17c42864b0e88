// The table that was open last: the tablet opens it again, for example after its battery was empty.
import { ours } from "../html/prefix.js";
import { read } from "./outbox/store.js";

const LAST = ours("guinote.last");

/** Stores which table is open. @type {(encuentro: string) => void} */
export const remember = (encuentro) => {
  try {
    localStorage.setItem(LAST, encuentro);
  } catch {
    // the browser has no storage: the tablet opens the list of tables
  }
};

/** The table that was open last, if it is stored here and not finished; else "". @type {() => Promise<string>} */
export const lastTable = async () => {
  try {
    const encuentro = localStorage.getItem(LAST);
    const table = encuentro && (await read(["tables"], (tx) => tx.objectStore("tables").get(encuentro)));
    return table && !table.view.decided ? encuentro : "";
  } catch {
    return "";
  }
};
