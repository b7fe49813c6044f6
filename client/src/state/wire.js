// @ts-check
/**
 * What the server says, as types (docs/protocol.md). Nothing here runs.
 *
 * @typedef {{id: string, name: string}} Person
 * @typedef {Person & {guest: boolean}} User
 *
 * @typedef {object} Player
 * @property {number} seat
 * @property {Person | null} user
 * @property {{name: string, level: string} | null} bot
 * @property {boolean} [connected]
 * @property {boolean} [resigned]
 *
 * @typedef {object} Shared What the view of every game has.
 * @property {string} id
 * @property {string} game
 * @property {number} revision
 * @property {number} ply How many moves the log holds.
 * @property {string} status
 * @property {Player[]} players
 * @property {number | null} you The caller's seat.
 * @property {number[]} turn
 * @property {string[]} legal The caller's legal moves, spelled as they are sent.
 * @property {{seat: number, move: string} | null} last
 * @property {string} created_at
 * @property {string | null} started_at
 * @property {string | null} finished_at
 *
 * @typedef {object} Solitaire Heart to Heart's own part.
 * @property {string} deal
 * @property {(string | null)[]} heart 25 entries, position 1 first.
 * @property {number[]} free Positions.
 * @property {number} stock
 * @property {{count: number, top: string | null}} waste
 * @property {number} score
 * @property {number} moves
 * @property {number} undone
 * @property {number} undoable
 * @property {number} clock_ms
 * @property {string | null} clock_at
 * @property {string | null} ranked The day whose board the game is played for.
 *
 * @typedef {Shared & Solitaire} View
 *
 * @typedef {object} Summary A game in a list.
 * @property {string} id
 * @property {string} game
 * @property {string} status
 * @property {number} ply
 * @property {number} score
 * @property {string} deal
 * @property {string | null} ranked
 * @property {string} created_at
 * @property {string | null} finished_at
 *
 * @typedef {{kind: string, seat: number | null, move: string | null}} GameEvent What changed a game.
 *
 * @typedef {{id: string, device: string, created_at: string, seen_at: string, current: boolean}} Device
 */

export {};
