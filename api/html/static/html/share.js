// Buttons that share what is in a field, as the telephone does; else it is copied or selected.

for (const button of document.querySelectorAll("button")) {
  const name = button.dataset.share;
  if (!name) continue;
  button.hidden = false;
  button.addEventListener("click", async () => {
    const field = document.getElementById(name); // a live page puts another one in its place
    if (!(field instanceof HTMLTextAreaElement)) return;
    if ("share" in navigator) {
      await navigator.share({ text: field.value }).catch(() => {});
      return;
    }
    field.select();
    await Object(navigator).clipboard?.writeText(field.value).catch(() => {});
    button.textContent = button.dataset.done ?? "";
  });
}
