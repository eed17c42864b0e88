// The clock of a round, counted down by the time of the server.

const main = document.getElementById("main");
const ahead = Date.now() - Number(main?.dataset.now ?? Date.now()); // of this machine's clock
const SECOND_MS = 1_000;

/** What is left, as 1:05:09 or 5:09. @param {number} seconds */
const said = (seconds) => {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
};

/** Its content, drawn by the server, is what is shown where this does not run. */
class RoundClock extends HTMLElement {
  connectedCallback() {
    const face = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    const tick = () => {
      const left = Math.round((Number(this.getAttribute("ends")) - (Date.now() - ahead)) / SECOND_MS);
      face.textContent = left > 0 ? said(left) : this.getAttribute("over");
    };
    tick();
    this.timer = setInterval(tick, SECOND_MS);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }
}

customElements.define("round-clock", RoundClock);
