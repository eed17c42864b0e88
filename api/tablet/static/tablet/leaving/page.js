// The page for signing out. Who pressed the button of another page of ours has been asked already.
import { html, render } from "../vendor/ui.js";
import { View } from "./leaving.js";

const { referrer } = document;
const isAsked = referrer !== "" && new URL(referrer).origin === location.origin && new URL(referrer).pathname !== "/salir";
render(html`<${View} isAsked=${isAsked} />`, /** @type {HTMLElement} */ (document.getElementById("leaving")));
