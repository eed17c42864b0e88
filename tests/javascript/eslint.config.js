// The style of the modules of the pages, in line with the rules for Python in pyproject.toml.
import js from "@eslint/js";
import compat from "eslint-plugin-compat";
import esX from "eslint-plugin-es-x";
import globals from "globals";
import { BROWSERS } from "./browsers.js";

const RULES = {
  ...js.configs.recommended.rules,
  // twice the ten of Python: each ?., ?? and default counts here
  complexity: ["error", 20],
  eqeqeq: "error",
  "max-depth": ["error", 4],
  "max-lines-per-function": ["error", { max: 40, skipBlankLines: true, skipComments: true }],
  "max-params": ["error", 6],
  "no-shadow-restricted-names": "error",
  // what is taken out of an object to leave the rest is used by that
  "no-unused-vars": ["error", { argsIgnorePattern: "^_", varsIgnorePattern: "^_", ignoreRestSiblings: true }],
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": "error",
  "prefer-template": "error",
};

// Methods that the above does not know: they may be called where they are, `AbortSignal.timeout?.(…)`.
const NEWER = [
  ["AbortSignal", "any|timeout"],
  ["URL", "canParse|parse"],
  ["document", "startViewTransition"],
].map(([object, methods]) => ({
  selector: `CallExpression[optional=false] > MemberExpression.callee[object.name="${object}"][property.name=/^(${methods})$/]`,
  message: "Not every browser has it: call it with ?.(",
}));

export default [
  { ignores: ["**/vendor/**"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.js"],
    // the newest syntax that all of these browsers read
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    plugins: { compat, "es-x": esX },
    settings: {
      browsers: BROWSERS,
      lintAllEsApis: true,
      polyfills: ["navigator.wakeLock"], // where there is none, the screen goes dark, which the page says
    },
    rules: {
      ...RULES,
      "compat/compat": "error",
      // of ES 2022 and before, Safari 16.4
      "es-x/no-class-static-block": "error",
      "es-x/no-regexp-lookbehind-assertions": "error",
      "no-restricted-syntax": ["error", ...NEWER],
    },
  },
  {
    // a classic script for browsers that know no modules: what it may not use is a fault of parsing
    files: ["**/reload_fallback.js", "**/old_browser.js"],
    languageOptions: { ecmaVersion: 5, sourceType: "script" },
    rules: { "no-var": "off", "prefer-const": "off", "object-shorthand": "off", "prefer-template": "off" },
  },
  {
    files: ["**/worker.js"],
    languageOptions: { sourceType: "script", globals: globals.serviceworker },
  },
  {
    // control characters are what these two refuse
    files: ["api/audit/verifier/json.js", "api/audit/verifier/note.js"],
    rules: { "no-control-regex": "off" },
  },
];
