// Tells in words that a browser is too old for the modules of a page. It runs in any browser, old ones too.
(function () {
  var isNew =
    "noModule" in document.createElement("script") &&
    "findLast" in Array.prototype &&
    "structuredClone" in window &&
    "HTMLDialogElement" in window &&
    "indexedDB" in window;
  var notice = document.getElementById("unopened");
  if (isNew || !notice) return;
  notice.className += " now";
  /** @type {HTMLElement} */ (notice.querySelector(".old")).removeAttribute("hidden");
  /** @type {HTMLElement} */ (notice.querySelector(".late")).setAttribute("hidden", "");
})();
