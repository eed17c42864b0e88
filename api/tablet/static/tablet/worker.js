// Service worker: caches the page of the tablet and its manual in every language, and their files, for use without a network. Never the API.
// api/tablet/pages.py puts a line before this text that sets `kept`: the version, the languages and the files to cache.

const scope = /** @type {ServiceWorkerGlobalScope & {kept: {version: string, languages: string[], assets: string[]}}} */ (
  /** @type {unknown} */ (self)
);
const { version, languages: LANGUAGES, assets: ASSETS } = scope.kept;
const PREFIX = scope.location.pathname.slice(0, -"/arbitro/sw.js".length);
const OURS = PREFIX ? `${PREFIX} tablet-` : "tablet-";
const KEPT = OURS + version;
const CHOSEN = `${OURS}language`;
const LEFT = `${OURS}left`;
const SHELL = `${PREFIX}/arbitro/`;
const MANUAL = `${PREFIX}/arbitro/ayuda/`;

/** @type {(address: string) => Promise<Response>} */
const whole = async (address) => {
  const answer = await fetch(new Request(address, { cache: "reload", credentials: "same-origin" }));
  if (!answer.ok || answer.redirected) throw new TypeError(address);
  return answer;
};

const install = async () => {
  const kept = await caches.open(KEPT);
  const addresses = [...ASSETS, ...LANGUAGES.flatMap((lang) => [SHELL + lang, MANUAL + lang])];
  await Promise.all(addresses.map(async (address) => kept.put(address, await whole(address))));
};

const activate = async () => {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith(OURS) && ![KEPT, CHOSEN, LEFT].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await scope.clients.claim();
};

/** @type {(lang: string | null | undefined) => Promise<void>} */
const choose = async (lang) => {
  if (lang && LANGUAGES.includes(lang)) await (await caches.open(CHOSEN)).put(SHELL, new Response(lang));
};

const chosen = async () => {
  const answer = await (await caches.open(CHOSEN)).match(SHELL);
  const asked = answer ? [await answer.text()] : navigator.languages.map((one) => one.slice(0, 2));
  return asked.find((lang) => LANGUAGES.includes(lang)) ?? LANGUAGES[0];
};

/**
 * The page from the service, after sign-out on this device. Null without a network, or while acts wait here to be saved as a file.
 * If it is the page of the tablet, a user has signed in again.
 * @type {(request: Request) => Promise<Response | null>}
 */
const afterLeaving = async (request) => {
  const left = await (await caches.match(SHELL, { cacheName: LEFT }))?.json();
  if (!left || left.waits) return null;
  try {
    if (left.isOpen) await fetch(`${PREFIX}/salir`, { method: "POST", body: new URLSearchParams({ cleared: "yes" }) });
    const answer = await fetch(request);
    if (answer.ok) await caches.delete(LEFT);
    return answer;
  } catch {
    return null;
  }
};

/** A page in the chosen language. @type {(request: Request, path: string) => Promise<Response>} */
const page = async (request, path) => {
  await choose(new URL(request.url).searchParams.get("lang"));
  const answer = path === SHELL ? await afterLeaving(request) : null;
  if (answer) return answer;
  const kept = await caches.open(KEPT);
  return (await kept.match(path + (await chosen()), { ignoreVary: true })) ?? fetch(request);
};

/** @type {(request: Request) => Promise<Response>} */
const file = async (request) =>
  (await (await caches.open(KEPT)).match(request, { ignoreSearch: true })) ?? fetch(request);

scope.addEventListener("install", (event) => event.waitUntil(install()));
scope.addEventListener("activate", (event) => event.waitUntil(activate()));
scope.addEventListener("message", (event) => {
  if (event.data === "new_version") scope.skipWaiting();
  else event.waitUntil(choose(event.data?.lang));
});
scope.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== scope.location.origin) return;
  if (request.mode === "navigate" && [SHELL, MANUAL].includes(pathname)) event.respondWith(page(request, pathname));
  else if (ASSETS.includes(pathname)) event.respondWith(file(request));
});
