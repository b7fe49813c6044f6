// @ts-check

/** Keeps the focus at a table whose cards and buttons come and go: what has it may be gone with the next move. */
export class Focus {
  /**
   * @param {HTMLElement} table
   * @param {() => HTMLElement | null} next What is to have it then.
   */
  constructor(table, next) {
    this.next = next;
    /** Whether it is at the table, or was there last. */
    this.isHere = false;
    this.notice = (/** @type {FocusEvent} */ { target }) => {
      // A window gives it back.
      if (target instanceof Element && !target.closest("dialog")) this.isHere = table.contains(target);
    };
  }

  follow() {
    document.addEventListener("focusin", this.notice);
  }

  leave() {
    document.removeEventListener("focusin", this.notice);
  }

  keep() {
    if (this.isHere && document.activeElement === document.body) this.next()?.focus({ preventScroll: true });
  }
}
