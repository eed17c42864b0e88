// The manual on this tablet: which of its tasks explains what is shown.
import { html, useEffect } from "./vendor/ui.js";
import { t } from "../html/words.js";

/** Address of a task; `api/tablet/pages.py` says which there are. @type {(task: string) => string} */
const addressOf = (task) => `/arbitro/ayuda/#${task}`;

/** Tasks by the beginning of the rules of findings, where it is not that of corrections. @type {[RegExp, string][]} */
const OF_RULES = [
  [/^(cante|tute|suit-request|swap|two-for-seven)/, "cantes-y-siete"],
  [/^claim/, "cantar-las-101"],
  [/^(follow|beat|trump|overtrump|undertrump|out-of-turn-in|denounced|confirmed|accusation)/, "renuncio-y-caso"],
  [/^(talk|signal|shown|late$)/, "renuncio-y-caso"],
];

/** Task that explains what to do about a finding. @type {(rule: string) => string} */
export const taskOfRule = (rule) => OF_RULES.find(([beginning]) => beginning.test(rule))?.[1] ?? "deshacer-y-corregir";

/** The "?" of the bar leads to this task while a view is shown. @type {(task: string) => void} */
export const useHelp = (task) =>
  useEffect(() => {
    document.querySelector("header a.help")?.setAttribute("href", addressOf(task));
  }, [task]);

/** A link to a task, by its words or as a "?". @param {{task: string, word?: string}} props */
export const HelpLink = ({ task, word }) =>
  word ? html`<a class="button plain" href=${addressOf(task)}>${word}</a>`
    : html`<a class="help" href=${addressOf(task)} aria-label=${t("tablet.help.here")}>?</a>`;
