// Counts the seconds for which an entry can be taken back by one tap, and then takes the button away.

for (const form of document.querySelectorAll("form.undo[data-left]")) {
  let left = Number(form.getAttribute("data-left"));
  const count = form.querySelector("[data-count]");
  const show = () => {
    if (left <= 0) form.remove();
    else if (count) count.textContent = ` (${left})`;
    left -= 1;
  };
  show();
  const timer = setInterval(() => (form.isConnected ? show() : clearInterval(timer)), 1_000);
}
