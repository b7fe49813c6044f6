// @ts-check
/**
 * The end of a game of Hearts: who has won, how all stand, and how to go on.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../actions/actions.js").Actions} Actions
 * @typedef {import("../../actions/hearts.js").HeartsActions} HeartsActions
 */
import { minus, outcome, who } from "../../heartswords.js";
import { number, t } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { h, takeFocus } from "../dom.js";
import { icon } from "../icons.js";
import { sign } from "./signs.js";

/**
 * @param {HeartsView} view
 * @param {boolean} late Whether the last trick is still to be seen first.
 * @param {HeartsActions} actions
 * @param {Actions} act
 */
export function ending(view, late, actions, act) {
  const won = view.you !== null && view.winners?.includes(view.you);
  const names = ["hearts-end", won && "won", late && "late"];
  return h(
    "section",
    { class: names.filter(Boolean).join(" "), "aria-labelledby": "ending" },
    h(
      "div",
      { class: "end-sheet" },
      h("h2", { id: "ending", tabindex: -1, ...(late && { created: takeFocus }) }, outcome(view)),
      view.status === "closed" && h("p", null, t("hearts.closed.played")),
      standings(view),
      h(
        "div",
        { class: "actions" },
        next(view, actions),
        h("a", { class: "button", href: `/games/${view.id}#0` }, icon("play"), t("ending.replay")),
        h(
          "button",
          { type: "button", onclick: () => act.open("score") },
          sign("table"),
          t("hearts.controls.score"),
        ),
        h("a", { class: "button quiet", href: "/" }, t("ending.home")),
      ),
    ),
  );
}

/**
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 */
function next({ you, next }, actions) {
  if (you === null && !next) return null;
  if (you === null)
    return h("a", { class: "button primary", href: `/games/${next}` }, icon("again"), t("hearts.end.next"));
  return h(
    "button",
    { type: "button", class: "primary", onclick: actions.again },
    icon("again"),
    t(next ? "hearts.end.next" : "hearts.end.again"),
  );
}

/**
 * How all stand; at a table that was closed nobody has a rank.
 *
 * @param {HeartsView} view
 */
function standings(view) {
  const ranked = view.status !== "closed";
  return h(
    "ol",
    { class: ranked ? "standings" : "standings unranked" },
    hearts
      .standings(view)
      .map(({ seat, total, rank, resigned }) =>
        h(
          "li",
          { class: view.winners?.includes(seat) ? "first" : "", key: seat },
          ranked && h("span", { class: "rank" }, number(rank)),
          h(
            "span",
            { class: "name" },
            who(view, seat),
            resigned && " ",
            resigned && h("small", null, t("hearts.end.resigned")),
          ),
          h("b", null, minus(total)),
        ),
      ),
  );
}
