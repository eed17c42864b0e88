// Offers the reader's own language, if it is one of ours: parts of the page that scripts write are not for a browser's translator.
"use strict";
const ways = document.querySelector("nav.languages");
/** @type {HTMLAnchorElement[]} */
const ours = Array.from(ways?.querySelectorAll("a[hreflang]") ?? []);
const own = navigator.languages.map((one) => one.slice(0, 2)).find((one) => ours.some(({ hreflang }) => hreflang === one));
const offered = ours.find(({ hreflang }) => hreflang === own);
if (ways && offered && own !== document.documentElement.lang) {
  offered.textContent = offered.title;
  offered.classList.add("offered");
  const notice = Object.assign(document.createElement("p"), { className: "notice lead" });
  if (ways.closest("footer")) document.getElementById("main")?.before(notice);
  (notice.isConnected ? notice : ways).prepend(offered);
}
