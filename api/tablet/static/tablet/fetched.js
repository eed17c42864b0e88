// Import of modules over an unreliable network.
const AGAIN_MS = 1_000;
const MOST_RELOADS = 5;
const RELOADS = "guinote-reloads";

/**
 * Imports with `load`, and tries again while the network fails. Some browsers never request a module again after it
 * failed: then the page is reloaded as soon as the service answers.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export const fetched = async (load) => {
  for (let tries = 1; ; tries += 1) {
    try {
      const found = await load();
      sessionStorage.removeItem(RELOADS);
      return found;
    } catch (error) {
      console.warn(error);
      await new Promise((go) => setTimeout(go, AGAIN_MS));
      if (tries > 1 && error instanceof TypeError && (await answers())) reload();
    }
  }
};

/** Whether the service answers. */
const answers = async () => {
  const answer = await fetch(location.href, { method: "HEAD", cache: "no-store" }).catch(() => null);
  return answer !== null && answer.ok;
};

/** Reload the page, a few times at most: the file may be invalid, and then no reload helps. */
const reload = () => {
  const reloads = Number(sessionStorage.getItem(RELOADS));
  if (reloads >= MOST_RELOADS) return;
  sessionStorage.setItem(RELOADS, String(reloads + 1));
  location.reload();
};
