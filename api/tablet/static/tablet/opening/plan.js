// The requests that open a table. Each is stored with its key until it is answered, and sent again unchanged if there is no answer.
import { prefix } from "../../html/prefix.js";
import { newKey } from "../outbox/keys.js";
import { ask } from "../outbox/asking.js";
import { read, write } from "../outbox/store.js";
/** @import { Asked } from "../outbox/asking.js" */

const ENCUENTROS = `${prefix}/api/v1/encuentros`;
const KEPT = "opening";

/**
 * @typedef {Record<string, {person: string} | {name: string}>} SeatedPeople
 * @typedef {{purpose: string, method: string, candidates: string[], seed?: string, cards?: [string, string][]}} MadeDraw
 * @typedef {{path: string, body: string, key: string, version: number | null, does: string}} PendingRequest
 * @typedef {{encuentro: string} | {outcome: string, plan: Plan, problem?: any}} PlanOutcome
 *
 * @typedef {object} Plan steps that open a table, and how far they are done
 * @property {object | null} body of the encuentro
 * @property {MadeDraw | null} draw body of the draw, if there was one
 * @property {SeatedPeople | null} seats seats, unless the encuentro has them already
 * @property {string} names of the players, shown when the unfinished plan is found again
 * @property {string} encuentro its id, once the service has it
 * @property {number} version number of its acts
 * @property {PendingRequest | null} sent the request without an answer
 * @property {string[]} steps that are still to be done
 */

/** The unfinished plan, or null. @returns {Promise<Plan | null>} */
export const keptPlan = () => read(["about"], (tx) => tx.objectStore("about").get(KEPT)).then(
  (plan) => plan ?? null,
  () => null,
);

/** @type {(plan: Plan) => Promise<unknown>} */
const keep = (plan) => write(["about"], async (tx) => tx.objectStore("about").put(plan, KEPT));

/** Deletes a plan that is done or dropped. */
export const dropPlan = () => write(["about"], async (tx) => tx.objectStore("about").delete(KEPT));

/**
 * A plan for a new table. The players get their seats from the draw of partners, or else with the encuentro itself.
 * @type {(of: {body: object, seats: SeatedPeople, draw: MadeDraw | null, names: string}) => Plan}
 */
export const planOf = ({ body, seats, draw, names }) => {
  const isDrawn = draw !== null && draw.purpose !== "dealer";
  return {
    body: isDrawn ? body : { ...body, seats },
    draw,
    seats: null,
    names,
    encuentro: "",
    version: 0,
    sent: null,
    steps: ["open", ...(draw ? ["draw"] : []), ...(isDrawn ? ["seats"] : []), "start"],
  };
};

/**
 * A plan for a table that is open but not begun.
 * @type {(of: {encuentro: string, version: number, seats: SeatedPeople | null, names: string}) => Plan}
 */
export const planFrom = ({ encuentro, version, seats, names }) => ({
  body: null, draw: null, seats, names, encuentro, version, sent: null, steps: [...(seats ? ["seats"] : []), "start"],
});

/** @type {Record<string, (plan: Plan) => {path: string, body: object | null, isNew?: boolean}>} */
const REQUESTS = {
  open: ({ body }) => ({ path: ENCUENTROS, body, isNew: true }),
  draw: ({ encuentro, draw }) => ({ path: `${ENCUENTROS}/${encuentro}/draws`, body: draw }),
  seats: ({ encuentro, seats }) => ({ path: `${ENCUENTROS}/${encuentro}/seats`, body: { seats } }),
  start: ({ encuentro }) => ({ path: `${ENCUENTROS}/${encuentro}/partidas`, body: {} }),
};

/** @type {(plan: Plan) => PendingRequest} */
const requestOf = (plan) => {
  const { path, body, isNew } = REQUESTS[plan.steps[0]](plan);
  return { path, body: JSON.stringify(body), key: newKey(), version: isNew ? null : plan.version, does: plan.steps[0] };
};

/** @type {(sent: PendingRequest) => Promise<Asked>} */
const send = ({ path, body, key, version }) =>
  ask(path, {
    method: "POST",
    body,
    headers: { "Content-Type": "application/json", "Idempotency-Key": key, ...(version === null ? {} : { "If-Match": `"${version}"` }) },
  });

/** @type {(outcome: Record<string, string>) => SeatedPeople} */
const seatedBy = (outcome) => Object.fromEntries(Object.entries(outcome).filter(([seat]) => seat !== "dealer").map(([seat, person]) => [seat, { person }]));

/** @type {(plan: Plan, content: any) => Plan} */
const answered = (plan, content) => {
  const [done, ...steps] = plan.steps;
  const next = { ...plan, steps, sent: null, version: content.version };
  if (done === "open") next.encuentro = content.id;
  if (done === "draw" && steps[0] === "seats") next.seats = seatedBy(content.outcome);
  return next;
};

/**
 * Runs a plan: `{encuentro}` when the table is open; else `{outcome, problem?, plan}`. After `later` or `signed_out` the same
 * request is sent again. After `wrong`, a refusal, the earlier steps stay done.
 * @type {(given: Plan) => Promise<PlanOutcome>}
 */
export const carryOut = async (given) => {
  let plan = given;
  while (plan.steps.length) {
    const sent = plan.sent ?? requestOf(plan);
    if (!plan.sent) {
      plan = { ...plan, sent };
      await keep(plan);
    }
    const { outcome, content } = await send(sent);
    if (outcome === "wrong") {
      plan = { ...plan, sent: null };
      await (plan.encuentro ? keep(plan) : dropPlan());
      return { outcome, problem: content, plan };
    }
    if (outcome !== "answered") return { outcome, plan };
    plan = answered(plan, content);
    await keep(plan);
  }
  await dropPlan();
  return { encuentro: plan.encuentro };
};

/**
 * Errors of a problem by field: `{"seats.A1": text, place: text, ...}`; `""` for an error without a field.
 * @type {(problem: any) => Record<string, string>}
 */
export const faultsOf = (problem) => {
  /** @type {Record<string, string>} */
  const found = {};
  /** @type {(errors: any, path: string[]) => void} */
  const walk = (errors, path) => {
    if (typeof errors === "string") found[path.slice(0, 2).join(".")] ??= errors;
    else if (Array.isArray(errors)) errors.forEach((one) => walk(one, path));
    else Object.entries(errors).forEach(([name, one]) => walk(one, [...path, name]));
  };
  walk(problem.errors?.json ?? {}, []);
  for (const { options } of problem.problems ?? []) for (const option of options) found[`match.${option}`] = problem.detail;
  if (!Object.keys(found).length) found[""] = problem.detail ?? problem.title;
  return found;
};
