// @ts-check
/**
 * A game that is looked back over: which of its positions have come from the server, and which one is shown.
 * Knows no game's rules; what a position says is the view's word.
 *
 * @typedef {import("./wire.js").View} View
 *
 * @typedef {object} Replay
 * @property {string} id The game's; empty for a record from a file.
 * @property {View | null} end How the game stands now; null for a record.
 * @property {number | null} length How many moves there are; null until that is known.
 * @property {(View | undefined)[]} views By ply.
 * @property {number} at The ply that is asked for.
 * @property {View | null} shown The position at `at`, or the one before it while that is awaited.
 * @property {string | null} trouble The error code that stands in the way.
 * @property {boolean} running Whether it plays by itself.
 * @property {number} speed One of `SPEEDS`.
 * @property {number | null} seat Whose eyes it is seen through; null with all hands open.
 * @property {boolean} listed Whether a small window shows the moves instead of the table.
 * @property {string | null} day The day whose perfect game it is.
 * @property {Finding | null} finding What a check of the record has found; null for a game of the server's.
 *
 * @typedef {{ok: boolean, problem: {move: number | null, detail: string} | null}} Finding
 */

/** So many positions come at once; the most that the server gives. */
export const PAGE = 200;

/** How many times the common pace. */
export const SPEEDS = [0.5, 1, 2, 4, 8];

/** Between two moves at the common pace, in milliseconds. */
const PACE = 900;

/**
 * @param {string} id
 * @param {number} at
 * @returns {Replay}
 */
export function newReplay(id, at) {
  return {
    id,
    end: null,
    length: null,
    views: [],
    at,
    shown: null,
    trouble: null,
    running: false,
    speed: 1,
    seat: null,
    listed: false,
    day: null,
    finding: null,
  };
}

/**
 * Takes how long the game is. One that has gone on since it was opened begins anew.
 *
 * @param {Replay} replay
 * @param {number} length
 * @param {View | null} end
 */
export function begin(replay, length, end) {
  replay.end = end;
  replay.length = length;
  replay.views = [];
  turn(replay, replay.at);
}

/**
 * @param {Replay} replay
 * @param {string | null} code Null to try again.
 */
export function fail(replay, code) {
  replay.trouble = code;
}

/**
 * @param {Replay} replay
 * @param {number} from The ply of the first of the views.
 * @param {View[]} views
 */
export function take(replay, from, views) {
  views.forEach((view, i) => {
    replay.views[from + i] = view;
  });
  replay.shown = replay.views[replay.at] ?? replay.shown;
}

/**
 * @param {Replay} replay
 * @param {number} at Anything outside the game is its nearest end.
 */
export function turn(replay, at) {
  replay.at = Math.max(0, Math.min(at, replay.length ?? at));
  replay.shown = replay.views[replay.at] ?? replay.shown;
  if (replay.at === replay.length) replay.running = false;
}

/**
 * @param {Replay} replay
 * @param {boolean} running One that plays from its end begins again.
 */
export function run(replay, running) {
  if (running && replay.at === replay.length) turn(replay, 0);
  replay.running = running && replay.at !== replay.length;
}

/**
 * Whether the next move can be shown at once.
 *
 * @param {Replay} replay
 */
export function hasNext({ views, at }) {
  return views[at + 1] !== undefined;
}

/** @param {Replay} replay */
export function faster(replay) {
  const next = SPEEDS.indexOf(replay.speed) + 1;
  replay.speed = SPEEDS[next % SPEEDS.length] ?? 1;
}

/**
 * @param {Replay} replay
 * @param {number | null} seat
 */
export function seeAs(replay, seat) {
  replay.seat = seat;
}

/**
 * @param {Replay} replay
 * @param {boolean} listed
 */
export function list(replay, listed) {
  replay.listed = listed;
}

/**
 * How long a move is shown when it plays by itself.
 *
 * @param {Replay} replay
 * @returns {number} Milliseconds.
 */
export function pace({ speed }) {
  return PACE / speed;
}

/**
 * The page of positions that is missing nearest to the one that is shown.
 *
 * @param {Replay} replay
 * @returns {{from: number, to: number} | null} Plies, both included; null once all are there.
 */
export function missing({ views, at, length }) {
  if (length === null) return null;
  const here = Math.floor(at / PAGE);
  const last = Math.floor(length / PAGE);
  for (let away = 0; away <= last; away++) {
    for (const page of [here + away, here - away]) {
      const from = page * PAGE;
      if (page >= 0 && page <= last && !views[from]) return { from, to: Math.min(from + PAGE - 1, length) };
    }
  }
  return null;
}
