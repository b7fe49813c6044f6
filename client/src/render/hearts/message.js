// @ts-check
/**
 * The line above the hand: how the viewer stands, what is asked of him, how long he has.
 *
 * @typedef {import("../../state/app.js").State} State
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../actions/hearts.js").HeartsActions} HeartsActions
 * @typedef {import("../dom.js").Node} Node
 */
import { prompt, takebackWords } from "../../heartswords.js";
import { t } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { h } from "../dom.js";
import { clock, seatBox } from "./seats.js";

/**
 * @param {State} page
 * @param {HeartsView} view
 * @param {HeartsActions} act
 * @returns {Node[]}
 */
export function message({ notice, skew }, view, act) {
  const mine = hearts.mayMove(view);
  return [
    h("ul", { class: "mine" }, own(view, skew)),
    h(
      "p",
      { class: notice ? "words noticed" : mine ? "words asked" : "words" },
      notice?.text ?? (takebackWords(view) || prompt(view)),
    ),
    hearts.isAsked(view) ? answers(act) : h("span", { class: "rest" }, mine && clock(view, skew)),
  ];
}

/**
 * How the viewer stands, unless his seat is shown among the others': who has given up sees no hand any more.
 *
 * @param {HeartsView} view
 * @param {number} skew
 */
function own(view, skew) {
  if (view.you === null) return h("li", { class: "watching" }, t("hearts.prompt.watching"));
  return view.hand && seatBox(view, view.you, skew);
}

/** @param {HeartsActions} act */
function answers(act) {
  return h(
    "div",
    { class: "answers" },
    h(
      "button",
      { type: "button", class: "button primary", onclick: () => act.answer(true) },
      t("hearts.takeback.agree"),
    ),
    h(
      "button",
      { type: "button", class: "button", onclick: () => act.answer(false) },
      t("hearts.takeback.refuse"),
    ),
  );
}
