// @ts-check
import { Ticking } from "./ticking.js";

/** The server may come to the moment a little later than this device. */
const GRACE = 1500;

/**
 * The time that is left until a moment. When it is there, tells so by the event `over`.
 *
 * @typedef {object} Model
 * @property {number} until
 * @property {number} skew How far this device's clock is ahead of the server's, in milliseconds.
 *
 * @extends {Ticking<Model>}
 */
class CountDown extends Ticking {
  /** @override */
  connectedCallback() {
    this.setAttribute("role", "timer");
    super.connectedCallback();
  }

  /**
   * @override
   * @param {Model} model
   */
  read({ until, skew }) {
    const left = Math.max(0, until - (Date.now() - skew));
    return { ms: left, next: left > 0 ? (left % 1000) + 1 : null };
  }

  /** @override */
  stopped() {
    this.timer = setTimeout(() => this.dispatchEvent(new CustomEvent("over")), GRACE);
  }
}

customElements.define("count-down", CountDown);
