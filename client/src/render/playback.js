// @ts-check
/**
 * What a replay is steered with: the move in words, the curve with the slider on it, the buttons.
 *
 * @typedef {import("../state/replay.js").Replay} Replay
 * @typedef {import("./replayed.js").Replayed} Replayed
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { t } from "../i18n.js";
import { curve } from "./curve.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { told } from "./replayed.js";
import { step } from "./step.js";

/**
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
export function playback(replay, kind, act) {
  const { at, views, running } = replay;
  const length = replay.length ?? 0;
  const row = told(replay, kind, at);
  const place = t("replay.place", { n: at, all: length });
  return h(
    "section",
    { class: "playback", "aria-label": t("replay.player"), onclick: letGo },
    h(
      "p",
      { class: "words", role: "status", "aria-live": running ? "off" : "polite" },
      h("span", null, row?.words ?? t("replay.awaited")),
      h("span", { class: "place" }, place),
    ),
    replay.trouble && again(replay.trouble, act),
    h(
      "div",
      { class: "course" },
      curve({ heights: views.map(view => view && kind.heights(view)), length, full: kind.full, at }),
      h("input", {
        type: "range",
        min: 0,
        max: length,
        value: String(at),
        "aria-label": t("step.slider"),
        "aria-valuetext": `${place}: ${row?.words ?? t("replay.awaited")}`,
        oninput: (/** @type {Event} */ event) =>
          act.turn(Number(/** @type {HTMLInputElement} */ (event.target).value)),
      }),
    ),
    buttons(replay, length, act),
  );
}

/**
 * @param {Replay} replay
 * @param {number} length
 * @param {Actions} act
 */
function buttons({ at, running, speed, listed }, length, act) {
  return h(
    "div",
    { class: "keysrow" },
    step("first", at > 0, () => act.turn(0)),
    step("back", at > 0, () => act.turn(at - 1)),
    h(
      "button",
      {
        type: "button",
        class: "tool run",
        "aria-label": t(running ? "step.pause" : "step.auto"),
        disabled: !length,
        onclick: act.playOrPause,
      },
      icon(running ? "pause" : "play"),
    ),
    step("forward", at < length, () => act.turn(at + 1)),
    step("last", at < length, () => act.turn(length)),
    h(
      "button",
      {
        type: "button",
        class: "tool speed",
        "aria-label": t("replay.speed", { n: speed }),
        onclick: act.faster,
      },
      t("replay.times", { n: speed }),
    ),
    h(
      "button",
      {
        type: "button",
        class: "tool moves",
        "aria-label": t("replay.moves"),
        "aria-pressed": String(listed),
        onclick: () => act.showMoves(!listed),
      },
      icon("list"),
    ),
  );
}

/**
 * Lets the keys be those of the replay again after a click, which leaves the focus on what was clicked.
 *
 * @param {PointerEvent} event
 */
export function letGo({ detail: clicks }) {
  const { activeElement } = document;
  if (clicks && activeElement instanceof HTMLElement && activeElement.matches("button, [type=range]"))
    activeElement.blur();
}

/**
 * @param {string} code
 * @param {Actions} act
 */
function again(code, act) {
  return h(
    "p",
    { class: "error", role: "alert" },
    t(`error.${code}`),
    h("button", { type: "button", onclick: act.fetchOn }, t("trouble.retry")),
  );
}
