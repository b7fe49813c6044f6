// @ts-check
/**
 * What everybody may know of a player.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/wire.js").Profile} Profile
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { dayName, number, t } from "../i18n.js";
import { calendar } from "../render/calendar.js";
import { h } from "../render/dom.js";
import { icon } from "../render/icons.js";
import { shelf } from "../render/shelf.js";
import { instead } from "../render/states.js";
import { isOwnProfile } from "../state/app.js";
import { dateAt } from "../state/days.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function player(state, act) {
  const { profile } = state;
  if (profile?.trouble === "not_found") return { title: t("title.missing"), main: nobody() };
  if (profile?.trouble) return instead(profile.trouble, act);
  if (!profile?.told) return { main: h("div", { class: "day ghosts", role: "status" }, t("dialog.loading")) };
  const { told } = profile;
  const today = dateAt(Date.now() - state.skew);
  return {
    title: t("title.player", { name: told.user.name }),
    main: h(
      "div",
      { class: "day profile" },
      h(
        "header",
        { class: "dayhead" },
        h("div", null, h("p", null, t("profile.title")), h("h1", null, told.user.name)),
      ),
      h(
        "div",
        { class: "columns" },
        h(
          "div",
          null,
          figures(told),
          kinds(told),
          ranks(told),
          isOwnProfile(state) && shelf(state, "finished", act, "#0"),
        ),
        h(
          "div",
          null,
          calendar({
            calendar: { streak: told.streak, days: told.days },
            month: state.month ?? today.slice(0, 7),
            today,
            here: null,
            turn: act.turnMonth,
          }),
        ),
      ),
    ),
  };
}

function nobody() {
  return h(
    "section",
    { class: "blank" },
    h("div", { class: "sign" }, icon("user")),
    h("h1", null, t("profile.nobody")),
    h("p", null, t("profile.nobody_text")),
    h("div", { class: "actions" }, h("a", { class: "button primary", href: "/" }, t("trouble.home"))),
  );
}

/** @param {Profile} told */
function figures({ games, wins, daily, rating }) {
  return h(
    "dl",
    { class: "tiles" },
    tile("profile.games", number(games)),
    tile("profile.wins", number(wins)),
    tile(
      "profile.rate",
      games ? t("profile.percent", { n: Math.round((100 * wins) / games) }) : t("profile.none"),
    ),
    tile("profile.daily", t("profile.of", { n: daily.wins, all: daily.games })),
    rating && tile("profile.rating", number(Math.round(rating.mu * 10) / 10)),
  );
}

/**
 * @param {string} key
 * @param {string} value
 */
function tile(key, value) {
  return h("div", null, h("dt", null, t(key)), h("dd", null, value));
}

/** @param {Profile} told */
function kinds({ by_game }) {
  const all = Object.entries(by_game);
  if (all.length < 2 && !by_game.hearts) return null;
  return h(
    "section",
    { class: "plate", "aria-labelledby": "kinds" },
    h("h2", { id: "kinds" }, t("profile.kinds")),
    h(
      "ul",
      { class: "lines" },
      all.map(([game, { games, wins }]) =>
        h(
          "li",
          { key: game },
          h("strong", null, t(`game.${game}`)),
          h("span", null, t("profile.tally", { n: games, wins })),
        ),
      ),
    ),
  );
}

/** @param {Profile} told */
function ranks({ best_ranks }) {
  return h(
    "section",
    { class: "plate", "aria-labelledby": "ranks" },
    h("h2", { id: "ranks" }, t("profile.ranks")),
    best_ranks.length
      ? h(
          "ol",
          { class: "lines" },
          best_ranks.map(({ date, rank }) =>
            h(
              "li",
              { key: date },
              h("strong", null, t("profile.rank", { n: rank })),
              h("a", { href: `/daily/${date}` }, dayName(date)),
            ),
          ),
        )
      : h("p", { class: "empty" }, t("profile.no_ranks")),
  );
}
