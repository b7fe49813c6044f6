// @ts-check
/**
 * How those who sit round a Hearts table stand about it, and what they leave free in the middle.
 *
 * @typedef {import("./layout.js").Given} Given
 * @typedef {import("./layout.js").Box} Box
 *
 * @typedef {"wide" | "compact" | "dense"} Room How much room there is.
 * @typedef {[left: number, above: number, right: number]} Sides How many sit on each side.
 */
import { GAP } from "./measures.js";
import { cardWidth } from "./ring.js";

/** @type {Record<number, Sides>} By the number of others: where there is more height than width. */
const TALL = {
  2: [0, 2, 0],
  3: [0, 3, 0],
  4: [1, 2, 1],
  5: [1, 3, 1],
  6: [2, 2, 2],
  7: [2, 3, 2],
  8: [3, 2, 3],
  9: [3, 3, 3],
};

/** @type {typeof TALL} */
const WIDE = {
  2: [1, 0, 1],
  3: [1, 1, 1],
  4: [1, 2, 1],
  5: [1, 3, 1],
  6: [2, 2, 2],
  7: [2, 3, 2],
  8: [2, 4, 2],
  9: [2, 5, 2],
};

/**
 * The height of a seat's lines without its open hand, that of a line of that, what a card takes of one and what the
 * signs of all suits do, and the greatest width.
 */
const SIZES = {
  wide: { head: 60, line: 20, letter: 11.5, suits: 72, most: 184 },
  compact: { head: 46, line: 20, letter: 11.5, suits: 72, most: 132 },
  dense: { head: 26, line: 17, letter: 10.5, suits: 64, most: 132 },
};

/** How much higher the middle of a row above stands than its ends. */
const ARC = 8;

/**
 * How large the box of a seat is.
 *
 * @param {Given} given
 * @param {Room} room
 */
export function seatBox({ width, players, dealt, open }, room) {
  const { head, line, letter, suits, most } = SIZES[room];
  const [, above] = sidesOf(players - 1, room !== "wide");
  const widest = room === "wide" && open ? 220 : most;
  const box = Math.floor(Math.min(widest, (width - 2 * GAP) / Math.max(3, above) - GAP));
  // The end of a line is too short for another card.
  const lines = open ? Math.ceil((dealt * letter + suits) / (box - 16 - letter)) : 0;
  return { width: box, height: head + lines * line };
}

/**
 * @param {number} others
 * @param {boolean} tall
 * @returns {Sides}
 */
function sidesOf(others, tall) {
  return /** @type {Sides} */ ((tall ? TALL : WIDE)[others]);
}

/**
 * The seats of the others, from the left one to the right, and the middle.
 *
 * @param {number} others
 * @param {Box} area
 * @param {{width: number, height: number}} box
 * @param {boolean} tall Whether those at the sides stand right below those above.
 * @returns {{seats: Box[], middle: Box}}
 */
export function seated(others, area, box, tall) {
  const pitch = box.height + GAP;
  const low = others > 3 && area.height < (tall ? 3 : 4) * pitch;
  const [left, above, right] = low ? [1, others - 2, 1] : sidesOf(others, tall);
  const width = Math.floor(Math.min(box.width, (area.width - 2 * GAP) / Math.max(2, above) - GAP));
  const arc = tall && !left ? ARC : 0;
  const top = above ? pitch + arc : 0;
  const free = Math.max(0, (area.height - top - left * pitch) / 2 - (top ? pitch / 4 : 0));
  const under = tall ? top : top + free;
  const side = (/** @type {number} */ x, /** @type {number} */ row) => ({
    x,
    y: under + row * pitch,
    width,
    height: box.height,
  });
  const seats = [
    ...Array.from({ length: left }, (_, i) => side(GAP, left - 1 - i)),
    ...row(above, area.width, { width, height: box.height }, arc),
    ...Array.from({ length: right }, (_, i) => side(area.width - GAP - width, i)),
  ];
  return { seats, middle: middle(area, others + 1, top, left ? width : 0, tall ? left * pitch : 0) };
}

/**
 * Those who sit above.
 *
 * @param {number} count
 * @param {number} across
 * @param {{width: number, height: number}} box
 * @param {number} arc
 * @returns {Box[]}
 */
function row(count, across, box, arc) {
  const pace = Math.min((across - 2 * GAP) / count, box.width * 1.3);
  return Array.from({ length: count }, (_, i) => {
    const turn = count > 1 ? (2 * i) / (count - 1) - 1 : 0;
    return { x: (across - box.width) / 2 + (i - (count - 1) / 2) * pace, y: turn * turn * arc, ...box };
  });
}

/**
 * What is free: below all seats, or between those at the sides where that gives larger cards.
 *
 * @param {Box} area
 * @param {number} players
 * @param {number} top What those above take.
 * @param {number} side What those at a side take.
 * @param {number} below How far they reach down from the top, if the trick can lie below them.
 * @returns {Box}
 */
function middle(area, players, top, side, below) {
  const between = {
    x: side + 2 * GAP,
    y: top,
    width: area.width - 2 * (side + 2 * GAP),
    height: area.height - top,
  };
  if (!side) return { ...between, x: GAP, width: area.width - 2 * GAP };
  if (!below) return between;
  const y = top + below;
  const beneath = { x: GAP, y, width: area.width - 2 * GAP, height: area.height - y };
  const widest = Number.POSITIVE_INFINITY;
  return cardWidth(beneath, players, widest) >= cardWidth(between, players, widest) ? beneath : between;
}
