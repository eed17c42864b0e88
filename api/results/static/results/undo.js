// Counts the seconds for which an entry can be taken back by one tap, and then hides the button.
// Its place stays: what is below it must not move under a finger.

/** Count the seconds of a form. @param {Element} form */
const count = (form) => {
  let left = Number(form.getAttribute("data-left"));
  form.removeAttribute("data-left");
  const shown = form.querySelector("[data-count]");
  const show = () => {
    if (left <= 0) form.classList.add("over");
    else if (shown) shown.textContent = ` (${left})`;
    left -= 1;
  };
  show();
  const timer = setInterval(() => (form.isConnected && left >= 0 ? show() : clearInterval(timer)), 1_000);
};

/** Count the seconds of every undo of the page that is not counted yet. */
export const countUndos = () => {
  for (const form of document.querySelectorAll("form.undo[data-left]")) count(form);
};
