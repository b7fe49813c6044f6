// @ts-check
/**
 * The hand at the bottom of a Hearts table: a button for each card, kept for as long as the card is held.
 *
 * @typedef {import("./layout.js").Fan} Fan
 * @typedef {import("./paper.js").Place} Place
 * @typedef {ReturnType<typeof slots>[number]} Slot
 *
 * @typedef {object} Shown
 * @property {string[]} cards
 * @property {Set<string>} lifted
 * @property {Set<string> | null} playable Null where nothing is to be played now.
 * @property {Set<string>} fresh Cards that have come by passing.
 * @property {(card: string) => string} label
 * @property {boolean} live Whether a tap means anything.
 */
import { slots } from "./layout.js";
import { move, paper, start } from "./paper.js";

/** Between the cards of a deal, in milliseconds. */
const DEALING = 18;

export class Hand {
  /** @param {(card: string) => void} tapped */
  constructor(tapped) {
    this.tapped = tapped;
    this.node = document.createElement("div");
    this.node.className = "hand";
    this.node.setAttribute("role", "group");
    /** @type {Map<string, HTMLButtonElement>} By card; the second of two equal ones has its own key. */
    this.cards = new Map();
    /** @type {Map<string, Place>} */
    this.places = new Map();
  }

  /**
   * @param {Shown} shown
   * @param {Fan} fan
   * @param {((card: string) => Place) | null} from Where new cards come from; null if they are just there.
   */
  draw(shown, fan, from) {
    const keys = keyed(shown.cards);
    const where = slots(fan, keys.length);
    const focused = this.leave(new Set(keys));
    this.places = new Map(keys.map((key, i) => [key, /** @type {Place} */ (where[i])]));
    /** @type {[HTMLElement, Place][]} */
    const coming = [];
    keys.forEach((key, i) => {
      const node = this.cards.get(key) ?? this.add(key, i);
      if (!node.style.transform) coming.push([node, from?.(cardOf(key)) ?? /** @type {Place} */ (where[i])]);
      this.node.append(...(this.node.children[i] === node ? [] : [node]));
    });
    start(coming);
    const delays = new Map(coming.map(([node], i) => [node, from ? i * DEALING : 0]));
    keys.forEach((key, i) => {
      const node = /** @type {HTMLButtonElement} */ (this.cards.get(key));
      node.style.transitionDelay = `${delays.get(node) ?? 0}ms`;
      open(node, /** @type {Slot} */ (where[i]));
      move(node, /** @type {Slot} */ (where[i]));
      this.dress(node, cardOf(key), shown);
    });
    if (focused !== null && keys.length) this.nodes()[Math.min(focused, keys.length - 1)]?.focus();
    this.rove();
  }

  /**
   * Takes away the cards that are no longer held.
   *
   * @param {Set<string>} keys
   * @returns {number | null} The place of the one that had the focus, if that was one of them.
   */
  leave(keys) {
    let focused = null;
    const before = this.nodes();
    for (const [key, node] of this.cards) {
      if (keys.has(key)) continue;
      if (node === document.activeElement) focused = before.indexOf(node);
      node.remove();
      this.cards.delete(key);
    }
    return focused;
  }

  /**
   * @param {string} key
   * @param {number} at
   */
  add(key, at) {
    const node = paper("button", cardOf(key));
    node.type = "button";
    node.onclick = () => this.tapped(cardOf(key));
    this.cards.set(key, node);
    this.node.insertBefore(node, this.node.children[at] ?? null);
    return node;
  }

  /**
   * @param {HTMLButtonElement} node
   * @param {string} card
   * @param {Shown} shown
   */
  dress(node, card, { lifted, playable, fresh, label, live }) {
    node.classList.toggle("playable", playable?.has(card) ?? false);
    node.classList.toggle("unplayable", playable !== null && !playable.has(card));
    node.classList.toggle("fresh", fresh.has(card));
    node.classList.toggle("live", live);
    if (lifted.has(card)) node.setAttribute("aria-pressed", "true");
    else node.removeAttribute("aria-pressed");
    node.setAttribute("aria-label", label(card));
  }

  /** @returns {HTMLButtonElement[]} From left to right, the row behind first. */
  nodes() {
    return /** @type {HTMLButtonElement[]} */ ([...this.node.children]);
  }

  /**
   * Where a card of the hand lies.
   *
   * @param {string} card
   */
  place(card) {
    return this.places.get(card) ?? null;
  }

  /** Leaves one card in the order of the Tab key. */
  rove() {
    const all = this.nodes();
    const current =
      all.find(node => node === document.activeElement) ??
      all.find(node => node.classList.contains("playable")) ??
      all[0];
    for (const node of all) node.tabIndex = node === current ? 0 : -1;
  }

  /** The card in the order of the Tab key. */
  current() {
    return this.nodes().find(node => node.tabIndex === 0);
  }

  /** @param {number} by Cards to the right. */
  step(by) {
    const all = this.nodes();
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const next = at < 0 ? this.current() : all[(at + by + all.length) % all.length];
    next?.focus();
    this.rove();
  }
}

/**
 * A card is hit where it is open, so that the middle of its button is never under the next card.
 *
 * @param {HTMLElement} node
 * @param {Slot} slot
 */
function open(node, { width, height }) {
  node.style.width = `${width.toFixed(1)}px`;
  node.style.height = `${height.toFixed(1)}px`;
}

/**
 * A key for each card; with two decks the second of two equal cards gets its own.
 *
 * @param {string[]} cards
 */
function keyed(cards) {
  return cards.map((card, i) => (cards[i - 1] === card ? `${card}+` : card));
}

/** @param {string} key */
function cardOf(key) {
  return key.slice(0, 2);
}
