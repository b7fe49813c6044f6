// @ts-check
/**
 * Where the cards of a trick lie, and how large they can be.
 *
 * @typedef {import("./layout.js").Point} Point
 * @typedef {import("./layout.js").Box} Box
 */
import { RATIO } from "./measures.js";

/** So finely the way round an ellipse is measured. */
const STEPS = 720;

/** What is left free between a trick and what is round it. */
const EDGE = 4;

/**
 * How many cards beside and above each other a trick needs room for, so that of each at least its index is seen.
 *
 * @param {number} players
 * @returns {[across: number, down: number]}
 */
function room(players) {
  if (players <= 4) return [3.1, 2.15];
  return players <= 7 ? [4, 2.5] : [4.4, 3];
}

/**
 * @param {Box} middle
 * @param {number} players
 * @returns {number} The width of a card with which a trick just has room there.
 */
export function widest({ width, height }, players) {
  const [across, down] = room(players);
  return Math.min(width / across, height / (RATIO * down));
}

/**
 * @param {Box} middle
 * @param {number} players
 * @param {number} most
 * @returns {number} The width of a card; one that is smaller could not be read.
 */
export function cardWidth(middle, players, most) {
  return Math.max(34, Math.floor(Math.min(most, widest(middle, players))));
}

/**
 * The places of the cards round the middle, in the order of the seats, the lowest first.
 *
 * @param {Box} middle
 * @param {number} players
 * @param {number} card The width of each.
 * @returns {Point[]}
 */
export function ring({ x, y, width, height }, players, card) {
  const tall = card * RATIO;
  // Up to four lie close together as a cross.
  const [wide, high] = players <= 4 ? [1.06, 0.56] : [0.55 + 0.24 * players, 0.42 + 0.1 * players];
  const rx = Math.min((width - card) / 2 - EDGE, card * wide);
  const ry = Math.min((height - tall) / 2 - EDGE, tall * high);
  return evenly(rx, ry, players).map(point => ({
    x: x + width / 2 + point.x,
    y: y + height / 2 + point.y,
  }));
}

/**
 * Points that are equally far from each other along an ellipse, from its lowest one to the left.
 *
 * @param {number} rx
 * @param {number} ry
 * @param {number} count
 * @returns {Point[]}
 */
function evenly(rx, ry, count) {
  const points = Array.from({ length: STEPS + 1 }, (_, i) => {
    const angle = Math.PI / 2 + (2 * Math.PI * i) / STEPS;
    return { x: rx * Math.cos(angle), y: ry * Math.sin(angle) };
  });
  let way = 0;
  const ways = points.map((point, i) => {
    const before = points[i - 1] ?? point;
    way += Math.hypot(point.x - before.x, point.y - before.y);
    return way;
  });
  return Array.from({ length: count }, (_, i) => {
    const at = ways.findIndex(each => each >= (way * i) / count);
    return /** @type {Point} */ (points[at]);
  });
}
