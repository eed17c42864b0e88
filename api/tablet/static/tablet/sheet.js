// A sheet over the table: a dialog. Escape, its button or a tap outside close it.
import { html, useCallback, useEffect, useRef } from "./vendor/ui.js";
import { t } from "../html/words.js";
import { HelpLink } from "./help.js";

/** `help`: task of the manual that explains it. @param {{title: string, help: string, onClose: () => void, children: unknown}} props */
export const Sheet = ({ title, help, onClose, children }) => {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const keep = useCallback((/** @type {HTMLDialogElement | null} */ shown) => {
    if (!shown) dialog.current?.close(); // while it is in the page: the focus goes back to what opened it
    dialog.current = shown;
  }, []);
  useEffect(() => dialog.current?.showModal(), []);
  const onClick = (/** @type {Event} */ event) => event.target === dialog.current && onClose();
  const onCancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  return html`
    <dialog class="sheet" ref=${keep} aria-labelledby="sheet-title" onClick=${onClick} onCancel=${onCancel}>
      <div class="inside">
        <header><h2 id="sheet-title">${title}</h2><${HelpLink} task=${help} /><button type="button" class="plain" onClick=${onClose}>${t("tablet.table.close")}</button></header>
        ${children}
      </div>
    </dialog>`;
};

/**
 * A group of buttons, one of them chosen: `choices` are `[value, label]`.
 * @param {{label: string, choices: [any, string][], value: unknown, onChoose: (value: any) => void}} props
 */
export const Choice = ({ label, choices, value, onChoose }) => html`
  <div class="choice" role="group" aria-label=${label}>
    <span class="label" aria-hidden="true">${label}</span>
    ${choices.map(([one, said]) => html`
      <button type="button" key=${String(one)} class="option" aria-pressed=${one === value} onClick=${() => onChoose(one)}>${said}</button>`)}
  </div>`;
