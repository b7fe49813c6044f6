// @ts-check
/**
 * How to play Heart to Heart, with an example game. The steps of the example are this page's own affair.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("../state/wire.js").View} View
 */
import { t } from "../i18n.js";
import { h } from "../render/dom.js";
import { icon } from "../render/icons.js";
import { step } from "../render/step.js";
import { unbroken } from "../render/unbroken.js";
import "../render/board.js";
import { moved } from "../words.js";
import { chapter, head } from "./chapters.js";
import { load } from "./example.js";

/** Between two moves of the example when it plays by itself, in milliseconds. */
const PACE = 900;

/** @type {{views: View[] | null, at: number, timer: ReturnType<typeof setInterval> | undefined}} */
const example = { views: null, at: 0, timer: undefined };

/** @param {string} key */
const say = key => t(`rules.${key}`);

/**
 * @param {State} _
 * @param {Actions} act
 */
export function rules(_, act) {
  if (!example.views) fetchExample(act);
  return {
    title: t("title.rules"),
    main: h(
      "article",
      { class: "rules", removed: pause },
      head("heart-to-heart", say),
      chapter(say, "deal", 2, picture("rules.deal.picture", 0)),
      chapter(say, "free", 2, picture("rules.free.picture", 10)),
      chapter(say, "pairs", 1, picture("rules.pairs.picture", 9)),
      chapter(say, "stock", 2),
      h(
        "section",
        null,
        h("h2", null, t("rules.taps.title")),
        h(
          "ul",
          { class: "points" },
          [1, 2, 3, 4].map(n => h("li", null, t(`rules.taps.${n}`))),
        ),
      ),
      chapter(say, "score", 1),
      chapter(say, "end", 2),
      chapter(say, "more", 3),
      stepper(act),
    ),
  };
}

/**
 * @param {string} caption
 * @param {number} ply Which position of the example it shows.
 */
function picture(caption, ply) {
  const view = example.views?.[ply];
  return h(
    "figure",
    null,
    h("div", { class: "picture", inert: true }, view && still({ ...view, id: caption, revision: 1 })),
    h("figcaption", null, t(caption)),
  );
}

/**
 * @param {View} view
 */
function still(view) {
  const outlined = new Set(view.free);
  return h("heart-board", {
    model: { view, selected: null, sent: null, outlined, matching: null, live: false },
  });
}

/** @param {Actions} act */
function stepper(act) {
  const { views, at, timer } = example;
  const last = Math.max(0, (views?.length ?? 0) - 1);
  const view = views?.[at];
  return h(
    "section",
    { class: "example", "aria-labelledby": "example" },
    h("h2", { id: "example" }, t("rules.example.title")),
    h("p", null, unbroken(t("rules.example.lead"))),
    h("div", { class: "picture", inert: true }, view && still(view)),
    h(
      "div",
      { class: "stepper" },
      h(
        "p",
        { class: "words", role: "status" },
        h("span", null, words(views, at)),
        h("span", null, t("rules.example.step", { n: at, all: last })),
      ),
      h(
        "div",
        { class: "keysrow" },
        step("first", at > 0, () => turn(0, act)),
        step("back", at > 0, () => turn(at - 1, act)),
        h("input", {
          type: "range",
          min: 0,
          max: last,
          value: String(at),
          "aria-label": t("step.slider"),
          "aria-valuetext": t("rules.example.step", { n: at, all: last }),
          oninput: (/** @type {Event} */ event) =>
            turn(Number(/** @type {HTMLInputElement} */ (event.target).value), act),
        }),
        step("forward", at < last, () => turn(at + 1, act)),
        timer === undefined
          ? step("play", at < last, () => run(act), "auto")
          : step("pause", true, () => turn(at, act)),
      ),
    ),
    h(
      "div",
      { class: "actions" },
      h(
        "button",
        { type: "button", class: "primary", onclick: () => act.newGame("HH1-N-AAAAAAM") },
        icon("plus"),
        t("rules.example.play"),
      ),
    ),
  );
}

/**
 * @param {View[] | null} views
 * @param {number} at
 */
function words(views, at) {
  const view = views?.[at];
  if (!view?.last) return t("rules.example.start");
  return moved(view.last.move, views?.[at - 1] ?? null, view);
}

/**
 * @param {number} at
 * @param {Actions} act
 */
function turn(at, act) {
  pause();
  example.at = at;
  act.redraw();
}

/** @param {Actions} act */
function run(act) {
  pause();
  example.timer = setInterval(() => {
    example.at += 1;
    if (example.at >= (example.views?.length ?? 1) - 1) pause();
    act.redraw();
  }, PACE);
  act.redraw();
}

function pause() {
  clearInterval(example.timer);
  example.timer = undefined;
}

/** @param {Actions} act */
async function fetchExample(act) {
  example.views = [];
  try {
    example.views = await load();
  } catch {
    example.views = null;
    return;
  }
  act.redraw();
}
