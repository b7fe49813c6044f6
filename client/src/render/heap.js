// @ts-check
import { put, show } from "./node.js";

/** So many cards raise a pile by a pixel. */
const STEP = 5;

/**
 * The 27 cards that are not dealt to the heart: those of the stock, those of the waste, and those gone.
 * Which of the face-down cards is which nobody knows here, so they move by their numbers alone.
 */
export class Heap {
  constructor() {
    this.nodes = Array.from({ length: 27 }, loose);
    this.stock = [...this.nodes];
    /** @type {HTMLElement[]} Its top card last. */
    this.waste = [];
    /** @type {HTMLElement[]} */
    this.gone = [];
  }

  /**
   * @param {import("../state/wire.js").View} view
   * @param {import("./layout.js").Layout} layout
   * @param {import("../state/table.js").Sent | null} sent
   */
  draw(view, layout, sent) {
    this.share(view.stock, view.waste.count);
    const move = sent?.kind === "move" ? sent.move : "";
    this.stock.forEach((node, i) => {
      set(node, { down: true, level: i });
      put(node, raised(layout.stock, i));
    });
    this.waste.forEach((node, i) => {
      set(node, { level: 30 + i });
      put(node, raised(layout.waste, i));
    });
    for (const node of this.gone) {
      set(node, { gone: true, level: 60 });
      put(node, layout.away);
    }
    for (const pile of [this.stock, this.waste]) {
      pile.forEach((node, i) => {
        node.classList.toggle(
          "under",
          i + 1 < pile.length && Math.floor(i / STEP) === Math.floor((i + 1) / STEP),
        );
      });
    }
    this.drawTop(view.waste.top, move);
    if (move === "draw") nudge(this.stock.at(-1), layout.stock, layout.waste);
    if (move === "recycle") nudge(this.waste.at(-1), layout.waste, layout.stock);
  }

  /**
   * @param {string | null} card
   * @param {string} move On its way to the server.
   */
  drawTop(card, move) {
    const top = this.waste.at(-1);
    if (!top) return;
    show(/** @type {HTMLElement} */ (top.querySelector(".face")), card);
    top.classList.toggle("leaving", move.endsWith("-w"));
  }

  /**
   * @param {boolean} selected Whether the waste's top card is.
   * @param {boolean} dimmed
   */
  mark(selected, dimmed) {
    for (const node of this.nodes) {
      const top = node === this.waste.at(-1);
      node.classList.toggle("selected", selected && top);
      node.classList.toggle("dimmed", dimmed && top);
    }
  }

  /**
   * Turns over, takes away and brings back as many cards as the numbers ask for.
   *
   * @param {number} stock
   * @param {number} waste
   */
  share(stock, waste) {
    const all = this.nodes.length - stock - waste;
    while (this.stock.length > stock && this.waste.length < waste) shift(this.stock, this.waste);
    while (this.stock.length < stock && this.waste.length) shift(this.waste, this.stock);
    while (this.stock.length < stock) shift(this.gone, this.stock);
    while (this.waste.length < waste) shift(this.gone.length > all ? this.gone : this.stock, this.waste);
    while (this.waste.length > waste) shift(this.waste, this.gone);
    while (this.stock.length > stock) shift(this.stock, this.gone);
  }
}

function loose() {
  const node = document.createElement("div");
  node.className = "card loose";
  node.setAttribute("aria-hidden", "true");
  const turn = document.createElement("div");
  turn.className = "turn";
  const face = document.createElement("span");
  face.className = "face front";
  const back = document.createElement("span");
  back.className = "back";
  turn.append(face, back);
  node.append(turn);
  return node;
}

/**
 * @param {HTMLElement[]} from
 * @param {HTMLElement[]} to
 */
function shift(from, to) {
  const node = from.pop();
  if (node) to.push(node);
}

/**
 * @param {HTMLElement} node
 * @param {{down?: boolean, gone?: boolean, level: number}} how
 */
function set(node, { down = false, gone = false, level }) {
  node.classList.toggle("down", down);
  node.classList.toggle("gone", gone);
  node.classList.remove("leaving");
  node.style.zIndex = String(level);
}

/**
 * The cards of a pile lie on each other.
 *
 * @param {import("./layout.js").Point} point
 * @param {number} level
 */
function raised({ x, y }, level) {
  const height = Math.floor(level / STEP);
  return { x: x - height, y: y - height };
}

/**
 * Moves a card a little towards where it will go once the server has agreed.
 *
 * @param {HTMLElement | undefined} node
 * @param {import("./layout.js").Point} from
 * @param {import("./layout.js").Point} to
 */
function nudge(node, from, to) {
  if (node) put(node, { x: Math.round(from.x + (to.x - from.x) * 0.3), y: from.y - 4 });
}
