// Ways to ask the engine: in a Worker, or question after question on the page's own thread where a saved file may not have one.
import { MOST_NODES, openEngine } from "./engine.js";
/** @import { CardPrices, KnownPosition, BestPlayCard } from "./engine.js" */

/**
 * Prices of a position, and best play from a card of the seat to play; null if it needs too many nodes. Both fail where there is no engine.
 * `isLater`: nobody waits for it.
 * @typedef {{prices: (known: KnownPosition, isLater?: boolean) => Promise<CardPrices | null>, line: (known: KnownPosition, card: string) => Promise<BestPlayCard[] | null>}} AskedEngine
 * @typedef {{known: KnownPosition, card?: string}} EngineQuestion with a card: its line
 */

/**
 * How the engine is asked that a page has in itself. After the first answer, what is asked for later has an engine of its own, so that a tap waits for
 * none of it; where that one does not arrive, the first answers all.
 * @type {(holder: HTMLElement) => AskedEngine}
 */
export const askedEngine = (holder) => {
  const now = newestFirst(opened(holder));
  /** @type {Promise<void> | null} */
  let other = null;
  let later = now;
  const prices = (/** @type {KnownPosition} */ known, isLater = false) => {
    const answer = (isLater ? later : now)({ known });
    other ??= answer.then(() => opened(holder)).then((way) => { later = newestFirst(Promise.resolve(way)); }).catch(() => {});
    return answer;
  };
  return { prices, line: (known, card) => now({ known, card }) };
};

/** A way to ask; it fails in a browser that has none. @type {(holder: HTMLElement) => Promise<(question: EngineQuestion) => Promise<any>>} */
const opened = async (holder) => {
  const bytes = Uint8Array.from(atob(holder.textContent ?? ""), (letter) => letter.charCodeAt(0));
  const { worker } = holder.dataset;
  return worker ? inWorker(() => new Worker(worker, { type: "module" }), bytes) : inWorker(ofTheFile, bytes).catch(() => onThisThread(bytes));
};

/** @type {(id: string) => string} */
const textOf = (id) => document.getElementById(id)?.textContent ?? "";

/** A Worker of the scripts that a saved file has in itself. @type {() => Worker} */
const ofTheFile = () => {
  const script = new Blob([textOf("engine-module"), textOf("engine-worker")], { type: "text/javascript" });
  return new Worker(URL.createObjectURL(script));
};

/**
 * One question at a time, and of those that wait the newest first: it is about the card that is shown.
 * @type {(way: Promise<(question: EngineQuestion) => Promise<any>>) => (question: EngineQuestion) => Promise<any>}
 */
const newestFirst = (way) => {
  way.catch(() => {}); // each question fails with it
  /** @type {(() => Promise<void>)[]} */
  const waiting = [];
  let isBusy = false;
  const answerAll = async () => {
    isBusy = true;
    for (let next = waiting.pop(); next; next = waiting.pop()) await next();
    isBusy = false;
  };
  return (question) =>
    new Promise((found, fail) => {
      waiting.push(() => way.then((ask) => ask(question)).then(found, fail));
      if (!isBusy) answerAll();
    });
};

/** @type {(made: () => Worker, bytes: Uint8Array<ArrayBuffer>) => Promise<(question: EngineQuestion) => Promise<any>>} */
const inWorker = async (made, bytes) => {
  const worker = made();
  const send = (/** @type {{bytes: Uint8Array} | {question: EngineQuestion}} */ message) =>
    new Promise((found, fail) => {
      worker.onmessage = ({ data }) => ("failed" in data ? fail(new Error(data.failed)) : found(data.answer));
      worker.onerror = (event) => fail(new Error(event.message));
      worker.postMessage(message);
    });
  await send({ bytes });
  return (question) => send({ question });
};

/** With few nodes, since the page stands still meanwhile. @type {(bytes: Uint8Array<ArrayBuffer>) => Promise<(question: EngineQuestion) => Promise<any>>} */
const onThisThread = async (bytes) => {
  const engine = await openEngine(bytes);
  return async (question) => {
    await new Promise((next) => setTimeout(next));
    return engine.answer(question, MOST_NODES);
  };
};
