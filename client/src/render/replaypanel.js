// @ts-check
/**
 * Beside the table of a replay, or on a small window in its place: whose game it was, its moves, and what can
 * be done with it.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/replay.js").Replay} Replay
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("./replayed.js").Replayed} Replayed
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { day, dayName, list, t } from "../i18n.js";
import { isOpenDay } from "../state/days.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { letGo } from "./playback.js";
import { told } from "./replayed.js";
import "./movelist.js";
import { wrongRecord } from "./verdict.js";

/**
 * @param {State} state
 * @param {Replay} replay
 * @param {Replayed} kind
 * @param {Actions} act
 */
export function panel(state, replay, kind, act) {
  const end = replay.end ?? replay.views[replay.length ?? 0];
  return h(
    "aside",
    { class: replay.listed ? "panel open" : "panel", "aria-label": t("replay.moves"), onclick: letGo },
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
 * @param {string[]} names Of those who played, by seat.
 */
export function verdict({ ok, problem }, names) {
  if (ok) return h("p", { class: "verdict right" }, icon("check"), t("record.right"));
  return problem && wrongRecord(problem, names);
}

/**
 * Who played, by seat.
 *
 * @param {View} view
 */
export function namesOf({ players }) {
  return players.map(({ user, bot }) => user?.name ?? bot?.name ?? t("replay.nobody"));
}

/**
 * @param {Replay} replay
 * @param {View} end
 * @param {Replayed} kind
 * @param {Actions} act
 */
function about(replay, end, kind, act) {
  const code = kind.code?.(end);
  // Of a record that is wrong nobody knows how its game ended.
  const known = replay.finding?.ok !== false;
  const names = list(namesOf(end));
  const title = known && kind.standings ? kind.outcome(end) : names;
  return h(
    "header",
    null,
    h("h2", null, replay.day ? t("replay.perfect") : title),
    known && h("p", null, kind.standings?.(end) ?? kind.outcome(end)),
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
