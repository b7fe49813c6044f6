// @ts-check
/**
 * The page of one table of Hearts: while its seats fill, while it is played at, and when it is over.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/table.js").Table} Table
 * @typedef {import("../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("../actions/hearts.js").HeartsActions} HeartsActions
 */
import { heartsActions } from "../actions/hearts.js";
import { listen } from "../events/hearts.js";
import { happened } from "../heartssaid.js";
import { handCard } from "../heartswords.js";
import { t } from "../i18n.js";
import { h } from "../render/dom.js";
import { ending } from "../render/hearts/ending.js";
import { figures } from "../render/hearts/figures.js";
import { message } from "../render/hearts/message.js";
import { asked, middle } from "../render/hearts/middle.js";
import { seats } from "../render/hearts/seats.js";
import { sign } from "../render/hearts/signs.js";
import { waiting } from "../render/hearts/waiting.js";
import { windows } from "../render/hearts/windows.js";
import { icon } from "../render/icons.js";
import * as state from "../state/hearts.js";
import "../render/hearts/table.js";

/** @type {HeartsActions | null} */
let actions = null;

/** The table whose seats were seen to fill: when it begins, what had the focus there is gone. */
let waitedAt = "";

/**
 * @param {State} page
 * @param {Actions} act
 * @returns {import("../render/shell.js").Shown}
 */
export function hearts(page, act) {
  const table = /** @type {Table & {view: NonNullable<Table["view"]>}} */ (page.table);
  const view = state.heartsOf(table.view);
  actions ??= act.more(heartsActions);
  const shown = {
    title: t("hearts.title"),
    body: "game",
    windows: windows(view, actions),
  };
  if (view.status === "waiting" || (view.status === "closed" && !view.started_at)) {
    waitedAt = table.id;
    return { ...shown, main: waiting(page, view, actions, act) };
  }
  return {
    ...shown,
    bar: info(view),
    main: [
      h("h1", { class: "unseen" }, t("hearts.heading", { n: view.players.length })),
      board(page, table, view, actions, act),
      (view.finished_at || view.status === "closed") && ending(view, table.ended, actions, act),
    ],
    foot: controls(table, view, actions, act),
  };
}

/**
 * @param {State} page
 * @param {Table} table
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 * @param {Actions} act
 */
function board(page, table, view, actions, act) {
  return h("hearts-table", {
    key: table.id,
    model: {
      view,
      bottom: view.you ?? 0,
      hand: view.hand,
      open: false,
      step: false,
      live: state.plays(view),
      lifted: table.chosen,
      sent: table.sent,
      seats: seats(view, page.skew),
      message: message(page, view, actions),
      middle: asked(table, view, actions) ?? middle(view),
      label: (/** @type {string} */ card) => handCard(view, card),
    },
    created: (/** @type {import("../render/hearts/table.js").HeartsTable} */ element) => {
      element.addEventListener("cardtap", event => actions.tap(/** @type {CustomEvent} */ (event).detail));
      element.addEventListener("changed", event => {
        const { before, after } = /** @type {CustomEvent} */ (event).detail;
        const words = happened(before, after);
        if (words) actions.say(words);
      });
      element.stop = listen(element, actions, act);
      element.focused.isHere = waitedAt === table.id;
    },
    removed: (/** @type {import("../render/hearts/table.js").HeartsTable} */ element) => element.stop?.(),
  });
}

/** @param {HeartsView} view */
function info(view) {
  return h(
    "dl",
    { class: "info" },
    figures(view).map(({ label, value, kind }) =>
      h("div", { class: kind ?? "" }, h("dt", null, label), h("dd", null, value)),
    ),
  );
}

/**
 * @param {Table} table
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 * @param {Actions} act
 */
function controls(table, view, actions, act) {
  const plays = state.plays(view);
  const back = state.canAskBack(table);
  return h(
    "div",
    { class: "controls of-hearts", role: "group", "aria-label": t("controls.label") },
    plays &&
      h(
        "button",
        {
          type: "button",
          class: back ? "control offered" : "control",
          key: "undo",
          onclick: actions.undo,
          disabled: !back,
        },
        icon("undo"),
        h("span", null, t("hearts.controls.undo")),
      ),
    control(
      sign("trick"),
      t("hearts.controls.trick"),
      () => act.open("trick"),
      !view.last_trick && !view.sent,
    ),
    control(sign("table"), t("hearts.controls.score"), () => act.open("score")),
    plays && control(icon("flag"), t("controls.resign"), () => act.open("resign")),
    control(icon("help"), t("controls.help"), () => act.open("help")),
    control(icon("sliders"), t("controls.settings"), () => act.open("settings")),
  );
}

/**
 * @param {import("../render/dom.js").Child} sign
 * @param {string} label
 * @param {() => void} onclick
 * @param {boolean} [disabled]
 */
function control(sign, label, onclick, disabled = false) {
  return h(
    "button",
    { type: "button", class: "control", key: label, onclick, disabled },
    sign,
    h("span", null, label),
  );
}
