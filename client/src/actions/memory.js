// @ts-check
/**
 * What this device remembers between visits. A browser that forbids it just forgets.
 *
 * @param {"settings" | "locale"} key
 * @param {unknown} value
 */
export function remember(key, value) {
  try {
    localStorage.setItem(`heartline.${key}`, JSON.stringify(value));
  } catch {
    // Private windows may refuse; nothing hangs on it.
  }
}

/**
 * @param {"settings" | "locale"} key
 * @returns {any} Null if nothing is remembered.
 */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`heartline.${key}`) ?? "null");
  } catch {
    return null;
  }
}
