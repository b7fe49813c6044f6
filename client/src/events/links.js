// @ts-check
/**
 * Follows the page's own links without loading it anew.
 *
 * @param {(path: string) => void} visit
 */
export function listen(visit) {
  document.addEventListener("click", event => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.defaultPrevented || event.button || modified(event)) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    visit(link.pathname + link.hash);
  });
}

/** @param {MouseEvent} event */
function modified({ ctrlKey, metaKey, shiftKey, altKey }) {
  return ctrlKey || metaKey || shiftKey || altKey;
}
