// @ts-check
/**
 * The own games.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").List} List
 * @typedef {import("../state/wire.js").Summary} Summary
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { ago, number, t } from "../i18n.js";
import { freeSeats } from "../state/lobby.js";
import { called, terms } from "../terms.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @param {State} state
 * @param {"playing" | "finished"} which
 * @param {Actions} act
 * @param {string} [at] Where in a game its link leads, as `#0`.
 */
export function shelf(state, which, act, at = "") {
  const list = state.lists[which];
  if (!state.me && list.state !== "failed") return null;
  if (state.starting && list.state === "new") return null;
  if (which === "finished" && list.state === "ready" && !list.games.length) return null;
  return h(
    "section",
    { class: "shelf", key: which, "aria-labelledby": `shelf-${which}` },
    h("h2", { id: `shelf-${which}` }, t(`home.${which}`)),
    contents(state, which, list, act, at),
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
 * @param {State} state
 * @param {"playing" | "finished"} which
 * @param {List} list
 * @param {Actions} act
 * @param {string} at
 */
function contents(state, which, list, act, at) {
  if (list.games.length)
    return h(
      "ul",
      { class: "games" },
      list.games.map(game => entry(state, game, at)),
    );
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

/**
 * @param {State} state
 * @param {Summary} game
 * @param {string} at
 */
function entry(state, game, at) {
  const shown = game.game === "hearts" ? table(state, game) : heart(game);
  return h(
    "li",
    { key: game.id },
    h(
      "a",
      { href: `/games/${game.id}${at}`, class: `game ${game.game} status-${game.status}` },
      h(
        "span",
        { class: "meter", "aria-hidden": "true", created: gauge(shown.part), key: shown.part },
        icon(shown.sign),
      ),
      h(
        "span",
        { class: "what" },
        h("strong", null, shown.title),
        h("span", { class: "code" }, shown.detail),
      ),
      h("span", { class: "figures" }, shown.figures),
      h("span", { class: "when" }, ago(game.finished_at ?? game.created_at, Date.now() - state.skew)),
    ),
  );
}

/**
 * @typedef {object} Line
 * @property {string} title
 * @property {string} detail
 * @property {string} figures
 * @property {number} part How much of it is played.
 * @property {import("./icons.js").IconName} sign
 *
 * @param {Summary} game
 * @returns {Line}
 */
function heart({ status, deal, score, ply }) {
  return {
    title: t(`status.${status}`),
    detail: deal,
    figures: `${t("ending.points", { n: score })} · ${t("ending.moves", { n: ply })}`,
    part: score / 250,
    sign: "check",
  };
}

/**
 * @param {State} state
 * @param {Summary} game
 * @returns {Line}
 */
function table({ me, turns }, game) {
  const { id, status, players, totals, options } = game;
  const seats = t("lobby.seats", { n: players.length - freeSeats(game), all: players.length });
  const points = players.map(player => {
    const own = player.user && player.user.id === me?.id;
    const name = own ? t("hearts.you") : called(player);
    return t("lobby.total", { name, total: number(totals[player.seat] ?? 0).replace("-", "−") });
  });
  return {
    title: onTurn(turns[id] ?? null, game) ?? t(`status.${status}`),
    detail: `${t("game.hearts")} · ${terms(options)}`,
    figures: status === "waiting" ? seats : points.join(" · "),
    part: Math.min(1, Math.max(0, ...totals) / Number(options.target)),
    sign: "spade",
  };
}

/**
 * @param {{turn: number[], you: number | null} | null} asked
 * @param {Summary} game
 */
function onTurn(asked, { status, players }) {
  if (!asked?.turn.length || status === "finished") return null;
  const own = asked.you !== null && asked.turn.includes(asked.you);
  // In the place of who has given up a bot plays.
  if (own) return players[asked.you ?? 0]?.resigned ? null : t("lobby.your_turn");
  if (status !== "playing") return null;
  return t("hearts.prompt.turn", { name: called(players[asked.turn[0] ?? 0]) });
}

/**
 * How much is played, as the filling of a ring.
 *
 * @param {number} part
 */
function gauge(part) {
  return (/** @type {HTMLElement} */ element) => element.style.setProperty("--part", String(part));
}
