// @ts-check
/**
 * The windows of a table of Hearts: scores, last trick, help, giving up.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../actions/hearts.js").HeartsActions} HeartsActions
 * @typedef {import("../dialogs.js").Window} Window
 */
import { name as cardName } from "../../cards.js";
import { laidCard, who, whom } from "../../heartswords.js";
import { list, t } from "../../i18n.js";
import { cancelled, isAlone } from "../../state/hearts.js";
import { h } from "../dom.js";
import { picture } from "../faces.js";
import { keyList } from "../forms.js";
import { icon } from "../icons.js";
import { exchange } from "./middle.js";
import { scores } from "./scores.js";

const LETTERS = ["p", "u", "l", "s"];

/**
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 * @returns {Record<string, Window>}
 */
export function windows(view, actions) {
  return {
    score: () => ({ title: t("hearts.score.title"), body: scores(view) }),
    trick: () => ({ title: t("hearts.controls.trick"), body: trick(view) }),
    resign: (_, act) => ({
      title: t("hearts.resign.title"),
      body: [
        h("p", null, t(isAlone(view) ? "hearts.resign.alone" : "hearts.resign.text")),
        h(
          "div",
          { class: "actions" },
          h(
            "button",
            { type: "button", class: "primary", onclick: actions.resign },
            icon("flag"),
            t("resign.yes"),
          ),
          h("button", { type: "button", autofocus: true, onclick: act.close }, t("resign.no")),
        ),
      ],
    }),
    help: ({ settings }) => ({ title: t("help.title"), body: help(settings) }),
  };
}

/** @param {HeartsView} view */
function trick(view) {
  const { last_trick } = view;
  const equal = cancelled(last_trick?.cards ?? []);
  return [
    last_trick
      ? h(
          "ul",
          { class: "seen-trick" },
          last_trick.cards.map(({ seat, card }) =>
            h(
              "li",
              {
                class: seat === last_trick.winner ? "winning" : equal.has(card) ? "cancelled" : "",
                key: seat,
              },
              h("span", {
                class: "face",
                key: card,
                role: "img",
                "aria-label": laidCard(view, seat, card),
                "data-card": card,
                created: (/** @type {HTMLElement} */ node) => node.append(picture(card)),
              }),
              h("span", { class: "name", "aria-hidden": "true" }, who(view, seat)),
            ),
          ),
        )
      : h("p", null, t("hearts.trick.none")),
    last_trick && h("p", null, taken(view, last_trick.winner)),
    view.held.length > 0 &&
      h("p", null, t("hearts.held", { n: view.held.length, cards: list(view.held.map(cardName)) })),
    exchange(view).map(each => h("p", { class: "hint" }, each)),
  ];
}

/**
 * @param {HeartsView} view
 * @param {number | null} winner
 */
function taken(view, winner) {
  return winner === null ? t("hearts.said.cancelled") : t("hearts.said.taken", { name: whom(view, winner) });
}

/** @param {import("../../state/app.js").Settings} settings */
function help({ letter_keys }) {
  const letters = [
    ...LETTERS.map(letter => [letter.toUpperCase(), t(`hearts.key.${letter}`)]),
    [t("key.help"), t("help.key.help")],
  ];
  return [
    h(
      "ul",
      { class: "points" },
      ["goal", "pass", "follow", "lead", "moon"].map(each => h("li", null, t(`hearts.help.${each}`))),
    ),
    h("h3", null, t("help.keys")),
    keyList([
      [t("key.step"), t("hearts.key.arrows")],
      [t("key.enter"), t("hearts.key.enter")],
      ...(letter_keys ? letters : []),
      [t("key.esc"), t("hearts.key.esc")],
    ]),
    h("p", null, h("a", { href: "/rules/hearts" }, t("hearts.help.more"))),
  ];
}
