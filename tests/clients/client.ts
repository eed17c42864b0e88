/** The TypeScript client of the document, and what every script of the tests does with it: `node SCRIPT ADDRESS TOKEN`. */

import createClient from "openapi-fetch";
import type { components, paths } from "./schema.js";

type Problem = components["schemas"]["ProblemShape"];

const [address, token] = process.argv.slice(2);
export const client = createClient<paths>({
  baseUrl: address ?? "",
  headers: { Authorization: `Bearer ${token}` },
});

/** The answer, which must be no problem. */
export function given<T>(answer: { data?: T; error?: Problem | undefined }): T {
  if (answer.data === undefined) {
    throw new Error(JSON.stringify(answer.error));
  }
  return answer.data;
}

/** Headers of a write; `version`: of what it is made for. */
export const writing = () => ({ "Idempotency-Key": crypto.randomUUID() });
export const writingAt = (version: number) => ({ ...writing(), "If-Match": `"${version}"` });
