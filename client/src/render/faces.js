// @ts-check
/**
 * The cards, drawn: one SVG symbol a face, made when it is first shown, in a box of 100 × 140.
 * A face has three drawings, for small cards, for large ones, and for those of a hand; the style sheet shows one.
 */

const SVG = "http://www.w3.org/2000/svg";

/** Strokes of the ranks in a box of 20 × 28 (ten: 27 wide). */
const RANKS = {
  A: "M2 26 10 2l8 24M5.3 18h9.4",
  2: "M3 8.6C3 4.7 6 2 10 2s7 2.6 7 6.4C17 14.2 8.5 18 3 26h14.6",
  3: "M3.4 2h13L9.3 11c4.7 0 8.1 3 8.1 7.4S14 26 9.6 26c-3.3 0-5.9-1.6-7.1-4.3",
  4: "M13.6 26V2L2.4 19h15.8",
  5: "M16.2 2H6L4.7 12.4c1.4-1.2 3.1-1.8 5.2-1.8 4.4 0 7.6 3.2 7.6 7.6S14.3 26 9.8 26c-3.2 0-5.6-1.4-7-3.8",
  6: "M14.6 2C8.6 5.4 2.8 11 2.8 18.4c0 4.6 3 7.6 7.3 7.6s7.3-3 7.3-7.3-3-7.2-7-7.2c-3.6 0-6.5 2.3-7.3 5.7",
  7: "M2.6 2h15L8 26",
  8: "M10 13c-3.6 0-6-2.2-6-5.4S6.4 2 10 2s6 2.3 6 5.6-2.4 5.4-6 5.4c-4.2 0-7 2.7-7 6.5S5.8 26 10 26s7-2.7 7-6.5-2.8-6.5-7-6.5Z",
  9: "M5.4 26c6-3.4 11.8-9 11.8-16.4C17.2 5 14.2 2 9.9 2S2.6 5 2.6 9.3s3 7.2 7 7.2c3.6 0 6.5-2.3 7.3-5.7",
  T: "M2.4 6.6 6.8 2v24M19 2c-4 0-6.6 4.4-6.6 12S15 26 19 26s6.6-4.4 6.6-12S23 2 19 2Z",
  J: "M15 2v16.6c0 4.6-2.5 7.4-6.5 7.4-3.4 0-5.6-1.8-6.3-4.8",
  Q: "M10 2C5.4 2 2.2 6.6 2.2 14S5.4 26 10 26s7.8-4.6 7.8-12S14.6 2 10 2Zm1.4 17.4L18 27.4",
  K: "M4 2v24M17 2 4 15.6M8.9 10.6 17.6 26",
};

/** Outlines of the suits in a box of 100 × 100. */
const SUITS = {
  H: "M50 93C22 68 5 51 5 31 5 16 16 6 29 6c9 0 17 5 21 14 4-9 12-14 21-14 13 0 24 10 24 25 0 20-17 37-45 62Z",
  D: "M50 4c9 17 21 32 36 46-15 14-27 29-36 46-9-17-21-32-36-46C29 36 41 21 50 4Z",
  S: "M50 4c6 16 43 36 43 61 0 13-10 21-21 21-8 0-15-4-18.5-11 .5 10 4 17 11.5 22h-30c7.5-5 11-12 11.5-22C43 82 36 86 28 86 17 86 7 78 7 65 7 40 44 20 50 4Z",
  C: "M50 5a20 20 0 0 1 15 33.5 20 20 0 1 1-11 34.5c.8 11 4 18.5 11 23H35c7-4.5 10.2-12 11-23a20 20 0 1 1-11-34.5A20 20 0 0 1 50 5Z",
};

const CROWNS = {
  J: "M-21 13V3c8 4 15 2 21-6C6 5 13 7 21 3v10ZM-22 17h44v7h-44ZM-25-4a4 4 0 1 1 8 0 4 4 0 1 1-8 0ZM-4-11a4 4 0 1 1 8 0 4 4 0 1 1-8 0ZM17-4a4 4 0 1 1 8 0 4 4 0 1 1-8 0Z",
  Q: "M-21 13c-1-9-4-17-6-22 6 3 11 6 15 10 3-8 7-15 12-21 5 6 9 13 12 21 4-4 9-7 15-10-2 5-5 13-6 22ZM-22 17h44v7h-44ZM-31-12a4 4 0 1 1 8 0 4 4 0 1 1-8 0ZM-4-24a4 4 0 1 1 8 0 4 4 0 1 1-8 0ZM23-12a4 4 0 1 1 8 0 4 4 0 1 1-8 0Z",
  K: "M-22 13-26-14l14 11L0-20 12-3l14-11-4 27ZM-23 17h46v7h-46ZM-2.5-20v-5H-8v-5h5.5v-5h5v5H8v5H2.5v5Z",
};

/** Middles of the pips on large cards, by rank. */
const LEFT = 36;
const RIGHT = 64;
/** @param {number[]} ys */
const both = ys =>
  ys.flatMap(y => [
    [LEFT, y],
    [RIGHT, y],
  ]);
/** @param {number[]} ys */
const middle = ys => ys.map(y => [50, y]);
/** @type {Record<string, number[][]>} */
const PIPS = {
  2: middle([28, 112]),
  3: middle([28, 70, 112]),
  4: both([28, 112]),
  5: [...both([28, 112]), [50, 70]],
  6: both([28, 70, 112]),
  7: [...both([28, 70, 112]), [50, 49]],
  8: [...both([28, 70, 112]), ...middle([49, 91])],
  9: [...both([26, 55, 85, 114]), [50, 70]],
  T: [...both([26, 55, 85, 114]), ...middle([40.5, 99.5])],
};

/** A card that shows no rank, only a heart. */
export const HEART = "_H";

/** @type {SVGSVGElement | null} */
let sheet = null;

/**
 * The id of a face's symbol, which is drawn if it is not yet there.
 *
 * @param {string} card As `TH`.
 */
export function face(card) {
  const id = `card-${card}`;
  if (!sheet?.getElementById(id)) draw(id, card);
  return id;
}

/**
 * A picture of a card that follows the size of its box.
 *
 * @param {string} card
 * @returns {SVGSVGElement}
 */
export function picture(card) {
  const svg = element("svg", { viewBox: "0 0 100 140", "aria-hidden": "true" });
  svg.append(element("use", { href: `#${face(card)}` }));
  return /** @type {SVGSVGElement} */ (svg);
}

/**
 * @param {string} id
 * @param {string} card
 */
function draw(id, card) {
  sheet ??= sprite();
  const rank = card[0] ?? "";
  const suit = card[1] ?? "";
  const symbol = element("symbol", { id, viewBox: "0 0 100 140", class: `suit-${suit}` });
  symbol.append(...(card === HEART ? [pip("H", 50, 52, 62)] : drawings(rank, suit)));
  sheet.append(symbol);
}

/**
 * @param {string} rank
 * @param {string} suit
 */
function drawings(rank, suit) {
  const small = element("g", { class: "small" });
  const lower = element("g", { class: "lower" });
  lower.append(sign(rank, suit, 50, 99, 1.2));
  small.append(...headline(rank, suit), lower);
  const large = element("g", { class: "large" });
  large.append(...corners(rank, suit), ...body(rank, suit));
  const fanned = element("g", { class: "fanned" });
  fanned.append(...index(rank, suit), sign(rank, suit, 64, 102, 1));
  return [small, large, fanned];
}

function sprite() {
  const svg = element("svg", { class: "sprite", "aria-hidden": "true", width: 0, height: 0 });
  document.body.append(svg);
  return /** @type {SVGSVGElement} */ (svg);
}

/**
 * Rank and suit side by side along the upper edge, which is all that overlapping leaves of a small card.
 *
 * @param {string} rank
 * @param {string} suit
 */
function headline(rank, suit) {
  return [strokes(rank, 9, 10, 1.3), pip(suit, 77, 28, 30)];
}

/**
 * Rank over suit along the left edge, which is all that a hand leaves of a card.
 *
 * @param {string} rank
 * @param {string} suit
 */
function index(rank, suit) {
  return [strokes(rank, rank === "T" ? 5 : 10, 9, 1.25), pip(suit, 22, 62, 29)];
}

/**
 * Rank over suit, top left and, turned round, bottom right.
 *
 * @param {string} rank
 * @param {string} suit
 */
function corners(rank, suit) {
  const scale = 0.7;
  const turned = element("g", { transform: "rotate(180 50 70)" });
  const index = () => [strokes(rank, rank === "T" ? 5 : 7, 8, scale), pip(suit, 14, 36, 13.5)];
  turned.append(...index());
  return [...index(), turned];
}

/**
 * @param {string} rank
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function strokes(rank, x, y, scale) {
  const d = RANKS[/** @type {keyof RANKS} */ (rank)];
  return element("path", { class: "rank", d, transform: `translate(${x} ${y}) scale(${scale})` });
}

/**
 * The body of a large card.
 *
 * @param {string} rank
 * @param {string} suit
 */
function body(rank, suit) {
  const pips = PIPS[rank];
  if (!pips)
    return [
      sign(rank, suit, 50, rank === "A" ? 70 : 58, 1.1),
      ...(rank === "A" ? [] : [pip(suit, 50, 98, 24)]),
    ];
  return pips.map(([x = 50, y = 70]) => pip(suit, x, y, 17, y > 70));
}

/**
 * One large sign: the suit, or a crown.
 *
 * @param {string} rank
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} scale
 */
function sign(rank, suit, x, y, scale) {
  const crown = CROWNS[/** @type {keyof CROWNS} */ (rank)];
  if (!crown) return pip(suit, x, y, 44 * scale);
  return element("path", { class: "pip", d: crown, transform: `translate(${x} ${y}) scale(${scale})` });
}

/**
 * @param {string} suit
 * @param {number} x
 * @param {number} y
 * @param {number} size
 * @param {boolean} [turned]
 */
function pip(suit, x, y, size, turned = false) {
  const scale = size / 100;
  const transform = `translate(${x} ${y}) scale(${turned ? -scale : scale}) translate(-50 -50)`;
  return element("path", { class: "pip", d: SUITS[/** @type {keyof SUITS} */ (suit)], transform });
}

/**
 * @param {string} tag
 * @param {Record<string, string | number>} attributes
 */
function element(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}
