// The clock of a round, counted down by the time of the server.
import { prefix } from "../html/prefix.js";

const SECOND_MS = 1_000;

/** Difference between the clock of this machine and that of the server. The page itself has no time in it, so that equal views give equal pages. */
const comparing = async () => {
  const answer = await fetch(`${prefix}/healthz`, { cache: "no-store", method: "HEAD" });
  return Date.now() - Date.parse(answer.headers.get("Date") ?? new Date().toUTCString());
};

/** @type {Promise<number> | undefined} */
let compared;

/** Remaining time, as 1:05:09 or 5:09. @param {number} seconds */
const said = (seconds) => {
  const two = (/** @type {number} */ n) => String(n).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return `${hours ? `${hours}:${two(minutes)}` : minutes}:${two(seconds % 60)}`;
};

/** Element with a text that follows the server's clock, each second. Without this module it shows the content that the server drew. */
class FollowedClock extends HTMLElement {
  /** The text at a moment. @param {number} now @returns {string} */
  textAt(now) {
    return String(now);
  }

  connectedCallback() {
    const face = this.shadowRoot ?? this.attachShadow({ mode: "open" });
    let ahead = 0;
    const tick = () => {
      face.textContent = this.textAt(Date.now() - ahead);
    };
    tick();
    compared ??= comparing().catch(() => 0);
    compared.then((found) => {
      ahead = found;
      tick();
    });
    this.timer = setInterval(tick, SECOND_MS);
  }

  disconnectedCallback() {
    clearInterval(this.timer);
  }
}

/** The remaining time of a round. */
class RoundClock extends FollowedClock {
  /** @param {number} now */
  textAt(now) {
    const left = Math.round((Number(this.getAttribute("ends")) - now) / SECOND_MS);
    return left > 0 ? said(left) : (this.getAttribute("over") ?? "");
  }
}

/** The time of day in the zone of the club. It is in no page of the server, since equal views give equal pages. */
class TimeOfDay extends FollowedClock {
  /** @param {number} now */
  textAt(now) {
    return new Date(now).toLocaleTimeString(document.documentElement.lang, {
      hour: "2-digit",
      minute: "2-digit",
      timeZone: document.documentElement.dataset.timeZone,
    });
  }
}

customElements.define("round-clock", RoundClock);
customElements.define("time-of-day", TimeOfDay);
