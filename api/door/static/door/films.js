// The replays inside a saved page: each is a page of its own in a frame, put together when it is opened. What all of them share is in the page once.
const read = (/** @type {string} */ id) => JSON.parse(document.getElementById(id)?.textContent ?? "null");

/** The page of a replay, with the parts that it shares in the places of their marks. @type {(film: string) => string} */
const whole = (film) =>
  Object.entries(/** @type {Record<string, string>} */ (read("film-parts"))).reduce((text, [mark, part]) => text.split(mark).join(part), read(film));

for (const one of /** @type {NodeListOf<HTMLDetailsElement>} */ (document.querySelectorAll("details.film")))
  one.addEventListener("toggle", () => {
    if (!one.open || one.querySelector("iframe")) return;
    const frame = document.createElement("iframe");
    frame.title = one.querySelector("summary")?.textContent ?? "";
    frame.setAttribute("sandbox", "allow-scripts");
    frame.srcdoc = whole(one.dataset.film ?? "");
    one.append(frame);
  });
