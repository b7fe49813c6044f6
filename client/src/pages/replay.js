// @ts-check
/**
 * A game to look back over, move by move. What a game's table looks like is told by render/replayed.js.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/replay.js").Replay} Replay
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { t } from "../i18n.js";
import { h } from "../render/dom.js";
import { icon } from "../render/icons.js";
import { playback } from "../render/playback.js";
import { fetchAgain, isLost, replayed } from "../render/replayed.js";
import { namesOf, panel, verdict } from "../render/replaypanel.js";
import { instead, trouble } from "../render/states.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function replay(state, act) {
  const { replay } = state;
  const view = replay?.shown;
  const kind = view && replayed(view.game, act);
  if (view && isLost(view.game))
    return { main: trouble("offline", { ...act, retry: () => fetchAgain(view.game, act) }) };
  if (!replay || !view || !kind) return replay?.trouble ? closed(replay, act) : { main: waiting() };
  return {
    title: t("title.replay", { what: kind.name(view) }),
    bar: h(
      "dl",
      { class: "info" },
      kind
        .figures(view)
        .map(each => h("div", { class: each.kind }, h("dt", null, each.label), h("dd", null, each.value))),
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
        replay.finding && !replay.day && verdict(replay.finding, namesOf(view)),
        panel(state, replay, kind, act),
      ),
    ],
    foot: playback(replay, kind, act),
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
  if (code !== "not_yet" || !end) return instead(code ?? "", act);
  const main = h(
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
  return { main };
}
