// @ts-check
/**
 * The course of a game as lines over its moves. Points that are not there yet leave a gap.
 */
import { h } from "./dom.js";

/** The height of the drawing; its width is the number of moves. */
const TALL = 100;

/**
 * @param {object} given
 * @param {(number[] | undefined)[]} given.heights By ply, one number a line.
 * @param {number} given.length How many moves there are.
 * @param {number | null} given.full The height that reaches the top; null for that of the highest point.
 * @param {number} given.at Where the marker stands.
 */
export function curve({ heights, length, full, at }) {
  const lines = heights.find(each => each)?.length ?? 0;
  const all = full === null ? heights.flatMap(each => each ?? []) : [];
  const top = full ?? Math.max(1, ...all);
  const bottom = Math.min(0, ...all);
  const wide = Math.max(1, length);
  const each = Array.from({ length: lines }, (_, line) =>
    steps(heights, line, n => (TALL * (top - n)) / (top - bottom)),
  );
  return h(
    "svg",
    { class: "curve", viewBox: `0 0 ${wide} ${TALL}`, preserveAspectRatio: "none", "aria-hidden": "true" },
    lines === 1 && each.map(path => h("path", { class: "under-line", d: filled(path) })),
    each.map((path, line) => h("path", { class: `line line-${line}`, d: joined(path) })),
    h("path", { class: "marker", d: `M${at} 0V${TALL}` }),
  );
}

/**
 * The corners of one line, in pieces without a gap.
 *
 * @param {(number[] | undefined)[]} heights
 * @param {number} line
 * @param {(n: number) => number} down How far from the top a height is.
 * @returns {[x: number, y: number][][]}
 */
function steps(heights, line, down) {
  /** @type {[x: number, y: number][][]} */
  const pieces = [];
  /** @type {[x: number, y: number][] | undefined} */
  let piece;
  heights.forEach((here, ply) => {
    if (!here) return;
    const y = down(here[line] ?? 0);
    if (!piece || !heights[ply - 1]) {
      piece = [[ply, y]];
      pieces.push(piece);
    }
    const last = /** @type {[number, number]} */ (piece.at(-1));
    if (last[1] !== y) piece.push([ply, last[1]], [ply, y]);
    else if (!heights[ply + 1]) piece.push([ply, y]);
  });
  return pieces;
}

/** @param {[x: number, y: number][][]} pieces */
function joined(pieces) {
  return pieces.map(piece => `M${piece.map(point => point.join(" ")).join("L")}`).join("");
}

/** @param {[x: number, y: number][][]} pieces */
function filled(pieces) {
  return pieces
    .map(piece => `${joined([piece])}L${piece.at(-1)?.[0]} ${TALL}L${piece[0]?.[0]} ${TALL}Z`)
    .join("");
}
