// @ts-check
/**
 * Where the cards lie. A picture only: it says nothing of what covers what.
 *
 * @typedef {{x: number, y: number}} Point
 *
 * @typedef {object} Layout Pixels, from the board's upper left corner.
 * @property {number} width A card's.
 * @property {number} height
 * @property {boolean} large Whether cards have room for all their pips.
 * @property {boolean} tight Whether the next row leaves little more open than the rank.
 * @property {Point[]} heart Position 1 first.
 * @property {Point} stock
 * @property {Point} waste
 * @property {Point} away Where cards go that leave the game.
 */

/** Columns and rows of the 25 positions, in cards and rows. */
const COLUMNS = [
  0.5, 1.5, 3.5, 4.5, 0, 1, 2, 3, 4, 5, 0.5, 1.5, 2.5, 3.5, 4.5, 1, 2, 3, 4, 1.5, 2.5, 3.5, 2, 3, 2.5,
];
const ROWS = [0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 5, 5, 6];

/** The row of a position, from 1. @param {number} position */
export const rowOf = position => (ROWS[position - 1] ?? 0) + 1;

const RATIO = 1.4;
const GAP = 0.025;
const WIDEST = 148;
/** The part of a card that the next row leaves open: its rank, and the middle for a finger. */
const TIGHT = 0.565;
const LOOSE = 0.74;
const NARROW = 0.66;
const LARGE = 76;

/**
 * The largest cards that fit, with the two piles under the heart or, where that gives larger cards,
 * to the right of its tip.
 *
 * @param {number} width The board's.
 * @param {number} height
 * @returns {Layout}
 */
export function layout(width, height) {
  const under = fit(width, height, 6 + 5 * GAP, 2.18);
  const beside = fit(width, height, 6.55 + 6 * GAP, 1);
  return under >= beside ? pilesUnder(width, height, under) : pilesBeside(width, height, beside);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} across In card widths.
 * @param {number} cards In card heights, without the six overlapping rows.
 */
function fit(width, height, across, cards) {
  return Math.max(24, Math.floor(Math.min(width / across, height / (RATIO * (cards + 6 * TIGHT)), WIDEST)));
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} card
 */
function pilesUnder(width, height, card) {
  const tall = Math.round(card * RATIO);
  const step = Math.min(LOOSE * tall, (height - 2.18 * tall) / 6);
  const left = (width - (6 + 5 * GAP) * card) / 2;
  const top = Math.max(0, (height - 2.18 * tall - 6 * step) / 2);
  const y = Math.round(top + 6 * step + 1.18 * tall);
  const middle = width / 2;
  const piles = { stock: { x: middle - card * 1.14, y }, waste: { x: middle + card * 0.14, y } };
  return lay(width, card, tall, step, left, top, piles);
}

/**
 * @param {number} width
 * @param {number} height
 * @param {number} card
 */
function pilesBeside(width, height, card) {
  const tall = Math.round(card * RATIO);
  const step = Math.min(LOOSE * tall, (height - tall) / 6);
  const across = (6.55 + 6 * GAP) * card;
  const left = Math.max((width - across) / 2, Math.min((width - (6 + 5 * GAP) * card) / 2, width - across));
  const top = Math.max(0, (height - tall - 6 * step) / 2);
  const y = Math.round(top + 6 * step);
  const column = card * (1 + GAP);
  const piles = { stock: { x: left + 4.25 * column, y }, waste: { x: left + 5.4 * column, y } };
  return lay(width, card, tall, step, left, top, piles);
}

/**
 * @param {number} width
 * @param {number} card
 * @param {number} tall
 * @param {number} step
 * @param {number} left
 * @param {number} top
 * @param {{stock: Point, waste: Point}} piles
 * @returns {Layout}
 */
function lay(width, card, tall, step, left, top, piles) {
  const column = card * (1 + GAP);
  const heart = COLUMNS.map((at, i) => whole({ x: left + at * column, y: top + (ROWS[i] ?? 0) * step }));
  return {
    width: card,
    height: tall,
    large: card >= LARGE,
    tight: step < NARROW * tall,
    heart,
    stock: whole(piles.stock),
    waste: whole(piles.waste),
    away: whole({ x: (width - card) / 2, y: -tall }),
  };
}

/** @param {Point} point */
function whole({ x, y }) {
  return { x: Math.round(x), y: Math.round(y) };
}
