// @ts-check
/**
 * The windows that any page may open.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").Dialog} Dialog
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./dialogs.js").Sheet} Sheet
 * @typedef {import("./dialogs.js").Window} Window
 */
import { slip } from "../dealcode.js";
import { LOCALES, t } from "../i18n.js";
import { account } from "./account.js";
import { h } from "./dom.js";
import { choice, field, keyList, submitted } from "./forms.js";
import { icon } from "./icons.js";

const THEMES = /** @type {const} */ (["auto", "light", "dark"]);

/** @type {Record<string, Window>} */
export const windows = { stuck, new: newGame, code: newGame, resign, help, settings, ...account };

/**
 * @param {State} state
 * @param {Actions} act
 * @returns {Sheet}
 */
function stuck(state, act) {
  const { score = 0, undoable = 0 } = state.table?.view ?? {};
  // Where no pair has left the heart, no move that is taken back opens another way.
  const lost = !score || !undoable;
  const another = { type: "button", class: lost && "primary", autofocus: lost, onclick: () => act.newGame() };
  return {
    title: t(score ? "stuck.title" : "stuck.unplayable"),
    body: [
      h("p", null, t(lost ? "stuck.lost_text" : "stuck.text")),
      h(
        "div",
        { class: "actions" },
        !lost &&
          h(
            "button",
            { type: "button", class: "primary", key: "undo", autofocus: true, onclick: act.undo },
            icon("undo"),
            t("controls.undo"),
          ),
        h("button", { key: "new", ...another }, icon("plus"), t("ending.new")),
      ),
    ],
  };
}

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function newGame(state, act, { name, error, busy, data }) {
  const wrong =
    error === "bad_deal_code" || error === "not_yet" ? t(...slip(data.code)) : error && t(`error.${error}`);
  const unfinished = state.table?.view?.status === "playing" && state.table.view.ply > 0;
  const random = [
    unfinished && h("p", { class: "hint" }, t("new.kept")),
    h(
      "button",
      {
        type: "button",
        class: "primary large",
        disabled: busy,
        autofocus: true,
        onclick: () => act.newGame(),
      },
      icon("plus"),
      t("new.random"),
    ),
    h("p", { class: "or" }, t("new.or")),
  ];
  return {
    title: t(name === "code" ? "new.code_title" : "new.title"),
    body: [
      name === "new" && random,
      h(
        "form",
        { class: "stack", novalidate: true, onsubmit: submitted(({ deal = "" }) => act.newGame(deal)) },
        field({
          name: "deal",
          label: t("new.code"),
          error: wrong || null,
          hint: t("new.hint"),
          autofocus: name === "code",
          autocapitalize: "characters",
          autocomplete: "off",
          spellcheck: "false",
          placeholder: "HH1-N-AAAAAAM",
          maxlength: 40,
        }),
        h("button", { type: "submit", disabled: busy }, t("new.deal")),
      ),
    ],
  };
}

/**
 * @param {State} _
 * @param {Actions} act
 * @returns {Sheet}
 */
function resign(_, act) {
  return {
    title: t("resign.title"),
    body: [
      h("p", null, t("resign.text")),
      h(
        "div",
        { class: "actions" },
        h("button", { type: "button", class: "primary", onclick: act.resign }, icon("flag"), t("resign.yes")),
        h("button", { type: "button", autofocus: true, onclick: act.close }, t("resign.no")),
      ),
    ],
  };
}

const KEYS = /** @type {const} */ (["arrows", "enter", "d", "u", "n", "help", "esc"]);
/** Those that can be turned off. */
const LETTERS = new Set(["d", "u", "n", "help"]);
const REPLAY_KEYS = /** @type {const} */ (["step", "ten", "ends", "space", "help"]);

/**
 * @param {State} state
 * @returns {Sheet}
 */
function help({ replay, settings }) {
  if (replay) return { title: t("help.keys"), body: keys(REPLAY_KEYS, settings) };
  return {
    title: t("help.title"),
    body: [
      h(
        "ul",
        { class: "points" },
        ["goal", "free", "pair", "stock", "end"].map(each => h("li", null, t(`help.${each}`))),
      ),
      h("h3", null, t("help.keys")),
      keys(KEYS, settings),
      h("p", null, h("a", { href: "/rules/heart-to-heart" }, t("help.more"))),
    ],
  };
}

/**
 * @param {readonly string[]} names
 * @param {import("../state/app.js").Settings} settings
 */
function keys(names, { letter_keys }) {
  const live = names.filter(key => letter_keys || !LETTERS.has(key));
  return keyList(live.map(key => [t(`key.${key}`), t(`help.key.${key}`)]));
}

/**
 * @param {State} state
 * @param {Actions} act
 * @returns {Sheet}
 */
function settings(state, act) {
  const { move_errors, placement_helper, letter_keys, theme } = state.settings;
  return {
    title: t("settings.title"),
    body: [
      toggle("helper", placement_helper, on => act.adjust({ placement_helper: on })),
      toggle("errors", move_errors, on => act.adjust({ move_errors: on })),
      toggle("letters", letter_keys, on => act.adjust({ letter_keys: on })),
      choice({
        name: "language",
        legend: t("settings.language"),
        options: /** @type {[import("../i18n.js").Locale, string][]} */ (Object.entries(LOCALES)),
        value: /** @type {import("../i18n.js").Locale} */ (state.locale),
        change: act.speak,
        tongues: true,
      }),
      choice({
        name: "theme",
        legend: t("settings.theme"),
        options: THEMES.map(each => [each, t(`settings.theme.${each}`)]),
        value: theme,
        change: chosen => act.adjust({ theme: chosen }),
      }),
    ],
  };
}

/**
 * @param {string} name
 * @param {boolean} on
 * @param {(on: boolean) => void} change
 */
function toggle(name, on, change) {
  const onchange = (/** @type {Event} */ event) =>
    change(/** @type {HTMLInputElement} */ (event.target).checked);
  return h(
    "label",
    { class: "toggle" },
    h("span", null, h("strong", null, t(`settings.${name}`)), h("small", null, t(`settings.${name}_hint`))),
    h("input", { type: "checkbox", role: "switch", checked: on, onchange }),
  );
}
