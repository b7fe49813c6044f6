// @ts-check
import { duration } from "../i18n.js";

/** The server may come to the moment a little later than this device. */
const GRACE = 1500;

/**
 * The time that is left until a moment, which counts down by itself, and tells when it is there.
 *
 * @typedef {object} Model
 * @property {number} until
 * @property {number} skew How far this device's clock is ahead of the server's, in milliseconds.
 */
class CountDown extends HTMLElement {
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
    this.setAttribute("role", "timer");
    this.tick();
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
  }

  tick() {
    clearTimeout(this.timer);
    if (!this.shown) return;
    const left = this.shown.until - (Date.now() - this.shown.skew);
    const text = duration(Math.max(0, left));
    if (this.textContent !== text) this.textContent = text;
    if (left > 0) this.timer = setTimeout(() => this.tick(), (left % 1000) + 1);
    else this.timer = setTimeout(() => this.dispatchEvent(new CustomEvent("over")), GRACE);
  }
}

customElements.define("count-down", CountDown);
