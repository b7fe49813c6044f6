// @ts-check
/**
 * The board of a day: places from the first on, and below them the viewer among his neighbours.
 *
 * @typedef {import("../state/wire.js").Board} Board
 * @typedef {import("../state/wire.js").Entry} Entry
 */
import { duration, number, t } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

const COLUMNS = /** @type {const} */ (["rank", "name", "score", "moves", "time"]);

/** So many places are shown until somebody asks for more. */
const FEW = 10;

/**
 * @param {Board} board
 * @param {object} given
 * @param {boolean} given.whole Whether all entries that are there are shown.
 * @param {boolean} given.open Whether anybody may look back over the games.
 * @param {boolean} given.busy Whether more entries are on their way.
 * @param {() => void} given.more
 */
export function ranking({ entries: all, me, around: near, next }, { whole, open, busy, more }) {
  const entries = whole ? all : all.slice(0, FEW);
  const apart = me && !entries.some(entry => entry.game === me.game);
  const around = apart ? near.filter(each => !entries.some(entry => entry.game === each.game)) : [];
  const row = (/** @type {Entry} */ entry) => place(entry, entry.game === me?.game, open);
  return [
    h(
      "table",
      { class: "ranking" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          COLUMNS.map(each => h("th", { scope: "col", class: each }, t(`ranking.${each}`))),
          open &&
            h("th", { scope: "col", class: "watch" }, h("span", { class: "unseen" }, t("ranking.watch"))),
        ),
      ),
      h("tbody", { key: "top" }, entries.map(row)),
      around.length > 0 && h("tbody", { key: "around", class: "around" }, around.map(row)),
    ),
    (next || entries.length < all.length) &&
      h("button", { type: "button", class: "more", disabled: busy, onclick: more }, t("home.more")),
  ];
}

/**
 * @param {Entry} entry
 * @param {boolean} own
 * @param {boolean} open
 */
function place({ rank, user, score, moves, clock_ms, won, game }, own, open) {
  const name = h("a", { href: `/players/${encodeURIComponent(user.name)}` }, user.name);
  return h(
    "tr",
    { key: game, class: own ? "own" : null, "data-game": game },
    h("td", { class: "rank" }, number(rank)),
    h(
      "th",
      { scope: "row", class: "name" },
      h("div", null, name, own && h("span", { class: "you" }, t("ranking.you"))),
    ),
    h("td", { class: won ? "score won" : "score" }, number(score)),
    h("td", { class: "moves" }, number(moves)),
    h("td", { class: "time" }, duration(clock_ms)),
    open &&
      h(
        "td",
        { class: "watch" },
        h(
          "a",
          {
            class: "tool",
            href: `/games/${game}#0`,
            "aria-label": t("ranking.watch_of", { name: user.name }),
          },
          icon("play"),
        ),
      ),
  );
}
