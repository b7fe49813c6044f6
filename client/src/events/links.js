// @ts-check
/**
 * Follows the page's own links without loading it anew.
 *
 * @param {(path: string) => void} visit
 * @param {() => void} came Told when the browser has turned back or forward.
 * @returns {() => void} Stops listening.
 */
export function listen(visit, came) {
  const onClick = (/** @type {MouseEvent} */ event) => {
    const link = /** @type {Element} */ (event.target).closest("a");
    if (!link || event.defaultPrevented || event.button || modified(event)) return;
    if (link.origin !== location.origin || link.target || link.hasAttribute("download")) return;
    if (link.pathname === location.pathname && link.hash) return;
    event.preventDefault();
    visit(link.pathname + link.hash);
  };
  document.addEventListener("click", onClick);
  addEventListener("popstate", came);
  return () => {
    document.removeEventListener("click", onClick);
    removeEventListener("popstate", came);
  };
}

/** @param {MouseEvent} event */
function modified({ ctrlKey, metaKey, shiftKey, altKey }) {
  return ctrlKey || metaKey || shiftKey || altKey;
}
