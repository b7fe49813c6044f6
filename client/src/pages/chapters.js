// @ts-check
/**
 * What the pages of rules are made of.
 *
 * @typedef {(key: string) => string} Say A message of the page.
 */
import { name } from "../cards.js";
import { t } from "../i18n.js";
import { h } from "../render/dom.js";
import { picture } from "../render/faces.js";
import { unbroken } from "../render/unbroken.js";

/**
 * The head of a page, with the way to the other game's.
 *
 * @param {"heart-to-heart" | "hearts"} game
 * @param {Say} say
 */
export function head(game, say) {
  const link = (/** @type {string} */ other) =>
    h("a", { href: `/rules/${other}`, "aria-current": other === game && "page" }, t(`game.${other}`));
  return h(
    "header",
    null,
    h("nav", { class: "switch", "aria-label": t("rules.games") }, link("heart-to-heart"), link("hearts")),
    h("h1", null, say("title")),
    h("p", null, say("lead")),
  );
}

/**
 * @param {Say} say
 * @param {string} name
 * @param {number} paragraphs
 * @param {import("../render/dom.js").Child} [figure]
 */
export function chapter(say, name, paragraphs, figure = null) {
  const texts = Array.from({ length: paragraphs }, (_, i) => h("p", null, unbroken(say(`${name}.${i + 1}`))));
  return h("section", null, h("h2", null, say(`${name}.title`)), texts, figure);
}

/**
 * A few cards in a row, and what is to be seen in them.
 *
 * @param {string} caption
 * @param {string[]} cards
 * @param {{winner?: number, cancelled?: number[]}} [marks] By place in the row.
 */
export function showing(caption, cards, { winner, cancelled = [] } = {}) {
  const mark = (/** @type {number} */ i) =>
    i === winner ? "still-card winner" : cancelled.includes(i) ? "still-card cancelled" : "still-card";
  return h(
    "figure",
    null,
    h(
      "div",
      { class: "row" },
      cards.map((card, i) => still(card, mark(i))),
    ),
    h("figcaption", null, caption),
  );
}

/**
 * @param {string} card
 * @param {string} [look]
 */
export function still(card, look = "still-card") {
  return h("span", {
    class: look,
    role: "img",
    "aria-label": name(card),
    created: (/** @type {HTMLElement} */ element) => element.append(picture(card)),
  });
}
