// Pages of a running service, without a browser: requests go to it with the cookies it gave, links and forms lead on, the network
// can be cut, answers can be lost, and a page can be loaded again over the same database.
import { readFileSync } from "node:fs";
import { Worker as Thread } from "node:worker_threads";
import { EventSource } from "eventsource";
import { IDBFactory } from "fake-indexeddb";
import { htmlOf, openPage } from "./page.mjs";

const real = { fetch: globalThis.fetch, setTimeout: globalThis.setTimeout, setInterval: globalThis.setInterval, clearTimeout: globalThis.clearTimeout, BroadcastChannel: globalThis.BroadcastChannel, now: Date.now };
const timers = new Set();
const closed = new Set();
const MOST_REDIRECTS = 10;
/** Pages so far. */
export let loads = 0;
let leaving = new AbortController();

/** `isOn`: whether there is a network; `lost`: answers to writes that will be lost; `sent`: key, version and body of each write. */
export const site = { address: "", languages: ["es-ES"], isOn: true, lost: 0, sent: [], cookies: new Map() };

/** Cookies as a browser sends them: "name=value; name=value". */
const cookie = () => Array.from(site.cookies, (one) => one.join("=")).join("; ");

/** Keep the cookies of an answer, and drop those that it ends. @param {Response} answer */
const keepCookies = (answer) => {
  for (const given of answer.headers.getSetCookie()) {
    const [, name, value] = /^([^=]+)=([^;]*)/.exec(given);
    if (value && !/max-age=0/i.test(given)) site.cookies.set(name, value);
    else site.cookies.delete(name);
  }
};

/** Signs in with cookies: "name=value; name=value". @param {string} given */
export const signIn = (given) => {
  site.cookies = new Map(given.split("; ").filter(Boolean).map((one) => /^([^=]+)=(.*)/.exec(one).slice(1)));
};

globalThis.setTimeout = (run, ms, ...given) => {
  const timer = real.setTimeout(run, ms, ...given);
  timers.add(timer);
  return timer;
};

globalThis.setInterval = (run, ms, ...given) => {
  const timer = real.setInterval(run, ms, ...given);
  timers.add(timer);
  return timer;
};

globalThis.BroadcastChannel = class extends real.BroadcastChannel {
  constructor(name) {
    super(name);
    closed.add(this);
  }

  postMessage(data) {
    if (closed.has(this)) super.postMessage(data); // a page that was left tells nobody
  }
};

globalThis.fetch = async (address, { signal, headers, cache: _, ...settings } = {}) => {
  const isWrite = settings.method === "POST";
  if (isWrite && headers) site.sent.push([headers["Idempotency-Key"], headers["If-Match"], settings.body]);
  if (!site.isOn) throw new TypeError("there is no network");
  const own = { "Accept-Language": site.languages.join(","), Cookie: cookie(), Origin: site.address, Referer: document.URL };
  const left = leaving.signal;
  const until = AbortSignal.any([left, ...(signal ? [signal] : [])]);
  const asking = real.fetch(new URL(address, site.address), { ...settings, headers: { ...headers, ...own }, signal: until });
  const answer = await asking.catch((error) => (left.aborted ? new Promise(() => {}) : Promise.reject(error)));
  keepCookies(answer);
  if (!site.isOn) throw new TypeError("the network was cut");
  if (isWrite && site.lost > 0) {
    site.lost -= 1;
    throw new TypeError("the answer was lost on the way");
  }
  return answer;
};

globalThis.EventSource = class extends EventSource {
  constructor(address) {
    super(new URL(address, site.address), { fetch: (asked, settings) => fetch(asked, settings) });
    closed.add(this);
  }
};

const STATICS = new URL("statics.mjs", import.meta.url).href;
/** What a worker has in a browser, before its script. */
const OF_WORKER = `
  const { parentPort, workerData: { statics, address, script } } = require("node:worker_threads");
  globalThis.postMessage = (data) => parentPort.postMessage(data);
  globalThis.addEventListener = (kind, heard) => parentPort.on(kind, (data) => heard({ data }));
  if (address.startsWith("blob:")) (0, eval)(script);
  else import(statics).then(() => import(new URL(address).pathname));
`;

globalThis.Worker = class {
  constructor(address) {
    this.thread = this.arrive(new URL(address, document.URL).href);
    this.thread.catch(() => this.onerror?.(new Event("error")));
    closed.add(this);
  }

  async arrive(address) {
    const answer = await (address.startsWith("blob:") ? real.fetch(address) : fetch(address));
    if (!answer.ok) throw new Error(`${answer.status} for ${address}`);
    const script = await answer.text();
    const thread = new Thread(OF_WORKER, { eval: true, workerData: { statics: STATICS, address, script }, env: { ...process.env, GUINOTE_STATICS: "" } });
    thread.on("message", (data) => this.onmessage?.({ data }));
    thread.on("error", (error) => this.onerror?.({ message: error.message }));
    return thread;
  }

  postMessage(data) {
    this.thread.then((thread) => thread.postMessage(data), () => {});
  }

  close() {
    this.thread.then((thread) => thread.terminate(), () => {});
  }
};

/** Leaves the page: none of its scripts goes on, and what it asked is not answered any more. */
const leave = () => {
  leaving.abort();
  leaving = new AbortController();
  timers.forEach((timer) => real.clearTimeout(timer));
  closed.forEach((one) => one.close());
  timers.clear();
  closed.clear();
};

const STORAGES = ["localStorage", "sessionStorage"];
const isOfService = () => location.origin === site.address;

/** What pages of the service have kept is gone. */
export const forget = () => {
  globalThis.indexedDB = new IDBFactory();
  if (isOfService()) for (const name of STORAGES) window[name].clear();
};

/** A page of the service, again if there was one; `modules(address)` imports its modules, also in scripts of tests. */
const shown = (html, address) => {
  const kept = isOfService() ? STORAGES.map((name) => ({ ...window[name] })) : [];
  leave();
  loads += 1;
  openPage(html, address, site.languages);
  Object.defineProperty(window.navigator, "onLine", { get: () => site.isOn });
  if (isOfService()) kept.forEach((texts, place) => Object.assign(window[STORAGES[place]], texts));
  const version = loads;
  globalThis.modules = (module) => import(`${new URL(module, address).pathname}?load=${version}`);
};

/** Loads a page without content. */
export const load = (path = "/") => shown(htmlOf(), `${site.address}${path}`);

/** Answer to a request of a whole page, after its redirects, and the address it is of. */
const pageAt = async (address, settings = {}) => {
  let asked = [new URL(address, site.address), settings];
  for (let turn = 0; turn < MOST_REDIRECTS; turn += 1) {
    const answer = await fetch(asked[0], { ...asked[1], redirect: "manual" });
    const next = answer.headers.get("Location");
    if (!next) return [answer, asked[0]];
    const { hash } = asked[0];
    asked = [new URL(next, asked[0]), {}];
    asked[0].hash ||= hash;
  }
  throw new Error(`no end of redirects from ${address}`);
};

/** Opens a page of the service, runs its scripts, and calls `prepare` with its window before. Returns its status. */
export const open = async (address, settings, prepare) => {
  const [answer, url] = await pageAt(address, settings);
  const html = await answer.text();
  shown(html, url.href);
  prepare(window, { status: answer.status, headers: answer.headers });
  for (const script of document.querySelectorAll("script[src]")) {
    const { type } = script;
    if (type === "module") await modules(script.src);
    else if (type === "") (0, eval)(await (await fetch(script.src)).text());
  }
  return answer.status;
};

/** Opens a page that has its scripts in itself, from the disk. @param {string} address */
export const openSaved = (address, prepare) => {
  shown(readFileSync(new URL(new URL(address).pathname, "file:"), "utf8"), address);
  prepare(window, { status: 0, headers: new Headers() });
  const scripts = [...document.querySelectorAll("script:not([type])")].map((script) => script.textContent);
  new Function(scripts.join("\n"))(); // in one function, so that another page can have the same names
};

/** Cuts the network, or gives it back. */
export const network = (isOn) => {
  site.isOn = isOn;
  dispatchEvent(new Event(isOn ? "online" : "offline"));
};

const ofService = globalThis.fetch;

/** Leaves the pages of a service; what a test put in place of the clock and of requests is gone. Returns how many pages there were. */
export const leaveService = () => {
  leave();
  Object.assign(site, { isOn: true, lost: 0, sent: [] });
  Date.now = real.now;
  globalThis.fetch = ofService;
  window.close();
  openPage();
  return loads;
};
