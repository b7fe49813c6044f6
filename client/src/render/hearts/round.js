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
import { widest } from "./ring.js";

/** @type {Record<number, Sides>} By the number of others: where there is more height than width, or little of both. */
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
 * The height of a seat's lines without its open hand, that of a line of that, what a card takes of one, what the
 * signs of all suits do, and what the edges do, and the greatest width.
 */
const SIZES = {
  wide: { head: 60, line: 20, letter: 12.2, suits: 76, edges: 20, most: 220 },
  compact: { head: 46, line: 20, letter: 12.2, suits: 76, edges: 14, most: 132 },
  dense: { head: 24, line: 16, letter: 11.2, suits: 68, edges: 14, most: 132 },
};

/** The greatest width of a seat that shows no hand where there is room. */
const CLOSED = 184;

/** What the end of a line is too short for. */
const END = 14;

/** The least width of a seat, for its name. */
const NARROWEST = 104;

/** How much higher the middle of a row above stands than its ends. */
const ARC = 8;

/**
 * How large the box of a seat is.
 *
 * @param {Given} given
 * @param {Room} room
 * @param {number} [above] How many sit above, if it is not as usual.
 */
export function seatBox({ width, players, dealt, open }, room, above = usualAbove(players, room)) {
  const { head, line, letter, suits, edges, most } = SIZES[room];
  const widest = room === "wide" && !open ? CLOSED : most;
  const box = Math.floor(Math.min(widest, (width - 2 * GAP) / Math.max(3, above) - GAP));
  const lines = open ? Math.ceil((dealt * letter + suits) / (box - edges - END)) : 0;
  return { width: box, height: head + lines * line };
}

/**
 * @param {number} players
 * @param {Room} room
 */
function usualAbove(players, room) {
  return sidesOf(players - 1, room !== "wide")[1];
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
  const low = isLow(others, area, box, tall);
  const sides = low ? lowSides(others) : sidesOf(others, tall);
  const width = Math.floor(Math.min(box.width, (area.width - 2 * GAP) / Math.max(2, sides[1]) - GAP));
  return around(sides, area, { width, height: box.height }, tall);
}

/**
 * Whether there is no room for more than one at each side.
 *
 * @param {number} others
 * @param {{height: number}} area
 * @param {{height: number}} box
 * @param {boolean} tall
 */
export function isLow(others, area, box, tall) {
  return others > 3 && area.height < (tall ? 3 : 4) * (box.height + GAP);
}

/**
 * @param {number} others
 * @returns {Sides}
 */
function lowSides(others) {
  return [1, others - 2, 1];
}

/**
 * @param {Sides} sides
 * @param {Box} area
 * @param {{width: number, height: number}} box
 * @param {boolean} tall
 * @returns {{seats: Box[], middle: Box}}
 */
function around([left, above, right], area, { width, height }, tall) {
  const pitch = height + GAP;
  const arc = tall && !left ? ARC : 0;
  const top = above ? pitch + arc : 0;
  const free = Math.max(0, (area.height - top - left * pitch) / 2 - (top ? pitch / 4 : 0));
  const under = tall ? top : top + free;
  const side = (/** @type {number} */ x, /** @type {number} */ row) => ({
    x,
    y: under + row * pitch,
    width,
    height,
  });
  const seats = [
    ...Array.from({ length: left }, (_, i) => side(GAP, left - 1 - i)),
    ...row(above, area.width, { width, height }, arc),
    ...Array.from({ length: right }, (_, i) => side(area.width - GAP - width, i)),
  ];
  const players = left + above + right + 1;
  return { seats, middle: middle(area, players, top, left ? width : 0, tall ? left * pitch : 0) };
}

/**
 * The seats of the others with their hands open where there is little room: so that all hands fit, and then with
 * the largest cards in the middle.
 *
 * @param {Given} given
 * @param {Box} area
 * @returns {{seats: Box[], middle: Box, dense: boolean}} Dense: each seat in few words.
 */
export function opened({ players, dealt }, area) {
  const ways = WAYS.flatMap(([room, lines]) =>
    sidesOfOpen(players - 1).map(sides => {
      const box = openBox(room, dealt, lines);
      const over = beyond(sides, area, box);
      const { seats, middle } = around(sides, area, box, true);
      const card = widest(middle, players);
      // A seat in few words is the last resort.
      const dense = room === "dense";
      return { seats, middle, dense, over, good: dense ? card - RESORT : card };
    }),
  );
  return ways.reduce((best, way) =>
    way.over < best.over || (way.over === best.over && way.good > best.good) ? way : best,
  );
}

/** In how many lines a hand can stand, and in what room. @type {[Room, number][]} */
const WAYS = [1, 2, 3, 4].flatMap(lines => [
  ["compact", lines],
  ["dense", lines],
]);

/** So much larger the cards in the middle must become for seats in few words. */
const RESORT = 12;

/**
 * @param {number} others
 * @returns {Sides[]}
 */
function sidesOfOpen(others) {
  const usual = [sidesOf(others, true), sidesOf(others, false)];
  const half = others / 2;
  // So few would stand askew.
  return others < 4 ? usual : [...usual, lowSides(others), [Math.ceil(half), 0, Math.floor(half)]];
}

/**
 * How large the box of a seat is whose hand is open in so many lines.
 *
 * @param {Room} room
 * @param {number} dealt
 * @param {number} lines
 */
function openBox(room, dealt, lines) {
  const { head, line, letter, suits, edges } = SIZES[room];
  const across = (dealt * letter + suits) / lines + edges + END;
  return { width: Math.ceil(Math.max(NARROWEST, across)), height: head + lines * line };
}

/** Half the width of the name below the middle, beside which narrow seats can stand, and its height. */
const NAME = { width: 76, height: 36 };

/**
 * By how much the seats are larger than the table, in pixels.
 *
 * @param {Sides} sides
 * @param {Box} area
 * @param {{width: number, height: number}} box
 */
function beyond([left, above, right], area, box) {
  const high = (Math.max(left, right) + (above ? 1 : 0)) * (box.height + GAP) - GAP;
  const wide = Math.max(above, 2) * (box.width + GAP) + GAP;
  const beside = box.width < area.width / 2 - NAME.width ? NAME.height : 0;
  return Math.max(0, high - area.height - beside) + Math.max(0, wide - area.width);
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
  return widest(beneath, players) >= widest(between, players) ? beneath : between;
}
