// The sign-out page. After the button on another page, no confirmation is asked here.
import { prefix } from "../../html/prefix.js";
import { html, render } from "../vendor/ui.js";
import { onLeaving } from "./clearing.js";
import { View } from "./leaving.js";
import { Left } from "./left.js";

const place = /** @type {HTMLElement} */ (document.getElementById("leaving"));

const { referrer } = document;
const isAsked = referrer !== "" && new URL(referrer).origin === location.origin && new URL(referrer).pathname !== `${prefix}/salir`;
onLeaving((left) => render(html`<${Left} ...${left} />`, place));
render(html`<${View} isAsked=${isAsked} />`, place);
