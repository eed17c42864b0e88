// Ways to ask the engine: in a Worker on the page of the service, card after card on the page's own thread in a file.
import { openEngine } from "./engine.js";
/** @import { CardPrices, KnownPosition } from "./engine.js" */

/** Prices of a position; null if it needs too many nodes. It fails where there is no engine. @typedef {(known: KnownPosition) => Promise<CardPrices | null>} Ask */

/** How the engine is asked that a page has in itself. @type {(holder: HTMLElement) => Ask} */
export const asking = (holder) => {
  const bytes = Uint8Array.from(atob(holder.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const { worker } = holder.dataset;
  return worker ? inWorker(worker, bytes) : onThisThread(bytes);
};

/** One question at a time. @type {(address: string, bytes: Uint8Array<ArrayBuffer>) => Ask} */
const inWorker = (address, bytes) => {
  const worker = new Worker(address, { type: "module" });
  worker.postMessage({ bytes });
  return (known) =>
    new Promise((found, fail) => {
      worker.onmessage = ({ data }) => ("failed" in data ? fail(new Error(data.failed)) : found(data.prices));
      worker.onerror = (event) => fail(new Error(event.message));
      worker.postMessage({ known });
    });
};

/** @type {(bytes: Uint8Array<ArrayBuffer>) => Ask} */
const onThisThread = (bytes) => {
  const opened = openEngine(bytes);
  opened.catch(() => {}); // each question fails with it
  return async (known) => {
    const engine = await opened;
    await new Promise((next) => setTimeout(next));
    return engine.prices(known);
  };
};
