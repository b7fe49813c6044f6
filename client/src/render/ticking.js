// @ts-check
import { duration } from "../i18n.js";

/**
 * An element that says a time which counts by itself.
 *
 * @template M
 */
export class Ticking extends HTMLElement {
  constructor() {
    super();
    /** @type {M | null} */
    this.shown = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /** @param {M} model */
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
    if (!this.shown) return;
    const { ms, next } = this.read(this.shown);
    const text = duration(ms);
    if (this.textContent !== text) this.textContent = text;
    if (next !== null) this.timer = setTimeout(() => this.tick(), next);
    else this.stopped();
  }

  /**
   * @param {M} _
   * @returns {{ms: number, next: number | null}} What to say, and for how long that is right; null for ever.
   */
  read(_) {
    return { ms: 0, next: null };
  }

  /** The time counts no further. */
  stopped() {}
}
