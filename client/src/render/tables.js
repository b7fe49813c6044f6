// @ts-check
/**
 * The tables of others on the first page: those that one can sit down at, and those that one can watch.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/wire.js").Summary} Summary
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { t } from "../i18n.js";
import { freeSeats, host, tables } from "../state/lobby.js";
import { called, terms } from "../terms.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function lobby(state, act) {
  const { open, running } = tables(state.lobby, state.me);
  return [
    section("open", "lobby.title", open.length ? list(open, game => sit(state, game, act)) : nothing(state)),
    running.length > 0 && section("running", "lobby.running", list(running, watch)),
  ];
}

/**
 * @param {string} key
 * @param {string} title
 * @param {import("./dom.js").Child} contents
 */
function section(key, title, contents) {
  return h(
    "section",
    { class: "shelf", key, "aria-labelledby": `shelf-${key}` },
    h("h2", { id: `shelf-${key}` }, t(title)),
    contents,
  );
}

/** @param {State} state */
function nothing({ lobby: { games, trouble } }) {
  if (games) return h("p", { class: "empty" }, t("lobby.none"));
  if (trouble) return h("p", { class: "empty" }, t("lobby.failed"));
  return h("div", { class: "games ghosts", "aria-hidden": "true" }, h("span"));
}

/**
 * @param {Summary[]} games
 * @param {(game: Summary) => import("./dom.js").Child} doing
 */
function list(games, doing) {
  return h(
    "ul",
    { class: "games" },
    games.map(game =>
      h(
        "li",
        { key: game.id, class: "game table", "data-game": game.id },
        h(
          "span",
          { class: "what" },
          h("strong", null, t("hearts.wait.title", { name: called(host(game)) })),
          h("span", { class: "code" }, terms(game.options)),
        ),
        seats(game),
        doing(game),
      ),
    ),
  );
}

/** @param {Summary} game */
function seats(game) {
  const { players } = game;
  return h(
    "span",
    {
      class: "seats",
      role: "img",
      "aria-label": t("lobby.seats", { n: players.length - freeSeats(game), all: players.length }),
    },
    players.map(({ user, bot }) =>
      h("span", { class: user ? "person" : bot ? "bot" : "free", title: user?.name ?? bot?.name }),
    ),
  );
}

/**
 * @param {State} state
 * @param {Summary} game
 * @param {Actions} act
 */
function sit({ starting }, game, act) {
  return h(
    "button",
    {
      type: "button",
      class: "button",
      disabled: starting,
      "aria-label": t("lobby.sit_with", { name: called(host(game)) }),
      onclick: () => act.sitDown(game.id),
    },
    t("lobby.sit"),
  );
}

/** @param {Summary} game */
function watch(game) {
  return h(
    "a",
    {
      class: "button",
      href: `/games/${game.id}`,
      "aria-label": t("lobby.watch_of", { name: called(host(game)) }),
    },
    icon("eye"),
    t("lobby.watch"),
  );
}
