// @ts-check
import { isDate } from "./state/days.js";

/**
 * Which page an address is.
 *
 * @typedef {import("./state/app.js").Route} Route
 *
 * @param {string} path
 * @param {string} [hash]
 * @returns {Route}
 */
export function route(path, hash = "") {
  const parts = path.split("/").filter(Boolean);
  const [page, id = ""] = parts;
  if (!parts.length) return { page: "home", id: "" };
  if (parts.length === 2 && page === "games") return game(decoded(id), hash);
  if (parts.length <= 2 && page === "daily") return { page: "daily", id: decoded(id) };
  if (parts.length === 2 && page === "players") return { page: "player", id: decoded(id) };
  if (parts.length === 1 && page === "replay") return record(hash.slice(1));
  if (page === "rules" && (parts.length === 1 || (parts.length === 2 && id === "heart-to-heart")))
    return { page: "rules", id: "heart-to-heart" };
  if (parts.length === 2 && page === "rules" && id === "hearts") return { page: "hearts-rules", id };
  return { page: "missing", id: path };
}

/**
 * A game as it stands, or with a ply behind its address as it was then.
 *
 * @param {string} id
 * @param {string} hash
 * @returns {Route}
 */
function game(id, hash) {
  const ply = /^#(\d{1,9})$/.exec(hash);
  return ply ? { page: "replay", id, ply: Number(ply[1]) } : { page: "game", id };
}

/**
 * The perfect game of a day, or a record from a file.
 *
 * @param {string} date
 * @returns {Route}
 */
function record(date) {
  return { page: "record", id: isDate(date) ? date : "" };
}

/**
 * The address that offers to sign a device in. The code stands where no server and no log sees it.
 *
 * @param {string} code
 */
export function linkAddress(code) {
  return `${location.origin}/#link=${encodeURIComponent(code)}`;
}

/**
 * The link code in an address, if there is one.
 *
 * @param {string} hash
 */
export function linkCodeIn(hash) {
  return hash.startsWith("#link=") ? decoded(hash.slice("#link=".length)) : null;
}

/** @param {string} part */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
