// The table that is shown, once there is one to show.
import { useEffect, useState } from "./vendor/ui.js";
import { pauseMs } from "./outbox/asking.js";
import { openTable } from "./outbox/table.js";
/** @import { OpenTable } from "./outbox/table.js" */

/** @typedef {{table: OpenTable | null, problem: string}} Opened */

/** Why there is no table yet, where asking again may help. */
const PASSING = ["later", "signed_out"];
/** @type {Opened} */
const NOTHING = { table: null, problem: "" };

/**
 * `{table, problem}` of an encuentro: the table as soon as it is kept here or the server gives it; until then, after each time
 * that was in vain, the code of the problem. Another object each time.
 * @type {(id: string) => Opened}
 */
export const useTable = (id) => {
  const [found, find] = useState(NOTHING);
  useEffect(() => {
    let isGone = false;
    let timer = 0;
    const failed = (/** @type {{code: unknown}} */ { code }) => {
      if (isGone) return;
      const problem = typeof code === "string" ? code : "later"; // what the browser throws has numbers
      find({ table: null, problem });
      if (PASSING.includes(problem)) timer = setTimeout(open, pauseMs());
    };
    const open = () => {
      openTable(id).then((table) => isGone || find({ table, problem: "" }), failed);
    };
    find(NOTHING);
    if (id) open();
    return () => {
      isGone = true;
      clearTimeout(timer);
    };
  }, [id]);
  return found;
};
