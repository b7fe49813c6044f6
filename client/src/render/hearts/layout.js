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

/** The height of a card by its width. */
export const RATIO = 1.4;

/** Between boxes. */
const GAP = 6;
/** The least that is to be seen of each card of a hand, so that a finger can hit it. */
const FINGER = 23;
/** The part of a card's height that shows rank and suit, one above the other. */
export const INDEX = 0.56;
/** How far a card rises that is lifted, by its height. */
export const LIFT = 0.2;

const MESSAGE = 48;
const LINE = 20;

/**
 * How the others sit: so many on the left, above, on the right. By their number.
 *
 * @type {Record<number, [number, number, number]>}
 */
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
 * @param {Given} given
 * @returns {Layout}
 */
export function layout(given) {
  const { width, height, players, hand, open } = given;
  const compact = width < 820 || height < 420;
  const dense = compact && open && players > 6;
  const fan = fanned(given, dense);
  const below = hand ? fan.box.height + MESSAGE : MESSAGE;
  const area = { x: 0, y: 0, width, height: height - below };
  const message = { x: 0, y: area.height, width, height: MESSAGE };
  const box = seatBox(given, compact, dense);
  const own = hand ? 0 : box.height + GAP;
  const { seats, middle } = seated(given, { ...area, height: area.height - own }, box, compact);
  const bottom = { x: (width - box.width) / 2, y: area.height - box.height, ...size(box) };
  const card = cardWidth(middle, players, open);
  return {
    compact,
    dense,
    seats: [bottom, ...seats],
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
 * @param {boolean} dense
 * @returns {Fan}
 */
function fanned({ width, height, dealt }, dense) {
  const across = Math.min(width - 4 * GAP, 1080);
  const widest = Math.round(Math.min(dense ? 46 : 116, Math.max(44, (height * 0.19) / RATIO)));
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

/**
 * How large the box of a seat is: two lines, and the lines that its open hand takes.
 *
 * @param {Given} given
 * @param {boolean} compact
 * @param {boolean} dense
 */
function seatBox({ width, players, dealt, open }, compact, dense) {
  const [, above] = /** @type {[number, number, number]} */ ((compact ? TALL : WIDE)[players - 1]);
  const most = compact ? 132 : open ? 220 : 184;
  const box = Math.floor(Math.min(most, (width - 2 * GAP) / Math.max(3, above) - GAP));
  const lines = open ? Math.ceil((dealt * 10 + 60) / (box - 16)) : 0;
  return { width: box, height: (dense ? 26 : compact ? 46 : 60) + lines * (dense ? LINE - 3 : LINE) };
}

/** @param {{width: number, height: number}} box */
const size = ({ width, height }) => ({ width, height });

/**
 * The others round the table, and what they leave free in the middle.
 *
 * @param {Given} given
 * @param {Box} area
 * @param {{width: number, height: number}} box
 * @param {boolean} compact
 * @returns {{seats: Box[], middle: Box}}
 */
function seated({ players, width, height }, area, box, compact) {
  const others = players - 1;
  const low = area.height < (compact ? 3 : 4) * (box.height + GAP);
  const narrow = compact && width < height;
  const [left, above] = /** @type {[number, number, number]} */ (
    low && others > 3 ? [1, others - 2, 1] : (narrow ? TALL : WIDE)[others]
  );
  const right = others - left - above;
  const pitch = box.height + GAP;
  const boxWidth = Math.floor(Math.min(box.width, (area.width - 2 * GAP) / Math.max(2, above) - GAP));
  const arc = narrow && !left ? 8 : 0;
  const top = above ? pitch + arc : 0;
  const under = narrow
    ? top
    : top + Math.max(0, (area.height - top - left * pitch) / 2 - (top ? pitch / 4 : 0));
  const side = (/** @type {number} */ x) => (/** @type {number} */ i) => ({
    x,
    y: under + i * pitch,
    width: boxWidth,
    height: box.height,
  });
  const inner = area.width - 2 * GAP;
  const overhead = Array.from({ length: above }, (_, i) => {
    const turn = above > 1 ? (2 * i) / (above - 1) - 1 : 0;
    const pace = Math.min(inner / above, boxWidth * 1.3);
    return {
      x: area.width / 2 + (i - (above - 1) / 2) * pace - boxWidth / 2,
      y: turn * turn * arc,
      width: boxWidth,
      height: box.height,
    };
  });
  const seats = [
    ...Array.from({ length: left }, (_, i) => side(GAP)(left - 1 - i)),
    ...overhead,
    ...Array.from({ length: right }, (_, i) => side(area.width - GAP - boxWidth)(i)),
  ];
  const beneath = {
    x: GAP,
    y: narrow ? under + left * pitch : top,
    ...rest(area, narrow ? under + left * pitch : top),
  };
  const between = { ...beneath, y: top, height: area.height - top, x: boxWidth + 2 * GAP };
  between.width = area.width - 2 * between.x;
  const inside = narrow && cardWidth(beneath, players, false) >= cardWidth(between, players, false);
  return { seats, middle: inside || !left ? beneath : between };
}

/**
 * @param {Box} area
 * @param {number} y
 */
function rest({ width, height }, y) {
  return { width: width - 2 * GAP, height: height - y };
}

/**
 * The widest that the cards of a trick can be, so that of each at least its index is seen.
 *
 * @param {Box} middle
 * @param {number} players
 * @param {boolean} small
 */
function cardWidth({ width, height }, players, small) {
  const [across, down] = players <= 4 ? [3.1, 2.15] : players <= 7 ? [4, 2.5] : [4.4, 3];
  const fits = Math.min(small ? 84 : 104, width / across, height / (RATIO * down));
  return Math.max(34, Math.floor(fits));
}

/**
 * The places of a trick's cards round the middle, in the order of the seats.
 *
 * @param {Box} middle
 * @param {number} players
 * @param {number} card
 * @returns {Point[]}
 */
function ring({ x, y, width, height }, players, card) {
  const tall = card * RATIO;
  const few = players <= 4;
  const rx = Math.min((width - card) / 2 - 4, card * (few ? 1.06 : 0.55 + 0.24 * players));
  const ry = Math.min((height - tall) / 2 - 4, tall * (few ? 0.56 : 0.42 + 0.1 * players));
  return evenly(rx, ry, players).map(point => ({
    x: x + width / 2 + point.x,
    y: y + height / 2 + point.y,
  }));
}

/** So finely the way round an ellipse is measured. */
const STEPS = 720;

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
