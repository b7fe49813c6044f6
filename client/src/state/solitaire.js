// @ts-check
/**
 * Tapping in Heart to Heart (docs/rules.md, "Tapping"). Which cards are free and which moves are legal
 * is the view's word alone.
 *
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("./table.js").Place} Place
 * @typedef {import("./table.js").Intent} Intent
 *
 * @typedef {"different_rank" | "ahead"} Slip Why an action did nothing, or not what was hoped for.
 */

import { issue, mayPlay, wait } from "./table.js";

/**
 * One tap. Taken at once if its outcome is known, else once the command on its way is answered.
 *
 * @param {Table} table
 * @param {Place} place
 * @returns {Slip | null} What was wrong with it.
 */
export function tap(table, place) {
  if (!mayPlay(table)) return null;
  if (table.waiting.length || hangsOn(table, place)) {
    return wait(table, { kind: "tap", place });
  }
  return place === "stock" ? tapStock(table) : tapCard(table, place);
}

/**
 * Takes the next thing that waited for an answer.
 *
 * @param {Table} table
 * @returns {Slip | null}
 */
export function resume(table) {
  const next = table.sent || !table.view ? undefined : table.waiting.shift();
  if (!next) return null;
  if (next.kind === "tap") {
    const { waiting } = table;
    table.waiting = [];
    const slip = tap(table, next.place);
    table.waiting = waiting;
    return slip;
  }
  if (possible(table, next)) issue(table, next);
  return null;
}

/**
 * @param {Table} table
 * @param {Exclude<Intent, {kind: "tap"}>} command
 */
function possible({ view }, command) {
  if (command.kind === "move") return view?.legal.includes(command.move);
  // At a table of Hearts the server alone knows whether a move is still to be taken back.
  return command.kind === "resign" || view?.game === "hearts" || (view?.undoable ?? 0) > 0;
}

/**
 * Takes the last move back.
 *
 * @param {Table} table
 * @returns {Slip | null}
 */
export function undo(table) {
  if (!mayPlay(table)) return null;
  if (table.sent) return wait(table, { kind: "undo" });
  if (possible(table, { kind: "undo" })) issue(table, { kind: "undo" });
  return null;
}

/** @param {Table} table */
export function resign(table) {
  return mayPlay(table) ? issue(table, { kind: "resign" }) : null;
}

/** @param {Table} table */
export function deselect(table) {
  table.selected = null;
}

/**
 * The two places of a pair move.
 *
 * @param {string} move
 * @returns {Place[]}
 */
export function places(move) {
  if (!move.includes("-")) return [];
  return move.split("-").map(place => (place === "w" ? "waste" : Number(place)));
}

/**
 * Whether what a tap means hangs on the answer that is awaited.
 *
 * @param {Table} table
 * @param {Place} place
 */
function hangsOn({ sent }, place) {
  if (!sent) return false;
  if (sent.kind !== "move" || place === "stock") return true;
  const pair = places(sent.move);
  return pair.includes(place) || (place === "waste" && !pair.length);
}

/**
 * @param {Table} table
 * @returns {null}
 */
function tapStock(table) {
  if (table.selected === "waste") table.selected = null;
  const move = table.view?.legal.find(each => each === "draw" || each === "recycle");
  if (move) issue(table, { kind: "move", move });
  return null;
}

/**
 * @param {Table} table
 * @param {Exclude<Place, "stock">} place
 */
function tapCard(table, place) {
  const { view, selected } = table;
  if (!view || !inPlay(view, place)) return null;
  if (selected === place) {
    table.selected = null;
    return null;
  }
  const move = view.legal.find(each => isPair(each, selected, place));
  table.selected = move ? null : place;
  if (move) issue(table, { kind: "move", move });
  return move || selected === null ? null : "different_rank";
}

/**
 * @param {import("./wire.js").View} view
 * @param {Place} place
 */
function inPlay(view, place) {
  return place === "waste" ? view.waste.top !== null : view.free.includes(/** @type {number} */ (place));
}

/**
 * @param {string} move
 * @param {Place | null} one
 * @param {Place} other
 */
function isPair(move, one, other) {
  const pair = places(move);
  return one !== null && pair.includes(one) && pair.includes(other);
}

/**
 * What the placement helper shows: the heart cards that have a mate, or, with a card selected, those
 * (the waste among them) that do not match it.
 *
 * @param {Table} table
 * @returns {{outlined: Set<Place>, matching: Set<Place> | null}}
 */
export function help({ view, selected }) {
  const pairs = (view?.legal ?? []).map(places);
  const outlined = new Set(pairs.flat().filter(place => place !== "waste"));
  if (selected === null) return { outlined, matching: null };
  return { outlined, matching: new Set([selected, ...pairs.filter(pair => pair.includes(selected)).flat()]) };
}
