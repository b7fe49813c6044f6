// @ts-check
/**
 * Which page an address is.
 *
 * @typedef {import("./state/app.js").Route} Route
 *
 * @param {string} path
 * @returns {Route}
 */
export function route(path) {
  const parts = path.split("/").filter(Boolean);
  const [page, id = ""] = parts;
  if (!parts.length) return { page: "home", id: "" };
  if (parts.length === 2 && page === "games") return { page: "game", id: decoded(id) };
  if (parts.length === 2 && page === "rules" && id === "heart-to-heart") return { page: "rules", id };
  return { page: "missing", id: path };
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
