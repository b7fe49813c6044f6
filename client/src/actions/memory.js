// @ts-check
/**
 * What this device remembers between visits. A browser that forbids it just forgets.
 *
 * @param {"settings" | "locale" | "quick"} key
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
 * @param {"settings" | "locale" | "quick"} key
 * @returns {any} Null if nothing is remembered.
 */
export function recall(key) {
  try {
    return JSON.parse(localStorage.getItem(`heartline.${key}`) ?? "null");
  } catch {
    return null;
  }
}

/**
 * Has it told what another window of this device remembers from now on.
 *
 * @param {"settings" | "locale" | "quick"} key
 * @param {(value: any) => void} told
 */
export function follow(key, told) {
  addEventListener("storage", event => {
    if (event.key === `heartline.${key}`) told(recall(key));
  });
}
