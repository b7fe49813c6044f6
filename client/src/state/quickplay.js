// @ts-check
/**
 * Waiting for people at a table that one tap has led to, and for how long. Knows no document and no network.
 *
 * @typedef {import("./wire.js").Player} Player
 *
 * @typedef {object} Quick
 * @property {string} game
 * @property {number} people How many persons sat there when it last changed.
 * @property {number} since When that was, by this device's clock.
 */
import { people } from "./lobby.js";

/** When nobody has come for so long, bots take the free seats, in milliseconds. */
export const PATIENCE = 10_000;

/**
 * @param {{id: string, players: Player[]}} game
 * @param {number} now
 * @returns {Quick}
 */
export function begun(game, now) {
  return { game: game.id, people: people(game), since: now };
}

/**
 * What the waiting comes to now that the table stands so: whoever comes begins it anew.
 *
 * @param {Quick} quick
 * @param {{id: string, status: string, you: number | null, players: Player[]}} view
 * @param {number} now
 * @returns {Quick | null} Null when there is nothing to wait for any more.
 */
export function noticed(quick, view, now) {
  if (view.status !== "waiting" || view.you === null) return null;
  return people(view) === quick.people ? quick : begun(view, now);
}
