// @ts-check
/**
 * The first page: play at once, and the own games.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").List} List
 * @typedef {import("../state/wire.js").Summary} Summary
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { ago, t } from "../i18n.js";
import { dayCard } from "./daycard.js";
import { h } from "./dom.js";
import { picture } from "./faces.js";
import { icon } from "./icons.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function home(state, act) {
  const { playing, finished } = state.lists;
  return {
    main: [
      hero(state, act),
      dayCard(state, act),
      shelf(state, "playing", playing, act),
      shelf(state, "finished", finished, act),
      h("p", { class: "aside" }, h("a", { href: "/replay" }, t("home.record"))),
    ],
  };
}

/**
 * @param {State} state
 * @param {Actions} act
 */
function hero(state, act) {
  const last = state.lists.playing.games[0];
  const deal = { type: "button", onclick: () => act.newGame(), disabled: state.starting };
  return h(
    "section",
    { class: "hero" },
    h("div", { class: "fan", "aria-hidden": "true", created: fan }),
    h("h1", null, t("home.title")),
    h("p", null, t("home.lead")),
    h(
      "div",
      { class: "actions" },
      last &&
        h("a", { class: "button primary large", href: `/games/${last.id}` }, icon("play"), t("home.resume")),
      last
        ? h("button", { class: "large", ...deal }, icon("plus"), t("home.new"))
        : h("button", { class: "primary large", ...deal }, icon("play"), t("home.play")),
      h("button", { type: "button", class: "quiet large", onclick: () => act.open("code") }, t("home.code")),
    ),
  );
}

/** @param {HTMLElement} element */
function fan(element) {
  for (const card of ["QH", "AH", "KH"]) {
    const face = document.createElement("span");
    face.className = "still-card";
    face.append(picture(card));
    element.append(face);
  }
}

/**
 * @param {State} state
 * @param {"playing" | "finished"} which
 * @param {List} list
 * @param {Actions} act
 */
function shelf({ me }, which, list, act) {
  if (!me && list.state !== "failed") return null;
  if (which === "finished" && list.state === "ready" && !list.games.length) return null;
  return h(
    "section",
    { class: "shelf", key: which, "aria-labelledby": `shelf-${which}` },
    h("h2", { id: `shelf-${which}` }, t(`home.${which}`)),
    contents(which, list, act),
    list.next &&
      h(
        "button",
        {
          type: "button",
          class: "more",
          disabled: list.state === "loading",
          onclick: () => act.list(which, true),
        },
        t("home.more"),
      ),
  );
}

/**
 * @param {"playing" | "finished"} which
 * @param {List} list
 * @param {Actions} act
 */
function contents(which, list, act) {
  if (list.games.length) return h("ul", { class: "games" }, list.games.map(entry));
  if (list.state === "failed") {
    return h(
      "p",
      { class: "empty" },
      t("home.failed"),
      h("button", { type: "button", onclick: () => act.list(which) }, icon("again"), t("trouble.retry")),
    );
  }
  if (list.state === "ready") return h("p", { class: "empty" }, t("home.empty"));
  return h("div", { class: "games ghosts", "aria-hidden": "true" }, h("span"), h("span"), h("span"));
}

/** @param {Summary} game */
function entry(game) {
  return h(
    "li",
    { key: game.id },
    h(
      "a",
      { href: `/games/${game.id}`, class: `game ${game.status}` },
      h(
        "span",
        { class: "meter", "aria-hidden": "true", created: gauge(game), key: game.score },
        icon("check"),
      ),
      h(
        "span",
        { class: "what" },
        h("strong", null, t(`status.${game.status}`)),
        h("span", { class: "code" }, game.deal),
      ),
      h(
        "span",
        { class: "figures" },
        t("ending.points", { n: game.score }),
        " · ",
        t("ending.moves", { n: game.ply }),
      ),
      h("span", { class: "when" }, ago(game.finished_at ?? game.created_at)),
    ),
  );
}

/**
 * How much of the heart has left it, as the filling of a ring.
 *
 * @param {Summary} game
 */
function gauge({ score }) {
  return (/** @type {HTMLElement} */ element) => element.style.setProperty("--part", String(score / 250));
}
