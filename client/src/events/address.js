// @ts-check
/**
 * The address and the browser's Back. An open window has an entry of its own in the browser's history, so that Back
 * closes it; it is taken away again when the window is closed in another way.
 */

/** What the entry of a window keeps, so that it is known after a reload. */
const WINDOW = { window: true };

/** Where this page is, as `visit` takes it. */
const here = () => location.pathname + location.hash;

export class Address {
  /**
   * @param {() => void} close Closes the window that is open.
   * @param {() => void} came Told when the browser has turned to another address.
   */
  constructor(close, came) {
    this.close = close;
    this.came = came;
    /** Whether the present entry is that of a window. */
    this.marked = history.state?.window === true;
    /** Whether a window lies over the page. */
    this.covered = false;
    /** The address under the window. */
    this.under = "";
    /** @type {string | null} The address that shall stand once a window's entry has been left, which takes a moment. */
    this.leaving = null;
    /** @type {(() => void)[]} What waits for that. */
    this.waiting = [];
    addEventListener("popstate", () => this.turned());
  }

  /**
   * Turns to an address. The entry of a window becomes that of the page that it led to.
   *
   * @param {string} path
   * @param {() => void} then
   */
  visit(path, then) {
    if (this.leaving !== null) {
      this.waiting.push(() => this.visit(path, then));
      return;
    }
    if (this.marked) history.replaceState(null, "", path);
    else if (path !== here()) history.pushState(null, "", path);
    this.marked = false;
    then();
  }

  /** @param {boolean} covered Whether a window lies over the page now. */
  cover(covered) {
    this.covered = covered;
    if (covered === this.marked || this.leaving !== null) return;
    this.marked = covered;
    if (covered) {
      this.under = here();
      history.pushState(WINDOW, "");
    } else {
      this.leaving = here();
      history.back();
    }
  }

  /** The browser has turned back or forward, by itself or because it was told to. */
  turned() {
    const closes = this.marked && this.covered && here() === this.under;
    this.marked = history.state?.window === true;
    if (this.leaving !== null) this.left(this.leaving);
    else {
      this.covered = false;
      if (closes) this.close();
      else this.came();
    }
    this.cover(this.covered);
  }

  /** @param {string} address What it was while the window was open. */
  left(address) {
    this.leaving = null;
    if (address !== here()) history.replaceState(history.state, "", address);
    for (const each of this.waiting.splice(0)) each();
  }
}
