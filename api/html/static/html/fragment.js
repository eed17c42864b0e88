// What comes behind the number sign of an address goes into the field that waits for it: no server
// and no log sees it there.

const field = /** @type {HTMLInputElement | null} */ (document.querySelector("[data-fragment]"));
const brought = decodeURIComponent(location.hash.slice(1));
if (field && brought) {
  field.value = brought;
  history.replaceState(null, "", location.pathname + location.search);
}
