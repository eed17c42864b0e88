// Modules over a network that comes and goes.
const AGAIN_MS = 1_000;
const MOST_RELOADS = 5;
const RELOADS = "guinote-reloads";

/**
 * What `load` imports; where the network is gone before all its files are here, once they are. Some browsers never ask
 * again for a module that was lost: then the page is loaded anew, as soon as the service answers.
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

/** Load the page anew, a few times at most: a file may be wrong instead of lost. */
const reload = () => {
  const reloads = Number(sessionStorage.getItem(RELOADS));
  if (reloads >= MOST_RELOADS) return;
  sessionStorage.setItem(RELOADS, String(reloads + 1));
  location.reload();
};
