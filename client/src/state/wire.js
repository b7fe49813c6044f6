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
 * @property {{[name: string]: string | number}} options
 * @property {Player[]} players
 * @property {number | null} you The caller's seat.
 * @property {number[]} turn
 * @property {string[]} legal The caller's legal moves, spelled as they are sent.
 * @property {{seat: number, move: string} | null} last
 * @property {string} created_at
 * @property {string | null} started_at
 * @property {string | null} finished_at
 * @property {string | null} next The table after this one.
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
 * @typedef {{seat: number, card: string}} Played
 *
 * @typedef {object} Hearts Hearts' own part. What is kept by seat is indexed by it.
 * @property {number} hand_number
 * @property {"left" | "right" | "across" | "none"} pass
 * @property {string[] | null} hand Null for a spectator.
 * @property {string[] | null} sent The cards that the caller has passed, until the hand ends.
 * @property {string[] | null} received
 * @property {number[]} counts Cards held.
 * @property {boolean[]} passed
 * @property {Played[]} trick
 * @property {string[]} held The cards of cancelled tricks on the table.
 * @property {{cards: Played[], winner: number | null} | null} last_trick
 * @property {boolean} broken
 * @property {number[]} points Taken in this hand.
 * @property {number[]} totals
 * @property {number[][]} scores By hand, what it added to the totals.
 * @property {number[] | null} winners
 * @property {{seat: number, waiting_for: number[]} | null} takeback
 * @property {string | null} turn_ends_at
 * @property {number | null} creator
 * @property {string} commitment
 * @property {string} [seed] Once the game is over.
 * @property {string[][]} [hands] All hands, in a replay.
 *
 * @typedef {Shared & Solitaire & Partial<Pick<Hearts, "hand" | "passed">>} View Of any game; what is not shared is
 *   there only in its own game.
 *
 * @typedef {object} Summary A game in a list.
 * @property {string} id
 * @property {string} game
 * @property {string} status
 * @property {number} ply
 * @property {{[name: string]: string | number}} options
 * @property {Player[]} players
 * @property {number} score Of Heart to Heart, as are the deal and the day it is ranked for.
 * @property {string} deal
 * @property {string | null} ranked
 * @property {number[]} totals Of Hearts, by seat.
 * @property {string} created_at
 * @property {string | null} finished_at
 *
 * @typedef {{kind: string, seat: number | null, move: string | null}} GameEvent What changed a game.
 *
 * @typedef {{id: string, device: string, created_at: string, seen_at: string, current: boolean}} Device
 *
 * @typedef {object} Entry A place on the board of a day.
 * @property {number} rank
 * @property {Person} user
 * @property {number} score
 * @property {number} moves Those taken back included.
 * @property {number} clock_ms
 * @property {boolean} won
 * @property {string} game
 *
 * @typedef {object} Board A page of the board of a day.
 * @property {string} date
 * @property {Entry[]} entries
 * @property {Entry | null} me
 * @property {Entry[]} around The caller's entry among its neighbours; empty when he is not on the board.
 * @property {string | null} next The cursor of the next page.
 *
 * @typedef {{moves: number, players: number}} Bar How many have won with so many moves.
 *
 * @typedef {object} Day
 * @property {string} date
 * @property {string} closes_at
 * @property {string} deal
 * @property {number} players Those who have begun.
 * @property {number} finished
 * @property {Summary | null} mine The caller's ranked try.
 * @property {number | null} par Once the caller has finished or the day is over; so the histogram.
 * @property {Bar[] | null} histogram
 * @property {string[] | null} line The moves of one win in par: once the day is over.
 *
 * @typedef {{current: number, longest: number}} Streak
 * @typedef {{date: string, won: boolean, score: number, moves: number}} TriedDay
 * @typedef {{streak: Streak, days: TriedDay[]}} Calendar A player's ranked tries, the latest first.
 * @typedef {{games: number, wins: number}} Tally
 *
 * @typedef {object} Profile What everybody may know of a player.
 * @property {Person} user
 * @property {number} games
 * @property {number} wins
 * @property {{[game: string]: Tally}} by_game
 * @property {Tally} daily Ranked tries.
 * @property {Streak} streak
 * @property {{date: string, rank: number}[]} best_ranks
 * @property {TriedDay[]} days
 * @property {{mu: number, sigma: number, games: number} | null} rating Strength at public Hearts tables.
 */

export {};
