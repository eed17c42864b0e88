// Keeps the tablet for when there is no network: its page in every language, and its files. Never the API.
const KEPT = "tablet-{{ version }}";
const CHOSEN = "tablet-language";
const SHELL = "/arbitro/";
const LANGUAGES = {{ languages|tojson }};
const ASSETS = {{ assets|tojson }};

const whole = async (address) => {
  const answer = await fetch(new Request(address, { cache: "reload", credentials: "same-origin" }));
  if (!answer.ok || answer.redirected) throw new TypeError(address);
  return answer;
};

const install = async () => {
  const kept = await caches.open(KEPT);
  const addresses = [...ASSETS, ...LANGUAGES.map((lang) => SHELL + lang)];
  await Promise.all(addresses.map(async (address) => kept.put(address, await whole(address))));
};

const activate = async () => {
  const names = await caches.keys();
  const old = names.filter((name) => name.startsWith("tablet-") && ![KEPT, CHOSEN].includes(name));
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.clients.claim();
};

const choose = async (lang) => {
  if (LANGUAGES.includes(lang)) await (await caches.open(CHOSEN)).put(SHELL, new Response(lang));
};

const chosen = async () => {
  const answer = await (await caches.open(CHOSEN)).match(SHELL);
  const asked = answer ? [await answer.text()] : navigator.languages.map((one) => one.slice(0, 2));
  return asked.find((lang) => LANGUAGES.includes(lang)) ?? LANGUAGES[0];
};

const page = async (request) => {
  await choose(new URL(request.url).searchParams.get("lang"));
  const kept = await caches.open(KEPT);
  return (await kept.match(SHELL + (await chosen()), { ignoreVary: true })) ?? fetch(request);
};

const file = async (request) =>
  (await (await caches.open(KEPT)).match(request, { ignoreSearch: true })) ?? fetch(request);

self.addEventListener("install", (event) => event.waitUntil(install()));
self.addEventListener("activate", (event) => event.waitUntil(activate()));
self.addEventListener("message", (event) => {
  if (event.data === "new_version") self.skipWaiting();
  else event.waitUntil(choose(event.data?.lang));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin) return;
  if (request.mode === "navigate" && pathname === SHELL) event.respondWith(page(request));
  else if (ASSETS.includes(pathname)) event.respondWith(file(request));
});
