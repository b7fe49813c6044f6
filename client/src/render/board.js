// @ts-check
/**
 * The board of Heart to Heart: 52 cards that stay the same elements for as long as it is shown, and are
 * moved by transforms. Transitions do the rest, so a movement that is overtaken by another bends to it.
 *
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("../state/table.js").Place} Place
 * @typedef {import("../state/table.js").Sent} Sent
 *
 * @typedef {object} Model
 * @property {View} view
 * @property {Place | null} selected
 * @property {Sent | null} sent
 * @property {Set<Place>} outlined Cards that have a mate.
 * @property {Set<Place> | null} matching With a card selected: it and its mates.
 * @property {boolean} live Whether the viewer plays.
 */

import { places } from "../state/solitaire.js";
import * as say from "../words.js";
import { HEART } from "./faces.js";
import { Heap } from "./heap.js";
import { layout } from "./layout.js";
import { put, show } from "./node.js";

const POSITIONS = Array.from({ length: 25 }, (_, i) => i + 1);

/** Between the cards of a deal, in milliseconds. */
const DEALING = 7;

export class HeartBoard extends HTMLElement {
  constructor() {
    super();
    /** @type {Model | null} */
    this.shown = null;
    /** @type {import("./layout.js").Layout | null} */
    this.layout = null;
    /** @type {HTMLButtonElement[]} */
    this.cards = [];
    this.heap = new Heap();
    this.stock = pile("stock");
    this.waste = pile("waste");
    this.observer = new ResizeObserver(() => this.resize());
  }

  connectedCallback() {
    if (!this.cards.length) this.build();
    this.observer.observe(this);
  }

  disconnectedCallback() {
    this.observer.disconnect();
  }

  /** @param {Model} model */
  set model(model) {
    const fresh = this.shown?.view.id !== model.view.id;
    this.shown = model;
    if (!this.layout) return;
    if (fresh) this.deal();
    else this.draw();
  }

  build() {
    this.cards = POSITIONS.map(position => {
      const card = document.createElement("button");
      card.type = "button";
      card.className = "card";
      card.dataset.pos = String(position);
      card.append(document.createElement("span"));
      card.onclick = () => this.tap(position);
      return card;
    });
    this.stock.onclick = () => this.tap("stock");
    this.waste.onclick = () => this.tap("waste");
    const heart = document.createElement("div");
    heart.className = "heart";
    heart.setAttribute("role", "group");
    heart.append(...this.cards);
    this.append(heart, ...this.heap.nodes, this.stock, this.waste);
  }

  /** @param {Place} place */
  tap(place) {
    this.dispatchEvent(new CustomEvent("cardtap", { detail: place }));
  }

  /** Lays everything out for the element's present size, without movement. */
  resize() {
    const { clientWidth, clientHeight } = this;
    if (!clientWidth || !clientHeight) return;
    const first = !this.layout;
    this.layout = layout(clientWidth, clientHeight);
    this.style.setProperty("--card-width", `${this.layout.width}px`);
    this.style.setProperty("--card-height", `${this.layout.height}px`);
    this.classList.toggle("large-cards", this.layout.large);
    this.classList.toggle("tight", this.layout.tight);
    if (first) this.deal();
    else this.still(() => this.draw());
  }

  /** Shows a game for the first time: one without a move yet is dealt from the stock. */
  deal() {
    const { shown, layout } = this;
    if (!shown || !layout) return;
    const fresh = shown.view.ply === 0 && shown.view.revision === 0;
    this.still(() => {
      this.draw();
      if (fresh) for (const card of this.cards) put(card, layout.stock);
    });
    if (!fresh) return;
    this.draw();
    this.cards.forEach((card, i) => {
      card.style.transitionDelay = `${i * DEALING}ms`;
    });
  }

  /**
   * @param {() => void} change Shown at once, without a transition.
   */
  still(change) {
    this.classList.add("still");
    change();
    void this.offsetWidth;
    this.classList.remove("still");
  }

  draw() {
    const { shown, layout } = this;
    if (!shown || !layout) return;
    const { view } = shown;
    this.dataset.status = view.status;
    this.dataset.revision = String(view.revision);
    this.classList.toggle("choosing", shown.matching !== null);
    this.firstElementChild?.setAttribute("aria-label", say.heartLabel());
    const focused = this.contains(document.activeElement) ? document.activeElement : null;
    for (const position of POSITIONS) this.drawCard(position, shown, layout);
    this.heap.draw(view, layout, shown.sent);
    this.drawPiles(shown, layout);
    if (focused instanceof HTMLButtonElement && !playable(focused)) this.playable()[0]?.focus();
    this.rove();
  }

  /**
   * @param {number} position
   * @param {Model} model
   * @param {import("./layout.js").Layout} layout
   */
  drawCard(position, model, layout) {
    const { view, selected, sent, outlined, matching, live } = model;
    const node = /** @type {HTMLButtonElement} */ (this.cards[position - 1]);
    const card = view.heart[position - 1] ?? null;
    const won = view.status === "won";
    const free = card !== null && view.free.includes(position);
    node.style.transitionDelay = won ? `${position * 18}ms` : "";
    show(/** @type {HTMLElement} */ (node.firstElementChild), won ? HEART : card);
    put(node, card || won ? layout.heart[position - 1] : layout.away);
    node.classList.toggle("gone", !card && !won);
    node.classList.toggle("free", free);
    node.classList.toggle("leaving", sent?.kind === "move" && places(sent.move).includes(position));
    node.classList.toggle("outlined", outlined.has(position));
    node.classList.toggle("dimmed", matching !== null && !matching.has(position));
    if (card) node.dataset.card = card;
    else delete node.dataset.card;
    node.setAttribute("aria-label", card ? say.heartCard(card, position, free) : "");
    node.setAttribute("aria-pressed", String(selected === position));
    node.classList.toggle("playable", free && live);
    if (card) node.removeAttribute("aria-hidden");
    else node.setAttribute("aria-hidden", "true");
    node.disabled = !card;
  }

  /**
   * @param {Model} model
   * @param {import("./layout.js").Layout} layout
   */
  drawPiles({ view, selected, matching, live }, layout) {
    const { stock, waste } = this;
    const { count, top } = view.waste;
    put(stock, layout.stock);
    put(waste, layout.waste);
    stock.dataset.stock = String(view.stock);
    waste.dataset.waste = String(count);
    if (top) waste.dataset.card = top;
    else delete waste.dataset.card;
    const turns = live && view.legal.some(move => move === "draw" || move === "recycle");
    stock.classList.toggle("recycles", view.legal.includes("recycle"));
    stock.setAttribute("aria-label", say.stockLabel(view));
    stock.classList.toggle("playable", turns);
    waste.setAttribute("aria-label", say.wasteLabel(view));
    waste.setAttribute("aria-pressed", String(selected === "waste"));
    waste.classList.toggle("playable", top !== null && live);
    waste.classList.toggle("dimmed", matching !== null && !matching.has("waste"));
    this.heap.mark(selected === "waste", waste.classList.contains("dimmed"));
    /** @type {HTMLElement} */ (stock.lastElementChild).textContent = view.stock ? say.count(view.stock) : "";
    /** @type {HTMLElement} */ (waste.lastElementChild).textContent = count > 1 ? say.count(count) : "";
  }

  /** The cards and piles that a key may come to, in reading order. */
  playable() {
    return [...this.cards, this.stock, this.waste].filter(playable);
  }

  /** Leaves one of them in the order of the Tab key. */
  rove() {
    const all = this.playable();
    const current = all.find(node => node === document.activeElement) ?? all[0];
    for (const node of [...this.cards, this.stock, this.waste]) node.tabIndex = node === current ? 0 : -1;
  }

  /**
   * Moves the focus to the nearest playable card in a direction.
   *
   * @param {number} dx
   * @param {number} dy
   */
  step(dx, dy) {
    const all = this.playable();
    const from = all.find(node => node === document.activeElement);
    const next = from ? nearest(from, all, dx, dy) : all[0];
    next?.focus();
    this.rove();
  }
}

/** @param {"stock" | "waste"} which */
function pile(which) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = `pile ${which}`;
  button.dataset[which] = "0";
  const count = document.createElement("span");
  count.className = "count";
  button.append(count);
  return button;
}

/** @param {HTMLButtonElement} node */
function playable(node) {
  return node.classList.contains("playable");
}

/**
 * The one that lies most nearly in the direction: distance along it counts once, away from it thrice.
 *
 * @param {Element} from
 * @param {HTMLButtonElement[]} all
 * @param {number} dx
 * @param {number} dy
 */
function nearest(from, all, dx, dy) {
  const start = middle(from);
  /** @type {HTMLButtonElement | undefined} */
  let best;
  let least = Number.POSITIVE_INFINITY;
  for (const node of all) {
    const { x, y } = middle(node);
    const along = (x - start.x) * dx + (y - start.y) * dy;
    const aside = Math.abs((x - start.x) * dy) + Math.abs((y - start.y) * dx);
    const distance = along + 3 * aside;
    if (node !== from && along > 4 && distance < least) {
      best = node;
      least = distance;
    }
  }
  return best;
}

/** @param {Element} node */
function middle(node) {
  const { left, top, width, height } = node.getBoundingClientRect();
  return { x: left + width / 2, y: top + height / 2 };
}

customElements.define("heart-board", HeartBoard);
