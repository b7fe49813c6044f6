// @ts-check
/**
 * Where everything of a Hearts table stands, from the size of its element alone. Seats are numbered by their
 * distance to the left of the one at the bottom, which is 0.
 *
 * @typedef {{x: number, y: number}} Point
 * @typedef {{x: number, y: number, width: number, height: number}} Box
 *
 * @typedef {object} Given
 * @property {number} width
 * @property {number} height
 * @property {number} players
 * @property {number} dealt How many cards each gets.
 * @property {boolean} hand Whether the seat at the bottom shows its hand.
 * @property {boolean} open Whether the others' hands are open, too.
 *
 * @typedef {object} Layout
 * @property {boolean} compact Whether there is room for the shortest only.
 * @property {boolean} dense Whether even that has to stand closer.
 * @property {Box[]} seats By distance.
 * @property {Box} middle Where tricks lie.
 * @property {number} card The width of a card of a trick.
 * @property {Point[]} spots Where each seat's card of a trick lies, by distance: the middles.
 * @property {Box} message
 * @property {Fan} fan
 *
 * @typedef {object} Fan
 * @property {number} card The width of a card of the hand.
 * @property {number} step The widest from one card to the next.
 * @property {number} row How many cards fit in a row.
 * @property {Box} box
 */

import { GAP, RATIO } from "./measures.js";
import { cardWidth, ring } from "./ring.js";
import { isLow, opened, seatBox, seated } from "./round.js";

/** The least that is to be seen of each card of a hand, so that a finger can hit it. */
const FINGER = 24;
/** The part of a card's height that shows rank and suit, one above the other. */
const INDEX = 0.56;
/** How far a card rises that is lifted, by its height. */
const LIFT = 0.2;
/** The height of the line above the hand, and where it says no more than a name. */
const MESSAGE = 48;
const NAME = 40;
/** The widest that the cards of a trick become. */
const WIDEST = 104;

/**
 * @param {Given} given
 * @returns {Layout}
 */
export function layout(given) {
  const { width, height, players, hand, open } = given;
  const wide = width >= 820 && height >= 420;
  const narrow = open && !wide;
  const fan = fanned(given, narrow && (players > 4 || height < 420));
  const line = narrow ? NAME : MESSAGE;
  const below = line + (hand ? fan.box.height : 0);
  const message = { x: 0, y: height - below, width, height: line };
  const room = wide ? "wide" : "compact";
  const box = seatBox(given, room);
  const own = hand ? 0 : box.height + GAP;
  const area = { x: 0, y: 0, width, height: height - below - own };
  const others = players - 1;
  // More above leave less width to each hand.
  const fit = open && isLow(others, area, box, false) ? seatBox(given, room, others - 2) : box;
  const { seats, middle, dense } = narrow
    ? opened(given, area)
    : { ...seated(others, area, fit, !wide && width < height), dense: false };
  const card = cardWidth(middle, players, open ? WIDEST - 20 : WIDEST);
  return {
    compact: !wide,
    dense,
    seats: [{ x: (width - box.width) / 2, y: height - below - box.height, ...box }, ...seats],
    middle,
    card,
    spots: ring(middle, players, card),
    message,
    fan,
  };
}

/**
 * The hand: in one row, or in two where a row would leave too little of each card.
 *
 * @param {Given} given
 * @param {boolean} small Whether the others' hands leave it little room.
 * @returns {Fan}
 */
function fanned({ width, height, dealt }, small) {
  const across = Math.min(width - 4 * GAP, 1080);
  const widest = Math.round(Math.min(small ? 46 : 116, Math.max(44, (height * 0.19) / RATIO)));
  const narrowest = Math.min(widest, 54);
  const single = Math.min(widest, across - (dealt - 1) * FINGER);
  const rows = single >= narrowest ? 1 : 2;
  const row = Math.ceil(dealt / rows);
  const card = rows === 1 ? single : Math.min(widest, 64);
  const step = Math.min(card * 0.72, (across - card) / Math.max(1, row - 1));
  const tall = card * RATIO * (1 + LIFT + 0.06 + (rows - 1) * INDEX) + 4;
  return { card, step, row, box: { x: (width - across) / 2, y: height - tall, width: across, height: tall } };
}

/**
 * The cards of a hand of so many: their middles, how they lean, and how much of each the next ones leave open.
 *
 * @param {Fan} fan
 * @param {number} count
 * @returns {(Point & {angle: number, width: number, height: number})[]}
 */
export function slots({ card, step: widest, row, box }, count) {
  const rows = Math.ceil(count / row) || 1;
  const first = Math.ceil(count / rows);
  const tall = card * RATIO;
  const bottom = box.y + box.height - 2 - tall / 2;
  return Array.from({ length: count }, (_, i) => {
    const behind = rows === 2 && i < first;
    const many = rows === 1 ? count : behind ? first : count - first;
    const at = rows === 1 || behind ? i : i - first;
    const step = many > 1 ? Math.min(widest, (box.width - card) / (many - 1)) : 0;
    const turn = many > 1 ? (2 * at) / (many - 1) - 1 : 0;
    const lean = rows === 1 ? Math.min(7, many * 0.6) : 0;
    return {
      x: box.x + box.width / 2 + (at - (many - 1) / 2) * step,
      y: bottom - (1 - turn * turn) * lean * 0.008 * tall - (behind ? INDEX * tall : 0),
      angle: turn * lean,
      width: at === many - 1 ? card : step,
      height: behind ? INDEX * tall : tall,
    };
  });
}
