// @ts-check
/**
 * Tables of Hearts that wait for players or can be watched. Knows no document and no network.
 *
 * @typedef {import("./wire.js").Summary} Summary
 * @typedef {import("./wire.js").Player} Player
 * @typedef {import("./wire.js").User} User
 *
 * @typedef {object} Lobby
 * @property {Summary[] | null} games Public tables, the newest first; null until the server has told.
 * @property {string | null} trouble The error code that stands in the way.
 */

/** @type {{[name: string]: string | number}} What a table is opened with where nobody says otherwise. */
export const DEFAULTS = { players: 4, target: 100, moon: "choice", variant: "standard", turn_seconds: 60 };

/** Who may sit at a table, by its variant. */
export const PLAYERS = /** @type {const} */ ({
  standard: [3, 4, 5, 6, 7],
  omnibus: [3, 4, 5, 6, 7],
  cancellation: [6, 7, 8, 9, 10],
});

/** @returns {Lobby} */
export function newLobby() {
  return { games: null, trouble: null };
}

/** @param {{players: Player[]}} game */
export function freeSeats({ players }) {
  return players.filter(each => !each.user && !each.bot).length;
}

/** @param {{players: Player[]}} game */
export function people({ players }) {
  return players.filter(each => each.user).length;
}

/**
 * @param {{players: Player[]}} game
 * @param {User | null | undefined} me
 */
export function sitsAt({ players }, me) {
  return players.some(each => me && each.user?.id === me.id && !each.resigned);
}

/**
 * The person who opened a table, or has it since that one left.
 *
 * @param {{players: Player[]}} game
 */
export function host({ players }) {
  return players.find(each => each.user) ?? null;
}

/**
 * What the first page shows: the tables of others.
 *
 * @param {Lobby} lobby
 * @param {User | null | undefined} me
 */
export function tables({ games }, me) {
  const others = (games ?? []).filter(each => !sitsAt(each, me));
  return {
    open: others.filter(each => each.status === "waiting" && freeSeats(each) > 0),
    running: others.filter(each => each.status !== "waiting"),
  };
}

/**
 * The tables that quick play would sit down at, the fullest first: those with the usual options at which
 * somebody is.
 *
 * @param {Summary[]} games
 * @param {User | null | undefined} me
 */
export function suitable(games, me) {
  return tables({ games, trouble: null }, me)
    .open.filter(
      each => isUsual(each.options) && each.players.some(player => player.user && player.connected),
    )
    .sort((one, other) => freeSeats(one) - freeSeats(other));
}

/**
 * The table at which quick play has left one waiting before, if there is one.
 *
 * @param {Summary[]} games
 * @param {User | null | undefined} me
 */
export function waitedAt(games, me) {
  return games.find(each => each.status === "waiting" && isUsual(each.options) && sitsAt(each, me));
}

/** @param {{[name: string]: string | number}} options */
function isUsual(options) {
  return Object.entries(DEFAULTS).every(([name, value]) => options[name] === value);
}
