// @ts-check
/**
 * The moves of a game in words. Only those that can be seen are in the document, however many there are.
 *
 * @typedef {{words: string, took: string}} Row
 *
 * @typedef {object} Model
 * @property {number} length How many moves there are; the list has one row more, for the start.
 * @property {number} at The row that is shown on the table.
 * @property {(ply: number) => Row | null} row Null while it is awaited.
 */
import { number, t } from "../i18n.js";
import { h, patch } from "./dom.js";

/** Rows beyond those that can be seen, above and below. */
const MARGIN = 6;

class MoveList extends HTMLElement {
  constructor() {
    super();
    /** @type {Model | null} */
    this.shown = null;
    this.list = document.createElement("ol");
    /** @type {Map<number, HTMLElement>} By ply. */
    this.rows = new Map();
    // Known from events, not asked for at each step: that would lay the page out again every time.
    this.height = 0;
    this.rowHeight = 0;
    this.top = 0;
    this.observer = new ResizeObserver(() => this.resize());
  }

  connectedCallback() {
    this.append(this.list);
    this.onscroll = () => {
      this.top = this.scrollTop;
      this.draw();
    };
    this.observer.observe(this);
  }

  disconnectedCallback() {
    this.observer.disconnect();
  }

  /** @param {Model} model */
  set model(model) {
    const turned = this.shown?.at !== model.at;
    this.shown = model;
    if (turned) this.show();
    else this.draw();
  }

  resize() {
    this.height = this.clientHeight;
    this.rowHeight = Number.parseFloat(getComputedStyle(this).getPropertyValue("--row"));
    this.show();
  }

  /** Draws with the row at `at` in sight. */
  show() {
    const { shown, height, rowHeight, top } = this;
    if (!shown || !height) return;
    const place = shown.at * rowHeight;
    this.stretch();
    if (place < top + rowHeight || place > top + height - 2 * rowHeight) {
      const whole = (shown.length + 1) * rowHeight;
      this.top = Math.max(0, Math.min(place - (height - rowHeight) / 2, whole - height));
      this.scrollTop = this.top;
    }
    this.draw();
  }

  /** Is as long as all moves take. */
  stretch() {
    this.list.style.height = `${((this.shown?.length ?? 0) + 1) * this.rowHeight}px`;
  }

  draw() {
    const { shown, height, rowHeight, top, rows } = this;
    if (!shown || !height) return;
    const first = Math.max(0, Math.floor(top / rowHeight) - MARGIN);
    const last = Math.min(shown.length, Math.ceil((top + height) / rowHeight) + MARGIN);
    this.stretch();
    this.list.style.paddingTop = `${first * rowHeight}px`;
    for (const [ply, row] of rows) {
      if (ply >= first && ply <= last) continue;
      row.remove();
      rows.delete(ply);
    }
    for (let ply = last; ply >= first; ply--) this.drawRow(shown, ply);
  }

  /**
   * A move keeps its element for as long as it is in the document, and with it the focus.
   *
   * @param {Model} model
   * @param {number} ply
   */
  drawRow({ length, at, row: tell }, ply) {
    let row = this.rows.get(ply);
    if (!row) {
      row = document.createElement("li");
      this.rows.set(ply, row);
      this.list.insertBefore(row, this.rows.get(ply + 1) ?? null);
    }
    row.setAttribute("aria-setsize", String(length + 1));
    row.setAttribute("aria-posinset", String(ply + 1));
    const told = tell(ply);
    patch(row, [
      h(
        "button",
        {
          type: "button",
          "data-ply": ply,
          tabindex: ply === at ? 0 : -1,
          "aria-current": ply === at && "step",
          onclick: () => this.dispatchEvent(new CustomEvent("turnto", { detail: ply })),
        },
        h("span", { class: "nr" }, ply ? number(ply) : ""),
        h("span", { class: "words" }, told?.words ?? t("replay.awaited")),
        h("span", { class: "took" }, told?.took ?? ""),
      ),
    ]);
  }
}

customElements.define("move-list", MoveList);
