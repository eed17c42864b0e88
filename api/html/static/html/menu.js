// Closes the menu of the bar with Escape, and with a tap beside it.
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
