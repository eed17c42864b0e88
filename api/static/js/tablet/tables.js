// Placeholder of a view.
import { html } from "../../vendor/ui.js";
import { t } from "../words.js";

export const View = () => html`<h1>${t("tablet.title")}</h1>`;
