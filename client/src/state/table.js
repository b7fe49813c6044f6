// @ts-check
/**
 * A table as this device sees it: the server's last view, what is on its way to the server,
 * and what the player tapped meanwhile. Knows no page and no rules.
 *
 * @typedef {import("./wire.js").View} View
 *
 * @typedef {"stock" | "waste" | number} Place A number is a position in the heart.
 *
 * @typedef {{kind: "move", move: string} | {kind: "undo"} | {kind: "resign"}
 *   | {kind: "answer", accept: boolean}} Command
 * @typedef {Command & {revision: number}} Sent
 * @typedef {Command | {kind: "tap", place: Place}} Intent
 *
 * @typedef {object} Table
 * @property {string} id
 * @property {View | null} view Null until the server has told.
 * @property {boolean} ended Whether the game has come to its end while it was watched.
 * @property {string | null} trouble The error code that stands in the way of a view.
 * @property {Place | null} selected
 * @property {string[]} chosen The cards that are lifted to be passed.
 * @property {Sent | null} sent The one command whose answer is awaited.
 * @property {Intent[]} waiting What is done, in order, once the answer is there.
 */

/** Taps that run ahead of the server by more than this are not taken any more, which the player is told. */
const MOST_WAITING = 12;

/**
 * @param {string} id
 * @returns {Table}
 */
export function newTable(id) {
  return { id, view: null, ended: false, trouble: null, selected: null, chosen: [], sent: null, waiting: [] };
}

/**
 * Takes the server's word for how the game stands. The first view after a (new) subscription counts
 * whatever its revision; after that a view older than the one shown is a straggler.
 *
 * @param {Table} table
 * @param {View} view
 * @param {boolean} first
 */
export function receive(table, view, first = false) {
  const before = table.view;
  if (before && !first && view.revision < before.revision) return;
  table.view = view;
  table.ended ||= before !== null && !before.finished_at && !!view.finished_at;
  table.trouble = null;
  if (table.sent && !stillOpen(table.sent, view)) table.sent = null;
  if (!mayPlay(table)) table.waiting = [];
  table.chosen = table.chosen.filter(card => view.status === "passing" && view.hand?.includes(card));
  if (!stillThere(table, before)) table.selected = null;
}

/**
 * Whether what was sent may still be answered by a change. A pass is not outrun by those of others.
 *
 * @param {Sent} sent
 * @param {View} view
 */
function stillOpen(sent, { revision, status, you, passed }) {
  if (sent.revision >= revision) return true;
  const passing = sent.kind === "move" && sent.move.startsWith("pass ") && status === "passing";
  return passing && you !== null && !passed?.[you];
}

/**
 * Whether the selected card is still in play where it was selected.
 *
 * @param {Table} table
 * @param {View | null} before
 */
function stillThere({ view, selected }, before) {
  if (!view || selected === null) return true;
  if (view.status === "won" || view.status === "resigned") return false;
  if (typeof selected === "number") return view.free.includes(selected);
  return view.waste.count === before?.waste.count && view.waste.top === before.waste.top;
}

/** The statuses of a game that goes on. */
const ON = new Set(["playing", "stuck", "passing", "moon"]);

/**
 * Whether this device sits at the table and the game goes on.
 *
 * @param {Table} table
 */
export function mayPlay({ view }) {
  return view !== null && view.you !== null && ON.has(view.status);
}

/**
 * Makes a command at the view that is shown, or puts it behind the one on its way.
 *
 * @param {Table} table
 * @param {Command} command
 * @returns {"ahead" | null} Whether too much waits already.
 */
export function issue(table, command) {
  if (table.sent || !table.view) return wait(table, command);
  table.sent = { ...command, revision: table.view.revision };
  return null;
}

/**
 * @param {Table} table
 * @param {Intent} intent
 * @returns {"ahead" | null} Whether too much waits already.
 */
export function wait(table, intent) {
  if (table.waiting.length >= MOST_WAITING) return "ahead";
  table.waiting.push(intent);
  return null;
}

/**
 * The server would not do what was sent. The view that it may have told is the truth.
 *
 * @param {Table} table
 * @param {View | undefined} view
 */
export function refused(table, view) {
  table.sent = null;
  table.waiting = [];
  if (view) receive(table, view);
}

/**
 * The connection is gone: what was sent may or may not have arrived, and is sent again at the same
 * revision, where it can count only once. What waited behind it is forgotten.
 *
 * @param {Table} table
 */
export function cutOff(table) {
  table.waiting = [];
}

/** What a server says that will answer later. */
const PASSING = new Set(["unavailable", "slow_down"]);

/**
 * The game can't be followed (any more).
 *
 * @param {Table} table
 * @param {string} code
 */
export function fail(table, code) {
  table.trouble = code;
  if (!PASSING.has(code)) table.view = null;
  table.sent = null;
  table.waiting = [];
}
