// @ts-check
/**
 * Tapping in Hearts: which cards are lifted to be passed, and which command a tap makes. What may be played is
 * the view's word alone.
 *
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./wire.js").Hearts} Hearts
 * @typedef {import("./wire.js").Shared & Hearts} HeartsView
 *
 * @typedef {"pass" | "play" | "moon"} Task What the viewer is asked to do.
 * @typedef {"not_yet" | "enough" | "unplayable"} Slip Why a tap did nothing.
 */

import { issue } from "./table.js";

/** How many cards each passes. */
export const PASSED = 3;

/**
 * The view of a game that is known to be one of Hearts.
 *
 * @param {import("./wire.js").View} view
 */
export function heartsOf(view) {
  return /** @type {HeartsView} */ (/** @type {unknown} */ (view));
}

/** @param {Table} table */
function viewOf({ view }) {
  return view && heartsOf(view);
}

/**
 * @param {HeartsView} view
 * @returns {Task | null}
 */
export function task({ legal }) {
  return /** @type {Task | undefined} */ (legal[0]?.split(" ")[0]) ?? null;
}

/**
 * The cards that may be played now.
 *
 * @param {HeartsView} view
 * @returns {Set<string>}
 */
export function playable({ legal }) {
  return new Set(legal.filter(move => move.startsWith("play ")).map(move => move.slice(5)));
}

/**
 * One tap on a card of one's own hand.
 *
 * @param {Table} table
 * @param {string} card
 * @returns {Slip | null}
 */
export function tap(table, card) {
  const view = viewOf(table);
  if (!view || table.sent) return null;
  const asked = task(view);
  if (asked === "pass") return lift(table, card);
  if (asked !== "play") return "not_yet";
  if (!playable(view).has(card)) return "unplayable";
  issue(table, { kind: "move", move: `play ${card}` });
  return null;
}

/**
 * @param {Table} table
 * @param {string} card
 * @returns {Slip | null}
 */
function lift(table, card) {
  const { chosen } = table;
  if (chosen.includes(card)) table.chosen = chosen.filter(each => each !== card);
  else if (chosen.length === PASSED) return "enough";
  else table.chosen = [...chosen, card];
  return null;
}

/**
 * Whether the cards to be passed are chosen, and nothing else is on its way.
 *
 * @param {Table} table
 */
export function canPass(table) {
  const view = viewOf(table);
  return !!view && !table.sent && task(view) === "pass" && table.chosen.length === PASSED;
}

/** @param {Table} table */
export function pass(table) {
  if (canPass(table)) issue(table, { kind: "move", move: ["pass", ...table.chosen].join(" ") });
}

/**
 * @param {Table} table
 * @param {"add" | "subtract"} what
 */
export function chooseMoon(table, what) {
  const view = viewOf(table);
  const move = `moon ${what}`;
  if (view?.legal.includes(move) && !table.sent) issue(table, { kind: "move", move });
}

/**
 * Puts all lifted cards back.
 *
 * @param {Table} table
 */
export function letGo(table) {
  table.chosen = [];
}

/**
 * How many cards each seat was dealt.
 *
 * @param {HeartsView} view
 */
export function dealt({ options, counts }) {
  return Math.floor((options.variant === "cancellation" ? 104 : 52) / counts.length);
}

/**
 * Whether the last move is the viewer's own, of this hand, and hidden cards have not come to light since: only
 * then is it worth asking.
 *
 * @param {HeartsView} view
 */
export function mayTakeBack(view) {
  const { you, last, status, takeback } = view;
  if (you === null || !plays(view) || last?.seat !== you || takeback) return false;
  if (status === "passing") return view.passed[you] === true;
  return status === "playing" && last.move.startsWith("play ") && (view.counts[you] ?? 0) < dealt(view);
}

/**
 * Whether a take-back can be asked for: of the last move, or of one's own that is still on its way, since bots
 * leave little time for it.
 *
 * @param {Table} table
 */
export function canAskBack(table) {
  const { sent, waiting } = table;
  const view = viewOf(table);
  if (!view || !sent) return view !== null && mayTakeBack(view);
  return sent.kind === "move" && !sent.move.startsWith("moon ") && !waiting.length;
}

/** @param {Table} table */
export function askBack(table) {
  if (canAskBack(table)) issue(table, { kind: "undo" });
}

/**
 * @param {Table} table
 * @param {boolean} accept
 */
export function answer(table, accept) {
  const view = viewOf(table);
  if (view && isAsked(view) && !table.sent) issue(table, { kind: "answer", accept });
}

/**
 * Whether the viewer is to say if a move may be taken back.
 *
 * @param {HeartsView} view
 */
export function isAsked({ you, takeback }) {
  return you !== null && (takeback?.waiting_for.includes(you) ?? false);
}

/** @param {Table} table */
export function resign(table) {
  const view = viewOf(table);
  if (view && plays(view) && !table.sent) issue(table, { kind: "resign" });
}

/**
 * Whether the viewer has a seat in a game that goes on, and has not resigned.
 *
 * @param {HeartsView} view
 */
export function plays({ you, status, players }) {
  return you !== null && isOn(status) && !players[you]?.resigned;
}

/**
 * Whether a move of the viewer is waited for; who has resigned leaves it to a bot.
 *
 * @param {HeartsView} view
 */
export function mayMove(view) {
  return plays(view) && view.you !== null && view.turn.includes(view.you);
}

/**
 * Whether no other person plays on when the viewer gives up.
 *
 * @param {HeartsView} view
 */
export function isAlone({ you, players }) {
  return !players.some(({ seat, user, resigned }) => seat !== you && user && !resigned);
}

/**
 * Whether cards are on the table and the game goes on.
 *
 * @param {string} status
 */
export function isOn(status) {
  return status === "passing" || status === "playing" || status === "moon";
}

/**
 * The points that each seat has taken in a hand which is not scored yet.
 *
 * @param {HeartsView} view
 */
export function taken({ points, scores, hand_number }) {
  return scores.length < hand_number ? points : points.map(() => 0);
}

/**
 * Whether a person who plays is not here.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
export function isAway({ players, finished_at }, seat) {
  const { user, resigned, connected } = players[seat] ?? {};
  return !!user && !resigned && connected === false && !finished_at;
}

/** Seats to the left, by the direction of a pass. */
const STEPS = { left: 1, right: -1, across: 2, none: 0 };

/**
 * Whom a seat passes to, and whom it gets cards from.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
export function neighbours({ pass: direction, players }, seat) {
  const step = STEPS[direction];
  const at = (/** @type {number} */ away) => (seat + away + players.length) % players.length;
  return { to: at(step), from: at(-step) };
}

/**
 * The cards that came by passing, for as long as the viewer has played none of this hand.
 *
 * @param {HeartsView} view
 * @returns {Set<string>}
 */
export function fresh(view) {
  const { you, received, counts } = view;
  const unplayed = you !== null && counts[you] === dealt(view);
  return new Set(unplayed ? received : null);
}

/**
 * The cards of a trick whose equals lie in it too, so that neither can win.
 *
 * @param {{card: string}[]} trick
 * @returns {Set<string>}
 */
export function cancelled(trick) {
  const once = new Set();
  const twice = new Set();
  for (const { card } of trick) (once.has(card) ? twice : once).add(card);
  return twice;
}

/**
 * The seats from the fewest points to the most, those with equal totals on one rank. Who has resigned is last.
 *
 * @param {HeartsView} view
 * @returns {{seat: number, total: number, rank: number, resigned: boolean}[]}
 */
export function standings({ totals, players }) {
  const all = totals.map((total, seat) => ({
    seat,
    total,
    resigned: players[seat]?.resigned === true,
    rank: 0,
  }));
  all.sort((one, other) => Number(one.resigned) - Number(other.resigned) || one.total - other.total);
  all.forEach((each, i) => {
    const before = all[i - 1];
    const equal = before && before.total === each.total && before.resigned === each.resigned;
    each.rank = equal ? before.rank : i + 1;
  });
  return all;
}

/**
 * Who may fill the table with bots.
 *
 * @param {HeartsView} view
 */
export function isHost({ you, creator }) {
  return you !== null && creator === you;
}
