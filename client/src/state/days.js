// @ts-check
/**
 * The days of the daily deal and what is known of the one that is shown. Knows no document and no network.
 *
 * @typedef {import("./wire.js").View} View
 * @typedef {import("./wire.js").Day} Day
 * @typedef {import("./wire.js").Board} Board
 * @typedef {import("./wire.js").Bar} Bar
 * @typedef {import("./wire.js").Entry} Entry
 * @typedef {import("./wire.js").TriedDay} TriedDay
 *
 * @typedef {object} Daily
 * @property {string} asked The date in the address; empty for whichever is today.
 * @property {Day | null} day
 * @property {Board | null} board Null until it is there, and on the first page, which shows none.
 * @property {boolean} due Whether it is to be fetched, for the first time or anew.
 * @property {string | null} trouble The error code of the last fetch.
 * @property {boolean} whole Whether all entries are shown that are there, instead of the first few.
 * @property {boolean} more Further entries of the board are on their way.
 */

const DAY_MS = 86_400_000;

/**
 * @param {string} asked
 * @returns {Daily}
 */
export function newDaily(asked) {
  return { asked, day: null, board: null, due: true, trouble: null, whole: false, more: false };
}

/** @param {Daily} daily */
export function fetching(daily) {
  daily.due = false;
  daily.trouble = null;
}

/**
 * @param {Daily} daily
 * @param {Day} day
 * @param {Board | null} board
 */
export function take(daily, day, board) {
  daily.day = day;
  daily.board = board;
  daily.trouble = null;
}

/**
 * @param {Daily} daily
 * @param {string} code
 */
export function fail(daily, code) {
  daily.trouble = code;
}

/**
 * Takes what was pushed: all figures, and the first places of the board.
 *
 * @param {Daily} daily
 * @param {{date: string, players: number, finished: number, top: Entry[]}} push
 * @returns {boolean} Whether there is more to it, which must be fetched.
 */
export function pushed(daily, { date, players, finished, top }) {
  const { day, board } = daily;
  if (!day || !board || day.date !== date) return false;
  const known = new Set(top.map(entry => entry.game));
  const shown = board.entries.slice(0, top.length);
  const changed = finished !== day.finished || top.some((entry, i) => !same(entry, shown[i]));
  day.players = players;
  day.finished = finished;
  board.entries = [...top, ...board.entries.filter(entry => !known.has(entry.game))];
  return changed;
}

/**
 * @param {Entry} one
 * @param {Entry | undefined} other
 */
function same(one, other) {
  return one.game === other?.game && one.rank === other.rank && one.user.name === other.user.name;
}

/**
 * Adds the next page of the board.
 *
 * @param {Daily} daily
 * @param {Board} page
 */
export function lengthen(daily, page) {
  if (!daily.board) return;
  const known = new Set(daily.board.entries.map(entry => entry.game));
  daily.board.entries = [...daily.board.entries, ...page.entries.filter(entry => !known.has(entry.game))];
  daily.board.next = page.next;
}

/** @param {Daily} daily */
export function unfold(daily) {
  daily.whole = true;
}

/**
 * @param {Daily} daily
 * @param {boolean} more Whether a page of the board is on its way.
 */
export function wait(daily, more) {
  daily.more = more;
}

/**
 * The day that it is at a moment.
 *
 * @param {number} now
 */
export function dateAt(now) {
  return new Date(now).toISOString().slice(0, 10);
}

/**
 * @param {string} date
 * @param {number} days
 */
export function later(date, days) {
  return dateAt(Date.parse(date) + days * DAY_MS);
}

/**
 * Whether a text is a date that exists.
 *
 * @param {string} text
 */
export function isDate(text) {
  const time = /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(time) && dateAt(time) === text;
}

/**
 * Whether a game is on the deal of a day that is not over: then it is its player's alone.
 *
 * @param {View} view
 * @param {number} now The server's present.
 */
export function isOpenDay({ deal = "" }, now) {
  const day = /^HH1-D-(\d{4})(\d\d)(\d\d)$/.exec(deal);
  return day !== null && now < Date.parse(day.slice(1).join("-")) + DAY_MS;
}

/**
 * How the own try stands.
 *
 * @param {Day} day
 * @returns {"none" | "begun" | "won" | "ended"}
 */
export function ownState({ mine }) {
  if (!mine) return "none";
  if (!mine.finished_at) return "begun";
  return mine.status === "won" ? "won" : "ended";
}
