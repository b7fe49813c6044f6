// @ts-check
/**
 * A table of Hearts: seats round it, the trick in the middle, a hand at the bottom. It lays out what it is given
 * for its present size, and lets cards fly.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../state/wire.js").Played} Played
 * @typedef {import("../dom.js").Node} Node
 * @typedef {import("./layout.js").Box} Box
 *
 * @typedef {object} Model
 * @property {HeartsView} view
 * @property {number} bottom The seat that sits at the bottom.
 * @property {string[] | null} hand Its cards; null if they may not be seen.
 * @property {boolean} open Whether the seats tell their cards, too.
 * @property {boolean} step Whether it is a position of a replay.
 * @property {boolean} live Whether the viewer plays.
 * @property {string[]} lifted
 * @property {import("../../state/table.js").Sent | null} sent
 * @property {Node[]} seats What the box of each seat says.
 * @property {Node[]} message
 * @property {Node[]} middle
 * @property {(card: string) => string} label What a card of the hand is called.
 */

import { laidCard, tableLabels } from "../../heartswords.js";
import * as hearts from "../../state/hearts.js";
import { patch } from "../dom.js";
import { Focus } from "./focus.js";
import { Hand } from "./hand.js";
import { Laid } from "./laid.js";
import { layout } from "./layout.js";
import { middleOf } from "./paper.js";

/** From this width on a card is drawn with its pips; below, with large indices. */
const LARGE = 84;

export class HeartsTable extends HTMLElement {
  constructor() {
    super();
    /** @type {Model | null} */
    this.shown = null;
    /** @type {import("./layout.js").Layout | null} */
    this.layout = null;
    /** Its size, kept so that no draw has the browser measure it. */
    this.size = { width: 0, height: 0 };
    /** @type {(() => void) | undefined} Has the keys of the table mean nothing any more. */
    this.stop = undefined;
    this.seats = part("ul", "sitters");
    this.middle = part("div", "middle");
    this.message = part("div", "message");
    this.laid = new Laid(holding => {
      this.classList.toggle("holding", holding);
      this.focused.keep();
    });
    this.hand = new Hand(card => {
      this.laid.settle();
      this.dispatchEvent(new CustomEvent("cardtap", { detail: card }));
    });
    this.focused = new Focus(
      this,
      () => this.middle.querySelector("button:enabled") ?? this.hand.current() ?? null,
    );
    this.observer = new ResizeObserver(() => this.resize());
  }

  connectedCallback() {
    // What is decided in the middle comes after the cards that it is about: there Tab goes on to it.
    this.append(this.seats, this.laid.node, this.message, this.hand.node, this.middle);
    this.observer.observe(this);
    this.focused.follow();
  }

  disconnectedCallback() {
    this.observer.disconnect();
    this.focused.leave();
    this.laid.reset();
  }

  /** @param {Model} model */
  set model(model) {
    const before = this.shown;
    this.shown = model;
    this.draw(before);
    if (before && before.view !== model.view)
      this.dispatchEvent(new CustomEvent("changed", { detail: { before: before.view, after: model.view } }));
  }

  /** Lays everything out for the present size, without movement. */
  resize() {
    this.size = { width: this.clientWidth, height: this.clientHeight };
    this.classList.add("still");
    this.draw(this.shown);
    void this.offsetWidth;
    this.classList.remove("still");
  }

  /** @param {Model | null} before What was shown last. */
  draw(before) {
    const { shown } = this;
    const { width, height } = this.size;
    if (!shown || !width || !height) return;
    const { view } = shown;
    this.layout = layout({
      width,
      height,
      players: view.players.length,
      dealt: hearts.dealt(view),
      hand: shown.hand !== null,
      open: shown.open,
    });
    this.dataset.status = view.status;
    this.dataset.revision = String(view.revision);
    this.classList.toggle("compact", this.layout.compact);
    this.classList.toggle("dense", this.layout.dense);
    this.drawFrame(shown);
    this.drawCards(shown, before);
    this.focused.keep();
  }

  /** @param {Model} shown */
  drawFrame({ view, bottom, hand, seats, message, middle }) {
    const {
      seats: boxes,
      message: line,
      middle: free,
    } = /** @type {import("./layout.js").Layout} */ (this.layout);
    const labels = tableLabels();
    this.seats.setAttribute("aria-label", labels.seats);
    this.laid.node.setAttribute("aria-label", labels.trick);
    this.hand.node.setAttribute("aria-label", labels.hand);
    const order = view.players.map((_, away) => (bottom + away) % view.players.length);
    const visible = hand ? order.slice(1) : order;
    patch(
      this.seats,
      visible.map(seat => /** @type {Node} */ (seats[seat])),
    );
    visible.forEach((_, i) => {
      box(/** @type {HTMLElement} */ (this.seats.children[i]), /** @type {Box} */ (boxes[hand ? i + 1 : i]));
    });
    patch(this.message, message);
    box(this.message, line);
    patch(this.middle, middle);
    box(this.middle, free);
  }

  /**
   * @param {Model} shown
   * @param {Model | null} before
   */
  drawCards(shown, before) {
    const { view, hand, sent } = shown;
    const { fan, card } = /** @type {import("./layout.js").Layout} */ (this.layout);
    face(this.laid.node, card);
    face(this.hand.node, fan.card);
    const own = sent?.kind === "move" && sent.move.startsWith("play ") ? sent.move.slice(5) : null;
    const pending = own && view.you !== null ? { seat: view.you, card: own } : null;
    if (before) this.flyPassed(before.view, view);
    this.laid.draw(view, this.where(shown), pending, shown.step);
    this.hand.node.hidden = !hand;
    const held = hand ?? [];
    const cards = pending ? without(held, pending.card) : held;
    const fresh = hearts.fresh(view);
    this.hand.draw(
      {
        cards,
        lifted: new Set(shown.lifted),
        playable: hearts.task(view) === "play" && shown.live && !pending ? hearts.playable(view) : null,
        fresh,
        label: shown.label,
        live: shown.live,
      },
      fan,
      before && !shown.step ? this.origin(before.view, view, fresh) : null,
    );
  }

  /**
   * Where the cards come from that a hand did not have before.
   *
   * @param {HeartsView} before
   * @param {HeartsView} view
   * @param {Set<string>} fresh
   * @returns {(card: string) => import("./paper.js").Place}
   */
  origin(before, view, fresh) {
    const { middle, spots } = /** @type {import("./layout.js").Layout} */ (this.layout);
    const dealt = before.hand_number !== view.hand_number || !hearts.isOn(before.status);
    const giver = view.you === null ? 0 : hearts.neighbours(view, view.you).from;
    return card => {
      if (dealt) return middleOf(middle);
      return fresh.has(card) ? this.place(giver) : /** @type {import("./layout.js").Point} */ (spots[0]);
    };
  }

  /**
   * Cards that the viewer has passed fly to whom they go to.
   *
   * @param {HeartsView} before
   * @param {HeartsView} view
   */
  flyPassed(before, view) {
    const { you, sent } = view;
    if (you === null || !sent || before.passed[you] || !view.passed[you]) return;
    const to = this.place(hearts.neighbours(view, you).to);
    for (const card of sent) {
      const from = this.hand.place(card);
      if (from) this.laid.fly(card, from, to);
    }
  }

  /**
   * @param {Model} shown
   * @returns {import("./laid.js").Where}
   */
  where({ view, hand }) {
    const { spots, middle } = /** @type {import("./layout.js").Layout} */ (this.layout);
    return {
      spot: seat => /** @type {import("./layout.js").Point} */ (spots[this.away(seat)]),
      from: (seat, card) =>
        (hand && !this.away(seat) && this.hand.place(card)) || { ...this.place(seat), scale: 0.55 },
      to: winner => (winner === null ? middleOf(middle) : this.place(winner)),
      label: (seat, card) => laidCard(view, seat, card),
    };
  }

  /**
   * How far a seat is to the left of the one at the bottom.
   *
   * @param {number} seat
   */
  away(seat) {
    const { view, bottom } = /** @type {Model} */ (this.shown);
    return (seat - bottom + view.players.length) % view.players.length;
  }

  /**
   * The middle of a seat.
   *
   * @param {number} seat
   */
  place(seat) {
    const { seats, fan } = /** @type {import("./layout.js").Layout} */ (this.layout);
    const away = this.away(seat);
    return middleOf(away || !this.shown?.hand ? /** @type {Box} */ (seats[away]) : fan.box);
  }
}

/**
 * @param {string} tag
 * @param {string} name
 */
function part(tag, name) {
  const element = document.createElement(tag);
  element.className = name;
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Box} box
 */
function box(element, { x, y, width, height }) {
  Object.assign(element.style, {
    transform: `translate(${Math.round(x)}px, ${Math.round(y)}px)`,
    width: `${Math.round(width)}px`,
    height: `${Math.round(height)}px`,
  });
}

/**
 * @param {HTMLElement} element
 * @param {number} width Of its cards.
 */
function face(element, width) {
  element.style.setProperty("--paper", `${width.toFixed(1)}px`);
  element.classList.toggle("large-faces", width >= LARGE);
}

/**
 * @param {string[]} cards
 * @param {string} card
 */
function without(cards, card) {
  const at = cards.indexOf(card);
  return at < 0 ? cards : cards.toSpliced(at, 1);
}

customElements.define("hearts-table", HeartsTable);
