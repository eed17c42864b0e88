// Features of style sheets that a browser for which the pages are written does not have.
import postcss from "postcss";
import { BROWSERS } from "./browsers.js";

/** A sheet without what stands in `@supports`, which is for browsers that have it: the others must do without. */
const parse = (text, options) => {
  const sheet = postcss.parse(text, options);
  sheet.walkAtRules("supports", (rule) => rule.remove());
  return sheet;
};

export default {
  plugins: ["stylelint-no-unsupported-browser-features"],
  customSyntax: { parse, stringify: postcss.stringify },
  reportDescriptionlessDisables: true,
  reportNeedlessDisables: true,
  rules: {
    "plugin/no-unsupported-browser-features": [
      true,
      {
        browsers: BROWSERS,
        ignorePartialSupport: true,
        ignore: [
          "css-container-queries", // rules for a very small felt, which a browser that does not know them leaves out
          "css-paged-media", // sheets are printed with the margins of the browser where it has no @page
          "css-resize", // a field of text that cannot be made larger scrolls
          "css-touch-action", // Safari of a computer has no touch
        ],
      },
    ],
  },
};
