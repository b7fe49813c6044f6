// @ts-check
/**
 * The state of the page, changed by named mutations, redrawn at most once a frame.
 *
 * @template S
 */
export class Store {
  /**
   * @param {S} state
   * @param {(redraw: () => void) => void} schedule Runs its argument before the next frame.
   */
  constructor(state, schedule) {
    this.state = state;
    this.schedule = schedule;
    /** @type {((state: S) => void)[]} */
    this.listeners = [];
    this.scheduled = false;
  }

  /** @param {(state: S) => void} listener Draws the whole state. */
  listen(listener) {
    this.listeners.push(listener);
  }

  /**
   * The only way in which the state changes.
   *
   * @template {unknown[]} A
   * @template R
   * @param {(state: S, ...args: A) => R} mutation
   * @param {A} args
   * @returns {R}
   */
  change(mutation, ...args) {
    const result = mutation(this.state, ...args);
    if (!this.scheduled) {
      this.scheduled = true;
      this.schedule(() => this.redraw());
    }
    return result;
  }

  redraw() {
    this.scheduled = false;
    for (const listener of this.listeners) listener(this.state);
  }
}
