// @ts-check
/**
 * A record from a file to look back over: the server checks it and keeps nothing.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { t } from "../i18n.js";
import { h } from "../render/dom.js";
import { icon } from "../render/icons.js";
import { wrong, wrongRecord } from "../render/verdict.js";
import { replay, waiting } from "./replay.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function record(state, act) {
  if (state.replay?.shown) return replay(state, act);
  if (state.reading?.busy && state.route.id) return { main: waiting() };
  return { title: t("title.record"), main: chooser(state, act) };
}

/**
 * @param {State} state
 * @param {Actions} act
 */
function chooser({ reading, replay }, act) {
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    open(event.dataTransfer?.files[0], act);
  };
  return h(
    "section",
    {
      class: "chooser",
      ondragover: (/** @type {DragEvent} */ event) => event.preventDefault(),
      ondrop: drop,
    },
    h("h1", null, t("record.title")),
    h("p", null, t("record.lead")),
    nothing(reading?.problem ?? null, replay?.finding?.problem ?? null),
    h(
      "label",
      { class: "drop" },
      icon("save"),
      h("span", null, t(reading?.busy ? "record.reading" : "record.choose")),
      h("small", null, t("record.drop")),
      h("input", {
        type: "file",
        accept: ".json,application/json",
        disabled: reading?.busy ?? false,
        onchange: (/** @type {Event} */ event) => {
          const input = /** @type {HTMLInputElement} */ (event.target);
          open(input.files?.[0], act);
          input.value = "";
        },
      }),
    ),
  );
}

/**
 * @param {File | undefined} file
 * @param {Actions} act
 */
async function open(file, act) {
  if (file) act.openRecord(await file.text());
}

/**
 * Why there is nothing to look at.
 *
 * @param {import("../net/problem.js").Problem | null} refused The server could not read it.
 * @param {import("../state/replay.js").Finding["problem"]} found It could, and the game does not begin.
 */
function nothing(refused, found) {
  if (refused) return wrong(t(refused.code === "bad_request" ? "record.unread" : `error.${refused.code}`));
  return found && wrongRecord(found);
}
