// @ts-check
import { clock } from "../state/app.js";
import { Ticking } from "./ticking.js";

/**
 * The time of a game.
 *
 * @typedef {{view: import("../state/wire.js").View, skew: number}} Model
 * @extends {Ticking<Model>}
 */
class GameClock extends Ticking {
  /**
   * @override
   * @param {Model} model
   */
  read({ view, skew }) {
    const ms = clock(view, Date.now() - skew);
    const runs = clock(view, Number.POSITIVE_INFINITY) > ms;
    return { ms, next: runs ? 1000 - (ms % 1000) : null };
  }
}

customElements.define("game-clock", GameClock);
