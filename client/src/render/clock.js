// @ts-check
import { duration } from "../i18n.js";
import { clock } from "../state/app.js";

/**
 * The time of a game, which counts on by itself.
 *
 * @typedef {{view: import("../state/wire.js").View, skew: number}} Model
 */
class GameClock extends HTMLElement {
  constructor() {
    super();
    /** @type {Model | null} */
    this.shown = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {Model} model */
  set model(model) {
    this.shown = model;
    if (this.isConnected) this.tick();
  }

  connectedCallback() {
    this.tick();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  tick() {
    clearTimeout(this.timer);
    const { shown } = this;
    if (!shown) return;
    const ms = clock(shown.view, Date.now() - shown.skew);
    const text = duration(ms);
    if (this.textContent !== text) this.textContent = text;
    if (clock(shown.view, Number.POSITIVE_INFINITY) > ms)
      this.timer = setTimeout(() => this.tick(), 1000 - (ms % 1000));
  }
}

customElements.define("game-clock", GameClock);
