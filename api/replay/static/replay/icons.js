// Icons of the buttons as drawings, since not every font has these signs.
import { svg } from "./dom.js";

const BACK = "M16 4 6 12l10 8Z";
const ON = "M8 4l10 8-10 8Z";
/** @type {Record<string, string>} */
const SHAPES = {
  first: "M5 4h3v16H5ZM20 4 9 12l11 8Z",
  trick_back: "M12 4 2 12l10 8ZM22 4 12 12l10 8Z",
  back: BACK,
  play: "M6 3l15 9-15 9Z",
  pause: "M5 4h5v16H5ZM14 4h5v16h-5Z",
  on: ON,
  trick_on: "M2 4l10 8-10 8ZM12 4l10 8-10 8Z",
  last: "M16 4h3v16h-3ZM4 4l11 8-11 8Z",
};

/** Icon of a button by its name. @type {(name: string) => SVGSVGElement} */
export const icon = (name) =>
  svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: SHAPES[name], fill: "currentColor" }));
