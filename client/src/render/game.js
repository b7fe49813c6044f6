// @ts-check
/**
 * The page of one game of Heart to Heart.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { number, t } from "../i18n.js";
import { help } from "../state/solitaire.js";
import { mayPlay } from "../state/table.js";
import { h, takeFocus } from "./dom.js";
import { icon, logo } from "./icons.js";
import { instead } from "./states.js";
import "./board.js";
import "./clock.js";

const NO_HELP = { outlined: new Set(), matching: null };

/**
 * @param {State} state
 * @param {Actions} act
 * @returns {import("./shell.js").Shown}
 */
export function game(state, act) {
  const { table } = state;
  if (!table?.view) {
    if (table?.trouble) return { bar: null, foot: null, ...instead(table.trouble, act) };
    return { bar: null, main: waiting(), foot: null };
  }
  const { view } = table;
  const foot =
    view.status === "won" || view.status === "resigned"
      ? ending(view, table.ended, act)
      : [watching(view), deadEnd(view, act), controls(state, view, act)];
  return { bar: info(state, view, act), main: board(state, view, act), foot };
}

/** @param {View} view */
function watching({ you, players }) {
  const player = players[0]?.user;
  return you === null && player && h("p", { class: "watching" }, t("table.watching", { name: player.name }));
}

/**
 * Stands as long as the game is stuck, so that nothing moves when the window about it is closed.
 *
 * @param {View} view
 * @param {Actions} act
 */
function deadEnd({ status, you }, act) {
  return (
    status === "stuck" &&
    you !== null &&
    h(
      "p",
      { class: "dead-end", key: "stuck" },
      h("span", null, t("stuck.title")),
      h("button", { type: "button", onclick: act.reopen }, t("stuck.options")),
    )
  );
}

function waiting() {
  return h(
    "div",
    { class: "blank waiting", role: "status" },
    h("div", { class: "outline", "aria-hidden": "true" }, logo()),
    h("p", null, t("table.loading")),
  );
}

/**
 * @param {State} state
 * @param {View} view
 * @param {Actions} act
 */
function board(state, view, act) {
  const table = /** @type {import("../state/table.js").Table} */ (state.table);
  const live = mayPlay(table);
  const { outlined, matching } = live && state.settings.placement_helper ? help(table) : NO_HELP;
  // What is not on its way lies where the log has it.
  const sent = state.link === "open" ? table.sent : null;
  return [
    h("h1", { class: "unseen" }, t("game.heading", { code: view.deal })),
    h("heart-board", {
      key: table.id,
      model: { view, selected: table.selected, sent, outlined, matching, live },
      created: (/** @type {HTMLElement} */ element) =>
        element.addEventListener("cardtap", event => act.tap(/** @type {CustomEvent} */ (event).detail)),
    }),
  ];
}

/**
 * @param {State} state
 * @param {View} view
 * @param {Actions} act
 */
function info(state, view, act) {
  const moves = view.ranked ? view.ply + view.undone : view.moves;
  return h(
    "dl",
    { class: "info" },
    item(t("info.time"), h("game-clock", { model: { view, skew: state.skew } })),
    item(t("info.score"), number(view.score)),
    item(t("info.moves"), number(moves)),
    item(
      t("info.deal"),
      h(
        "button",
        {
          type: "button",
          class: "copy",
          title: t("info.copy"),
          "aria-label": t("info.copy_code", { code: view.deal }),
          onclick: () => act.copy(view.deal),
        },
        h("span", null, view.deal),
        icon("copy"),
      ),
    ),
  );
}

/**
 * @param {string} label
 * @param {import("./dom.js").Child} value
 */
function item(label, value) {
  return h("div", null, h("dt", null, label), h("dd", null, value));
}

/**
 * @param {State} state
 * @param {View} view
 * @param {Actions} act
 */
function controls(state, view, act) {
  const plays = mayPlay(/** @type {import("../state/table.js").Table} */ (state.table));
  const undoing = state.link === "open" && state.table?.sent?.kind === "undo";
  return h(
    "div",
    { class: "controls", role: "group", "aria-label": t("controls.label") },
    plays &&
      control("undo", t("controls.undo"), act.undo, {
        disabled: !view.undoable,
        "aria-busy": undoing && "true",
      }),
    control("plus", t("controls.new"), () => act.open("new")),
    plays && control("flag", t("controls.resign"), () => act.open("resign")),
    control("help", t("controls.help"), () => act.open("help")),
    control("sliders", t("controls.settings"), () => act.open("settings")),
  );
}

/**
 * @param {import("./icons.js").IconName} name
 * @param {string} label
 * @param {() => void} onclick
 * @param {{[name: string]: any}} [props]
 */
function control(name, label, onclick, props = {}) {
  return h(
    "button",
    { type: "button", class: "control", key: name, onclick, ...props },
    icon(name),
    h("span", null, label),
  );
}

/** @param {View} view */
function outcome({ status, you }) {
  if (you === null) return t(`status.${status}`);
  return t(status === "won" ? "won.title" : "resigned.title");
}

/**
 * @param {View} view
 * @param {boolean} late Whether it came while the game was looked at.
 * @param {Actions} act
 */
function ending(view, late, act) {
  const won = view.status === "won";
  const moves = view.ranked ? view.ply + view.undone : view.moves;
  return h(
    "section",
    { class: won ? "ending won" : "ending", "aria-labelledby": "ending" },
    h("h2", { id: "ending", tabindex: -1, ...(late && { created: takeFocus }) }, outcome(view)),
    h(
      "p",
      null,
      h("span", null, t("ending.points", { n: view.score }), " ·"),
      " ",
      h("span", null, t("ending.moves", { n: moves }), " ·"),
      " ",
      h("game-clock", { model: { view, skew: 0 } }),
    ),
    h(
      "div",
      { class: "actions" },
      view.ranked
        ? h("a", { class: "button primary", href: `/daily/${view.ranked}` }, t("daily.to_board"))
        : h(
            "button",
            { type: "button", class: "primary", onclick: () => act.newGame() },
            icon("plus"),
            t("ending.new"),
          ),
      h("a", { class: "button", href: `/games/${view.id}#0` }, icon("play"), t("ending.replay")),
      !view.ranked &&
        h(
          "button",
          { type: "button", onclick: () => act.newGame(view.deal) },
          icon("again"),
          t("ending.same"),
        ),
      h("a", { class: "button quiet", href: "/" }, t("ending.home")),
    ),
  );
}
