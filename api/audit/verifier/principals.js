// Acts of one principal where a club may require two. They are not differences; the page only names them.

/** @import { Proof, ProofEvent } from "./proof.js" */

/** @typedef {{noted: "confirmed" | "reopened" | "decided", side: string, event: ProofEvent}} OnePrincipal */
/** @typedef {Record<string, any>} Fact */

/** @type {(fact: Fact | null | undefined) => string} */
const principalOf = (fact) => (typeof fact?.principal === "string" ? fact.principal : "");
/** @type {(one: Fact | null | undefined, other: Fact | null | undefined) => boolean} */
const isOfOne = (one, other) => principalOf(one) !== "" && principalOf(one) === principalOf(other);

/** The result of an encuentro: what was reported, confirmed and signed so far. */
class Agreement {
  codes = /** @type {Fact[]} */ ([]);
  confirmed = /** @type {Fact[]} */ ([]);
  reported = /** @type {Fact | null} */ (null);
  signed = /** @type {Fact | null} */ (null);
  before = /** @type {{reported: Fact | null, confirmed: Fact[]}[]} */ ([]);

  /** Whether this confirmation is by the principal who reported the result or received the code. @param {Fact} fact */
  isConfirmedByOne(fact) {
    if (!this.reported) return false;
    if (fact.code) {
      const given = this.codes.findLast(({ side, hash }) => side === fact.side && hash === fact.code);
      return isOfOne(given, this.reported);
    }
    return [this.reported, ...this.confirmed.filter(({ code }) => !code)].some((one) => isOfOne(one, fact));
  }

  /** Apply an event. @param {string} kind @param {Fact} fact */
  follow(kind, fact) {
    if (kind === "CodeGiven") this.codes.push(fact);
    if (kind === "ResultConfirmed") this.confirmed = [...this.confirmed, fact];
    if (kind === "ResultMadeOfficial") this.signed = fact;
    if (kind === "ResultReopened") this.signed = null;
    if (kind === "FinalScoreTold") this.before.push({ reported: this.reported, confirmed: this.confirmed });
    if (kind === "FinalScoreWithdrawn") Object.assign(this, this.before.pop());
    if (["ResultReported", "ResultContested", "ResultReopened"].includes(kind)) {
      this.reported = kind === "ResultReported" ? fact : null;
      this.confirmed = [];
    }
  }
}

/** All such acts in a proof, in order. @param {Proof} proof @returns {OnePrincipal[]} */
export function actsOfOnePrincipal({ encuentro, events }) {
  const own = encuentro.replace(/-/g, "");
  const agreement = new Agreement();
  const rulings = /** @type {Map<string, Fact>} */ (new Map());
  const found = /** @type {OnePrincipal[]} */ ([]);
  for (const event of events) {
    const kind = event.name.replace(/\.[^.]*$/, "");
    const { fact } = event.state;
    if (fact === null || typeof fact !== "object") continue;
    const side = typeof fact.side === "string" ? fact.side : "";
    if (kind === "AppealDecided" && isOfOne(rulings.get(event.stream), fact)) found.push({ noted: "decided", side: "", event });
    if (kind === "CaseRuled") rulings.set(event.stream, fact);
    if (event.stream !== own) continue;
    if (kind === "ResultConfirmed" && agreement.isConfirmedByOne(fact)) found.push({ noted: "confirmed", side, event });
    if (kind === "ResultReopened" && isOfOne(agreement.signed, fact)) found.push({ noted: "reopened", side: "", event });
    agreement.follow(kind, fact);
  }
  return found;
}
