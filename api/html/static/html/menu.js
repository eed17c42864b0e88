// Closes the menu of the bar with Escape, and with a tap beside it. Tells the service the clock of whoever is signed in.
"use strict";
const menu = document.querySelector("details.menu");
if (menu) {
  document.addEventListener("click", ({ target }) => {
    if (target instanceof Node && !menu.contains(target)) menu.removeAttribute("open");
  });
  document.addEventListener("keydown", ({ key }) => {
    if (key !== "Escape" || !menu.hasAttribute("open")) return;
    menu.removeAttribute("open");
    menu.querySelector("summary")?.focus();
  });
}

const tellClock = () => {
  if (document.hidden) return;
  fetch(`${document.documentElement.dataset.prefix ?? ""}/api/v1/clock`, { cache: "no-store", headers: { "Guinote-Clock": new Date().toISOString() } })
    .then((answer) => answer.text()) // unread it would keep its connection
    .catch(() => {});
};
if (document.querySelector("form.leave")) {
  tellClock();
  document.addEventListener("visibilitychange", tellClock);
}
