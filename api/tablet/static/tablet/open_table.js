// Hook that opens the table of a page, and tries again while that fails.
import { useEffect, useState } from "./vendor/ui.js";
import { pauseMs } from "./outbox/asking.js";
import { openTable } from "./outbox/table.js";
/** @import { OpenTable } from "./outbox/table.js" */

/** @typedef {{table: OpenTable | null, problem: string}} OpenedTable */

/** Problems after which another try may succeed. */
const PASSING = ["later", "signed_out"];
/** @type {OpenedTable} */
const NOTHING = { table: null, problem: "" };

/**
 * `{table, problem}` of an encuentro. The table comes from the database of this browser, or from the server. Until there is one,
 * `problem` is the code of the last failed try. Each result is a new object.
 * @type {(id: string) => OpenedTable}
 */
export const useTable = (id) => {
  const [found, find] = useState(NOTHING);
  useEffect(() => {
    let isGone = false;
    let timer = 0;
    const failed = (/** @type {{code: unknown}} */ { code }) => {
      if (isGone) return;
      const problem = typeof code === "string" ? code : "later"; // exceptions of the browser have numeric codes
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
