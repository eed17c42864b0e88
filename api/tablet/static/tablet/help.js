// The manual on this tablet: which of its tasks explains what is shown.
import { prefix } from "../html/prefix.js";
import { html, useEffect } from "./vendor/ui.js";
import { t } from "../html/words.js";

/** Address of a task; `api/tablet/pages.py` says which there are. @type {(task: string) => string} */
const addressOf = (task) => `${prefix}/arbitro/ayuda/#${task}`;

/** Tasks by the beginning of the rules of findings: `api/html/topics.py`. @type {() => [string, string][]} */
const ofRules = () => JSON.parse(document.getElementById("tasks-of-rules")?.textContent ?? "[]");

/** Task that explains what to do about a finding. @type {(rule: string) => string} */
export const taskOfRule = (rule) => ofRules().find(([beginning]) => new RegExp(beginning).test(rule))?.[1] ?? "";

/** The "?" of the bar leads to this task while a view is shown. @type {(task: string) => void} */
export const useHelp = (task) =>
  useEffect(() => {
    document.querySelector("header a.help")?.setAttribute("href", addressOf(task));
  }, [task]);

/** A link to a task, by its words or as a "?". @param {{task: string, word?: string}} props */
export const HelpLink = ({ task, word }) =>
  word ? html`<a class="button plain" href=${addressOf(task)}>${word}</a>`
    : html`<a class="help" href=${addressOf(task)} aria-label=${t("tablet.help.here")}>?</a>`;
