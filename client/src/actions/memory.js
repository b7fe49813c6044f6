// @ts-check
/**
 * What this device remembers between visits. A browser that forbids it just forgets.
 *
 * @param {"settings" | "locale" | "quick"} key
 * @param {unknown} value
 */
export function remember(key, value) {
  try {
    storeOf(key).setItem(`heartline.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse; nothing hangs on it.
  }
}

/**
 * @param {"settings" | "locale" | "quick"} key
 * @returns {any} Null if nothing is remembered.
 */
export function recall(key) {
  try {
    return JSON.parse(storeOf(key).getItem(`heartline.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * What a window is about to do is its own affair.
 *
 * @param {string} key
 */
function storeOf(key) {
  return key === "quick" ? sessionStorage : localStorage;
}
