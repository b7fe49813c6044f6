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
    this.observer = new ResizeObserver(() => this.show());
  }

  connectedCallback() {
    this.append(this.list);
    this.onscroll = () => this.draw();
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

  /** Draws with the row at `at` in sight. */
  show() {
    const { shown, clientHeight } = this;
    if (!shown || !clientHeight) return;
    const height = this.rowHeight();
    const top = shown.at * height;
    this.list.style.height = `${(shown.length + 1) * height}px`;
    if (top < this.scrollTop + height || top > this.scrollTop + clientHeight - 2 * height)
      this.scrollTop = top - (clientHeight - height) / 2;
    this.draw();
  }

  rowHeight() {
    return Number.parseFloat(getComputedStyle(this).getPropertyValue("--row")) || 40;
  }

  draw() {
    const { shown, clientHeight, scrollTop } = this;
    if (!shown || !clientHeight) return;
    const height = this.rowHeight();
    const first = Math.max(0, Math.floor(scrollTop / height) - MARGIN);
    const last = Math.min(shown.length, Math.ceil((scrollTop + clientHeight) / height) + MARGIN);
    this.list.style.height = `${(shown.length + 1) * height}px`;
    this.list.style.paddingTop = `${first * height}px`;
    patch(
      this.list,
      Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => this.row(shown, first + i)),
    );
  }

  /**
   * @param {Model} model
   * @param {number} ply
   */
  row({ length, at, row }, ply) {
    const told = row(ply);
    return h(
      "li",
      { "aria-setsize": length + 1, "aria-posinset": ply + 1 },
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
    );
  }
}

customElements.define("move-list", MoveList);
