// The style of the modules of the pages, in line with the rules for Python in pyproject.toml.
import js from "@eslint/js";
import globals from "globals";

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

export default [
  { ignores: ["**/vendor/**"] },
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  {
    files: ["**/*.js"],
    languageOptions: { ecmaVersion: "latest", sourceType: "module", globals: globals.browser },
    rules: RULES,
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
    files: ["docs/verifier/json.js", "docs/verifier/note.js"],
    rules: { "no-control-regex": "off" },
  },
];
