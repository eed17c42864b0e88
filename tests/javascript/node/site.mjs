// A page of a running service, without a browser: requests go to it with a cookie, the network can be cut, answers can be lost,
// and the page can be loaded again over the same database.
import { htmlOf, openPage } from "./page.mjs";

const real = { fetch: globalThis.fetch, setTimeout: globalThis.setTimeout, clearTimeout: globalThis.clearTimeout, BroadcastChannel: globalThis.BroadcastChannel };
const timers = new Set();
const channels = new Set();
let loads = 0;
let leaving = new AbortController();

/** `isOn`: whether there is a network; `lost`: answers to writes that will be lost; `sent`: key, version and body of each write. */
export const site = { address: "", cookie: "", isOn: true, lost: 0, sent: [] };

globalThis.setTimeout = (run, ms, ...given) => {
  const timer = real.setTimeout(run, ms, ...given);
  timers.add(timer);
  return timer;
};

globalThis.BroadcastChannel = class extends real.BroadcastChannel {
  constructor(name) {
    super(name);
    channels.add(this);
  }
};

globalThis.fetch = async (address, { signal, headers, cache: _, ...settings } = {}) => {
  const isWrite = settings.method === "POST";
  if (isWrite) site.sent.push([headers["Idempotency-Key"], headers["If-Match"], settings.body]);
  if (!site.isOn) throw new TypeError("there is no network");
  const given = { ...headers, Cookie: site.cookie, Origin: site.address };
  const until = AbortSignal.any([leaving.signal, ...(signal ? [signal] : [])]);
  const answer = await real.fetch(new URL(address, site.address), { ...settings, headers: given, signal: until });
  if (!site.isOn) throw new TypeError("the network was cut");
  if (isWrite && site.lost > 0) {
    site.lost -= 1;
    throw new TypeError("the answer was lost on the way");
  }
  return answer;
};

/** Leaves the page: none of its scripts goes on. */
const leave = () => {
  leaving.abort();
  leaving = new AbortController();
  timers.forEach((timer) => real.clearTimeout(timer));
  channels.forEach((channel) => channel.close());
  timers.clear();
  channels.clear();
};

/** Loads a page of the service, again if there was one; modules are imported by the function that is returned. */
export const load = (path = "/") => {
  leave();
  loads += 1;
  openPage(htmlOf(), `${site.address}${path}`);
  const version = loads;
  return (address) => import(`${address}?load=${version}`);
};

/** Cuts the network, or gives it back. */
export const network = (isOn) => {
  site.isOn = isOn;
  dispatchEvent(new Event(isOn ? "online" : "offline"));
};
