// @ts-check
import { picture } from "./faces.js";

/**
 * Moves an element by its transform.
 *
 * @param {HTMLElement} node
 * @param {import("./layout.js").Point | undefined} point
 */
export function put(node, point) {
  if (point) node.style.transform = `translate(${point.x}px, ${point.y}px)`;
}

/**
 * Shows a card on a face; null leaves what was there, for a card on its way out.
 *
 * @param {HTMLElement} front
 * @param {string | null} card
 */
export function show(front, card) {
  if (!card || front.dataset.face === card) return;
  front.dataset.face = card;
  front.classList.add("front");
  front.replaceChildren(picture(card));
}
