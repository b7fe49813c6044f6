// @ts-check
/**
 * A game to look back over, move by move. What a game's table looks like is told by render/replayed.js.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/replay.js").Replay} Replay
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("../render/replayed.js").Replayed} Replayed
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("../render/dom.js").Child} Child
 */
import { day, dayName, seconds, t } from "../i18n.js";
import { curve } from "../render/curve.js";
import { h } from "../render/dom.js";
import { icon } from "../render/icons.js";
import { REPLAYED } from "../render/replayed.js";
import { trouble } from "../render/states.js";
import { isOpenDay } from "../state/days.js";
import "../render/movelist.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function replay(state, act) {
  const { replay } = state;
  const view = replay?.shown;
  const kind = view && REPLAYED[view.game];
  if (!replay || !view || !kind) return { main: replay?.trouble ? closed(replay, act) : waiting() };
  return {
    title: t("title.replay", { what: kind.name(view) }),
    bar: h(
      "dl",
      { class: "info" },
      kind.figures(view).map(each => h("div", null, h("dt", null, each.label), h("dd", null, each.value))),
    ),
    body: "replay",
    main: [
      h("h1", { class: "unseen" }, kind.name(view)),
      h(
        "div",
        { class: "looked" },
        h(
          "div",
          { class: replay.listed ? "stage behind" : "stage", "data-ply": view.ply },
          kind.table(view, replay.seat),
        ),
        panel(state, replay, kind, act),
      ),
    ],
    foot: player(replay, kind, act),
  };
}

export function waiting() {
  return h(
    "div",
    { class: "blank", role: "status" },
    h("div", { class: "outline", "aria-hidden": "true" }, icon("recycle")),
    h("p", null, t("table.loading")),
  );
}

/**
 * @param {Replay} replay
 * @param {Actions} act
 */
function closed({ trouble: code, end, id }, act) {
  if (code !== "not_yet" || !end) return trouble(code ?? "", act);
  return h(
    "section",
    { class: "blank" },
    h("div", { class: "sign" }, icon("lock")),
    h("h1", null, t("replay.running")),
    h("p", null, t("replay.running_text")),
    h(
      "div",
      { class: "actions" },
      h("a", { class: "button primary", href: `/games/${id}` }, t("replay.watch")),
      h("a", { class: "button", href: "/" }, t("trouble.home")),
    ),
  );
}

/**
 * The move in words, the curve with the slider on it, and the buttons.
 *
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
function player(replay, kind, act) {
  const { at, views, running, speed } = replay;
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
    h(
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
          "aria-pressed": String(replay.listed),
          onclick: () => act.showMoves(!replay.listed),
        },
        icon("list"),
      ),
    ),
  );
}

/**
 * Lets the keys be those of the replay again after a click, which leaves the focus on what was clicked.
 *
 * @param {PointerEvent} event
 */
function letGo({ detail: clicks }) {
  const { activeElement } = document;
  if (clicks && activeElement instanceof HTMLElement) activeElement.blur();
}

/**
 * @param {"first" | "back" | "forward" | "last"} name
 * @param {boolean} possible
 * @param {() => void} onclick
 */
function step(name, possible, onclick) {
  return h(
    "button",
    {
      type: "button",
      class: `tool step-${name}`,
      "aria-label": t(`step.${name}`),
      disabled: !possible,
      onclick,
    },
    icon(name),
  );
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

/**
 * A row of the list: what the move was and how long it took.
 *
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {number} ply
 * @returns {import("../render/movelist.js").Row | null} Null while it is awaited.
 */
function told({ views, day: perfect }, kind, ply) {
  const view = views[ply];
  const before = views[ply - 1] ?? null;
  if (!view || (ply && !before)) return null;
  const took = before && !perfect ? kind.took(before, view) : null;
  return { words: kind.words(before, view), took: took === null ? "" : seconds(took) };
}

/**
 * Beside the table, or on a small window in its place: whose game it was, its moves, what can be done with it.
 *
 * @param {State} state
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
function panel(state, replay, kind, act) {
  const end = replay.end ?? replay.views[replay.length ?? 0];
  return h(
    "aside",
    { class: replay.listed ? "panel open" : "panel", "aria-label": t("replay.moves"), onclick: letGo },
    replay.finding && !replay.day && verdict(replay.finding),
    end && about(replay, end, kind, act),
    eyes(replay, kind, act),
    h("move-list", {
      model: {
        length: replay.length ?? 0,
        at: replay.at,
        row: (/** @type {number} */ ply) => told(replay, kind, ply),
      },
      created: (/** @type {HTMLElement} */ list) =>
        list.addEventListener("turnto", event => act.turn(/** @type {CustomEvent} */ (event).detail)),
    }),
    doings(state, replay, kind, act),
  );
}

/**
 * What the check of a record has found.
 *
 * @param {import("../state/replay.js").Finding} finding
 */
function verdict({ ok, problem }) {
  if (ok) return h("p", { class: "verdict right" }, icon("check"), t("record.right"));
  return h(
    "div",
    { class: "verdict wrong", role: "alert" },
    icon("flag"),
    h("p", null, problem?.move ? t("record.wrong_move", { n: problem.move }) : t("record.wrong")),
    h("small", { lang: "en" }, problem?.detail),
  );
}

/**
 * @param {Replay} replay
 * @param {View} end
 * @param {Replayed} kind
 * @param {Actions} act
 */
function about(replay, end, kind, act) {
  const names = end.players.map(({ user, bot }) => user?.name ?? bot?.name ?? t("replay.nobody"));
  const code = kind.code?.(end);
  return h(
    "header",
    null,
    h("h2", null, replay.day ? t("replay.perfect") : names.join(", ")),
    h("p", null, kind.outcome(end)),
    h(
      "p",
      { class: "hint" },
      replay.day ? dayName(replay.day) : day(end.finished_at ?? end.created_at),
      code && [
        " · ",
        h(
          "button",
          {
            type: "button",
            class: "copy",
            "aria-label": t("info.copy_code", { code }),
            onclick: () => act.copy(code),
          },
          h("span", null, code),
          icon("copy"),
        ),
      ],
    ),
  );
}

/**
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
function eyes(replay, kind, act) {
  const all = replay.shown ? kind.eyes(replay.shown) : [];
  if (!all.length) return null;
  return h(
    "label",
    { class: "eyes" },
    h("span", null, t("replay.seen_by")),
    h(
      "select",
      {
        onchange: (/** @type {Event} */ event) => {
          const { value } = /** @type {HTMLSelectElement} */ (event.target);
          act.seeAs(value === "" ? null : Number(value));
        },
      },
      all.map(({ seat, label }) => h("option", { value: seat ?? "", selected: seat === replay.seat }, label)),
    ),
  );
}

/**
 * @param {State} state
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
function doings(state, replay, kind, act) {
  const end = replay.end ?? replay.views[replay.length ?? 0];
  if (!end) return null;
  const secret = isOpenDay(end, Date.now() - state.skew);
  const code = secret ? null : kind.code?.(end);
  return h(
    "div",
    { class: "doings" },
    replay.id ? goingOn(state, replay, end, secret, act) : leaving(replay, act),
    code &&
      h(
        "button",
        { type: "button", disabled: state.starting, onclick: () => act.newGame(code) },
        icon("again"),
        t("ending.same"),
      ),
    replay.id && taking(replay, end, secret, act),
  );
}

/**
 * @param {State} state
 * @param {Replay} replay
 * @param {View} end
 * @param {boolean} secret Whether its day is not over.
 * @param {Actions} act
 */
function goingOn(state, { id, at, length }, end, secret, act) {
  if (secret && end.finished_at) return h("p", { class: "hint" }, t("replay.secret"));
  if (!end.finished_at) {
    return h("a", { class: "button primary", href: `/games/${id}` }, icon("play"), t("replay.table"));
  }
  const ended = at === length && end.status !== "resigned";
  return h(
    "button",
    { type: "button", class: "primary", disabled: ended || state.starting, onclick: act.branch },
    icon("branch"),
    t("replay.branch"),
  );
}

/**
 * @param {Replay} replay
 * @param {View} end
 * @param {boolean} secret
 * @param {Actions} act
 */
function taking({ id, at }, end, secret, act) {
  return h(
    "div",
    { class: "pair" },
    h(
      "button",
      { type: "button", onclick: () => act.copy(`${location.origin}/games/${id}#${at}`) },
      icon("link"),
      t("replay.share"),
    ),
    (end.finished_at || !secret) &&
      h(
        "a",
        { class: "button", href: `/api/games/${id}/record`, download: `heartline-${id}.json` },
        icon("save"),
        t("replay.record"),
      ),
  );
}

/**
 * From a record, back to where it came from.
 *
 * @param {Replay} replay
 * @param {Actions} act
 */
function leaving(replay, act) {
  if (replay.day) return h("a", { class: "button", href: `/daily/${replay.day}` }, t("daily.to_board"));
  return h("button", { type: "button", onclick: act.endReplay }, icon("save"), t("record.another"));
}
