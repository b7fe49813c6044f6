// @ts-check
/** The sheets of a table of Hearts, played at or looked back over. */
export const TABLE_OF_HEARTS = ["hearts", "hearts-seats", "hearts-hand", "hearts-middle"];

/** @type {Map<string, Promise<void>>} By name; those that failed are forgotten. */
const fetched = new Map();

/**
 * Fetches a style sheet that only some pages need, once.
 *
 * @param {string} name As in `client/style/<name>.css`.
 * @returns {Promise<void>} Rejected if it can't be fetched.
 */
export function style(name) {
  const known = fetched.get(name);
  if (known) return known;
  const link = document.createElement("link");
  link.rel = "stylesheet";
  link.href = `/client/style/${name}.css`;
  /** @type {Promise<void>} */
  const coming = new Promise((resolve, reject) => {
    link.onload = () => resolve();
    link.onerror = () => {
      fetched.delete(name);
      link.remove();
      reject(new Error(`no ${link.href}`));
    };
  });
  fetched.set(name, coming);
  document.head.append(link);
  return coming;
}
