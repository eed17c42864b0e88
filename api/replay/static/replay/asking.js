// Ways to ask the engine: in a Worker on the page of the service, question after question on the page's own thread in a file.
import { openEngine } from "./engine.js";
/** @import { CardPrices, KnownPosition, BestPlayCard } from "./engine.js" */

/**
 * Prices of a position, and best play from a card of the seat to play; null if it needs too many nodes. Both fail where there is no engine.
 * @typedef {{prices: (known: KnownPosition) => Promise<CardPrices | null>, line: (known: KnownPosition, card: string) => Promise<BestPlayCard[] | null>}} AskedEngine
 * @typedef {{known: KnownPosition, card?: string}} EngineQuestion with a card: its line
 */

/** How the engine is asked that a page has in itself. @type {(holder: HTMLElement) => AskedEngine} */
export const askedEngine = (holder) => {
  const ask = inTurn(opened(holder));
  return { prices: (known) => ask({ known }), line: (known, card) => ask({ known, card }) };
};

/** A way to ask; it fails in a browser that has none. @type {(holder: HTMLElement) => Promise<(question: EngineQuestion) => Promise<any>>} */
const opened = async (holder) => {
  const bytes = Uint8Array.from(atob(holder.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const { worker } = holder.dataset;
  return worker ? inWorker(worker, bytes) : onThisThread(bytes);
};

/** One question at a time. @type {(way: Promise<(question: EngineQuestion) => Promise<any>>) => (question: EngineQuestion) => Promise<any>} */
const inTurn = (way) => {
  /** @type {Promise<any>} */
  let last = way.catch(() => {}); // each question fails with it
  return (question) => {
    const answer = last.then(async () => (await way)(question));
    last = answer.catch(() => {}); // whoever asked hears of it
    return answer;
  };
};

/** @type {(address: string, bytes: Uint8Array<ArrayBuffer>) => (question: EngineQuestion) => Promise<any>} */
const inWorker = (address, bytes) => {
  const worker = new Worker(address, { type: "module" });
  worker.postMessage({ bytes });
  return (question) =>
    new Promise((found, fail) => {
      worker.onmessage = ({ data }) => ("failed" in data ? fail(new Error(data.failed)) : found(data.answer));
      worker.onerror = (event) => fail(new Error(event.message));
      worker.postMessage({ question });
    });
};

/** @type {(bytes: Uint8Array<ArrayBuffer>) => Promise<(question: EngineQuestion) => Promise<any>>} */
const onThisThread = async (bytes) => {
  const engine = await openEngine(bytes);
  return async (question) => {
    await new Promise((next) => setTimeout(next));
    return engine.answer(question);
  };
};
