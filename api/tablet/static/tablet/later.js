// A part of the page whose module is loaded when it is shown.
import { html, useEffect, useState } from "./vendor/ui.js";
import { fetched } from "./fetched.js";

/** The part of this name of a module, with all other props. @param {{load: () => Promise<any>, part: string}} props */
export const Later = ({ load, part, ...props }) => {
  const [found, find] = useState(/** @type {any} */ (null));
  useEffect(() => void fetched(load).then(find), []);
  return found && html`<${found[part]} ...${props} />`;
};
