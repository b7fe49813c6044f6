// @ts-check
/**
 * A card of a Hearts table as an element that is moved by its transform.
 *
 * @typedef {import("./layout.js").Point} Point
 * @typedef {Point & {angle?: number, scale?: number}} Place Of its middle.
 */
import { show } from "../node.js";

/**
 * @template {"button" | "div"} T
 * @param {T} tag
 * @param {string} card
 * @returns {HTMLElementTagNameMap[T]}
 */
export function paper(tag, card) {
  const node = document.createElement(tag);
  node.className = "paper";
  node.dataset.card = card;
  const front = document.createElement("span");
  show(front, card);
  node.append(front);
  return node;
}

/**
 * @param {HTMLElement} node
 * @param {Place} place
 */
export function move(node, { x, y, angle = 0, scale = 1 }) {
  const at = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
  const turned = angle ? ` rotate(${angle.toFixed(2)}deg)` : "";
  node.style.transform = `${at}${turned}${scale === 1 ? "" : ` scale(${scale})`}`;
}

/**
 * Has each of these elements start from its place without a transition.
 *
 * @param {[node: HTMLElement, from: Place][]} starts
 */
export function start(starts) {
  for (const [node, from] of starts) {
    node.classList.add("starting");
    move(node, from);
  }
  void starts[0]?.[0].offsetWidth;
  for (const [node] of starts) node.classList.remove("starting");
}

/** @param {import("./layout.js").Box} box */
export function middleOf({ x, y, width, height }) {
  return { x: x + width / 2, y: y + height / 2 };
}
