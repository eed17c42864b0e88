// Modules over a network that comes and goes.
const AGAIN_MS = 1_000;

/**
 * What `load` imports; where the network is gone before all its files are here, once they are.
 * @template T @param {() => Promise<T>} load @returns {Promise<T>}
 */
export const fetched = async (load) => {
  for (;;) {
    try {
      return await load();
    } catch (error) {
      console.warn(error);
      await new Promise((go) => setTimeout(go, AGAIN_MS));
    }
  }
};
