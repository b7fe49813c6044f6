// @ts-check
/**
 * The frame of the windows over a page. One is open at a time; Esc, its cross, the browser's Back and a tap beside it
 * close it.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").Dialog} Dialog
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./dom.js").Child} Child
 *
 * @typedef {object} Sheet
 * @property {string} title
 * @property {Child} body
 *
 * @typedef {(state: State, act: Actions, dialog: Dialog) => Sheet} Window
 */
import { t } from "../i18n.js";
import { window } from "../state/app.js";
import { h, takeFocus } from "./dom.js";
import { icon } from "./icons.js";

/** @type {Record<string, Window> | null} Those that any page may open: fetched with the first. */
let common = null;

let isComing = false;

/** @param {Actions} act */
async function fetchCommon(act) {
  if (common || isComing) return;
  isComing = true;
  try {
    common = (await import("./windows.js")).windows;
    act.redraw();
  } catch {
    act.close();
    act.notice(t("error.offline"));
  } finally {
    isComing = false;
  }
}

/** What a window that the position itself opens remembers. @type {Dialog} */
const POSITION = { name: "help", busy: false, error: null, data: {} };

/** Whether what presses the screen came down beside the window that is open. */
let beside = false;

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Record<string, Window>} [own] The windows of the page that is shown, which come before the common ones.
 * @param {Child} [passing] What is said in passing.
 */
export function dialog(state, act, own = {}, passing = null) {
  const opened = state.dialog;
  const name = opened?.name ?? window(state);
  if (!name) return [];
  const make = own[name] ?? common?.[name];
  if (!make) {
    fetchCommon(act);
    return [];
  }
  const { title, body } = make(state, act, opened ?? POSITION);
  const props = {
    key: name,
    class: `sheet ${name}`,
    "aria-labelledby": "dialog-title",
    created: (/** @type {HTMLDialogElement} */ element) => element.showModal(),
    removed: (/** @type {HTMLDialogElement} */ element) => {
      element.close();
      takeFocus(document.getElementById("main"));
    },
    oncancel: (/** @type {Event} */ event) => {
      event.preventDefault();
      act.close();
    },
    onpointerdown: (/** @type {MouseEvent} */ event) => {
      beside = isBeside(event);
    },
    // Not as soon as it is pressed: the tap would go on to end on what lies beneath.
    onclick: (/** @type {MouseEvent} */ event) => {
      if (beside && isBeside(event)) act.close();
    },
  };
  const closer = h(
    "button",
    { type: "button", class: "tool close", "aria-label": t("dialog.close"), onclick: act.close },
    icon("close"),
  );
  return [
    h(
      "dialog",
      props,
      h("div", { class: "inside" }, h("header", null, h("h2", { id: "dialog-title" }, title), closer), body),
      passing,
    ),
  ];
}

/**
 * Whether an event is on the veil beside a window, and not on its own frame or scroll bar.
 *
 * @param {MouseEvent} event
 */
function isBeside({ target, currentTarget, clientX: x, clientY: y }) {
  const { left, right, top, bottom } = /** @type {Element} */ (currentTarget).getBoundingClientRect();
  return target === currentTarget && (x < left || x > right || y < top || y > bottom);
}
