// @ts-check
/**
 * The daily deal on the first page: how the own try stands, and how long the day lasts.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/wire.js").Day} Day
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { dayName, t } from "../i18n.js";
import { ownState } from "../state/days.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import "./countdown.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function dayCard(state, act) {
  const day = state.daily?.day;
  if (!day && state.daily?.trouble) return failed(state.daily.trouble, act);
  if (!day) return h("div", { class: "daycard ghosts", "aria-hidden": "true" }, h("span"));
  const standing = ownState(day);
  const streak = state.calendar?.streak.current ?? 0;
  return h(
    "section",
    { class: `daycard ${standing}`, "aria-labelledby": "daycard" },
    h("div", { class: "leaf", "aria-hidden": "true" }, leaf(day)),
    h(
      "div",
      { class: "says" },
      h("h2", { id: "daycard" }, h("a", { href: "/daily" }, t("daily.title"))),
      h("p", null, says(day)),
      h(
        "p",
        { class: "hint" },
        remaining(day, state, act),
        h("span", null, t("daily.players", { n: day.players })),
        streak > 0 && h("span", null, t("daily.streak", { n: streak })),
      ),
    ),
    h("div", { class: "actions" }, doing(state, day, act)),
  );
}

/**
 * In the place of what could not be fetched of a day.
 *
 * @param {string} code
 * @param {Actions} act
 */
export function failed(code, act) {
  return h(
    "p",
    { class: "empty" },
    t(`error.${code}`),
    h("button", { type: "button", onclick: act.refreshDay }, icon("again"), t("trouble.retry")),
  );
}

/** @param {Day} day */
function leaf({ date }) {
  return [
    h("span", null, dayName(date, { month: "short" })),
    h("strong", null, dayName(date, { day: "numeric" })),
  ];
}

/** @param {Day} day */
function says(day) {
  const standing = ownState(day);
  if (standing === "none") return t("daily.none_text");
  if (standing === "begun") return t("daily.so_far", { n: day.mine?.score ?? 0 });
  return standing === "won" ? t("daily.won") : t("daily.ended_with", { n: day.mine?.score ?? 0 });
}

/**
 * @param {State} state
 * @param {Day} day
 * @param {Actions} act
 */
function doing(state, day, act) {
  const standing = ownState(day);
  if (standing === "none") {
    return h(
      "button",
      { type: "button", class: "primary", disabled: state.starting, onclick: act.playDay },
      icon("play"),
      t("daily.play"),
    );
  }
  if (standing === "begun") {
    return h(
      "a",
      { class: "button primary", href: `/games/${day.mine?.id}` },
      icon("play"),
      t("daily.play_on"),
    );
  }
  return h("a", { class: "button", href: `/daily/${day.date}` }, t("daily.to_board"));
}

/**
 * How long the day lasts, and with it the wait for the next deal.
 *
 * @param {Day} day
 * @param {State} state
 * @param {Actions} act
 */
export function remaining(day, state, act) {
  return h(
    "span",
    { class: "remaining" },
    t("daily.next_in"),
    " ",
    h("count-down", {
      model: { until: Date.parse(day.closes_at), skew: state.skew },
      created: (/** @type {HTMLElement} */ element) => element.addEventListener("over", act.refreshDay),
    }),
  );
}
