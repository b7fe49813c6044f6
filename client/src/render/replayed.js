// @ts-check
/**
 * How each game is shown when it is looked back over. A game is added by its entry here; the player around
 * the table is the same for all (pages/replay.js).
 *
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("./dom.js").Child} Child
 *
 * @typedef {object} Replayed
 * @property {(view: View) => string} name What the page is called.
 * @property {(view: View, seat: number | null) => Child} table The position as one seat saw it, or with all open.
 * @property {(view: View) => {label: string, value: Child, kind?: string}[]} figures What the bar tells of the position.
 * @property {(before: View | null, view: View, seat: number | null) => string} words What the last move was, as
 *   one seat saw it, or with all open.
 * @property {(before: View, view: View) => number | null} took How long the last move was thought about, in
 *   milliseconds; null if that is not kept.
 * @property {(view: View) => number[]} heights Where each line of the curve runs.
 * @property {number | null} full How high the curve can rise; null if only its own lines tell.
 * @property {(view: View) => {seat: number | null, label: string}[]} eyes Whose it can be seen through.
 * @property {(end: View) => string} outcome How the game stands or ended, in words.
 * @property {((end: View) => Child) | null} standings How each seat stood then, in a line; null where one plays alone.
 * @property {((end: View) => string) | null} code The deal that can be played again, if it can.
 */
import { duration, number, seconds, t } from "../i18n.js";
import { moved } from "../words.js";
import { h } from "./dom.js";
import { style, TABLE_OF_HEARTS } from "./style.js";
import "./board.js";

/** @type {Replayed} */
const heartToHeart = {
  name: view => t("game.heading", { code: view.deal }),
  table: view =>
    h("heart-board", {
      model: { view, selected: null, sent: null, outlined: new Set(), matching: null, live: false },
    }),
  figures: view => [
    { label: t("info.time"), value: duration(view.clock_ms) },
    { label: t("info.score"), value: number(view.score) },
    { label: t("info.moves"), value: number(view.ranked ? view.ply + view.undone : view.moves) },
  ],
  words: (before, view) => (view.last ? moved(view.last.move, before, view) : t("replay.start")),
  took: (before, view) => view.clock_ms - before.clock_ms,
  heights: view => [view.score],
  full: 250,
  eyes: () => [],
  outcome: end => `${t(`status.${end.status}`)} · ${t("ending.points", { n: end.score })}`,
  standings: null,
  code: end => end.deal,
};

/** @type {Record<string, Replayed>} By the name of the game. */
const REPLAYED = { "heart-to-heart": heartToHeart };

/**
 * Games whose tables are fetched when one is first looked back over.
 *
 * @type {Record<string, () => Promise<Replayed>>}
 */
const LATER = {
  hearts: async () =>
    (await Promise.all([import("./hearts/replayed.js"), ...TABLE_OF_HEARTS.map(style)]))[0].hearts,
};

/** @type {Set<string>} Games whose tables are on their way. */
const coming = new Set();

/** @type {Set<string>} Games whose tables could not be fetched. */
const failed = new Set();

/**
 * How a game is shown.
 *
 * @param {string} game
 * @param {import("../actions/actions.js").Actions} act Told once it is there.
 * @returns {Replayed | null} Null while it is fetched, or if it is not known.
 */
export function replayed(game, act) {
  const fetch = LATER[game];
  if (fetch && !coming.has(game) && !failed.has(game)) fetchTable(game, fetch, act);
  return REPLAYED[game] ?? null;
}

/**
 * Whether the table of a game could not be fetched.
 *
 * @param {string} game
 */
export function isLost(game) {
  return failed.has(game);
}

/**
 * Has such a table be fetched once more.
 *
 * @param {string} game
 * @param {import("../actions/actions.js").Actions} act
 */
export function fetchAgain(game, act) {
  failed.delete(game);
  act.redraw();
}

/**
 * @param {string} game
 * @param {() => Promise<Replayed>} fetch
 * @param {import("../actions/actions.js").Actions} act
 */
async function fetchTable(game, fetch, act) {
  coming.add(game);
  try {
    REPLAYED[game] = await fetch();
    delete LATER[game];
  } catch {
    failed.add(game);
  }
  coming.delete(game);
  act.redraw();
}

/**
 * A row of the list: what the move was and how long it took.
 *
 * @param {import("../state/replay.js").Replay} replay
 * @param {Replayed} kind
 * @param {number} ply
 * @returns {import("./movelist.js").Row | null} Null while it is awaited.
 */
export function told({ views, day: perfect, seat }, kind, ply) {
  const view = views[ply];
  const before = views[ply - 1] ?? null;
  if (!view || (ply && !before)) return null;
  const took = before && !perfect ? kind.took(before, view) : null;
  return { words: kind.words(before, view, seat), took: took === null ? "" : seconds(took) };
}
