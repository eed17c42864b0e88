// Whether this device trusts the certificate of the house, which the house is then told.
// A page that was opened in spite of a warning may not register a service worker.
import { prefix } from "../html/prefix.js";
const said = /** @type {HTMLElement} */ (document.getElementById("trust"));
const script = /** @type {HTMLElement} */ (document.querySelector("script[data-worker]"));

const isTrusted = async () => {
  if (!window.isSecureContext) return false;
  if (!("serviceWorker" in navigator)) return true; // a private window has none
  try {
    const made = await navigator.serviceWorker.register(script.dataset.worker ?? "");
    await made.unregister();
    return true;
  } catch {
    return false;
  }
};

const works = (await isTrusted()) && (await fetch(`${prefix}/certificado`, { method: "POST" })).ok;
said.className = works ? "came" : "wrong";
said.textContent = (works ? said.dataset.works : said.dataset.fails) ?? "";
if (works) document.getElementById("works")?.removeAttribute("hidden");
