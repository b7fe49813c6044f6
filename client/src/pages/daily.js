// @ts-check
/**
 * The page of one day of the daily deal.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/days.js").Daily} Daily
 * @typedef {import("../state/wire.js").Day} Day
 * @typedef {import("../state/wire.js").TriedDay} TriedDay
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { dayName, number, t } from "../i18n.js";
import { calendar } from "../render/calendar.js";
import { failed, remaining } from "../render/daycard.js";
import { h } from "../render/dom.js";
import { histogram } from "../render/histogram.js";
import { icon } from "../render/icons.js";
import { ranking } from "../render/ranking.js";
import { instead } from "../render/states.js";
import { unbroken } from "../render/unbroken.js";
import { dateAt, isDate, later, ownState } from "../state/days.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function daily(state, act) {
  const { daily, route } = state;
  const today = dateAt(Date.now() - state.skew);
  const day = daily?.day;
  if (day) return { title: titleOf(day.date), main: whole(state, day, today, act) };
  if (isDate(route.id) && route.id > today)
    return { title: titleOf(route.id), main: ahead(state, today, act) };
  if (daily?.trouble === "not_found") return { title: t("title.missing"), main: none(today) };
  if (daily?.trouble) return instead(daily.trouble, act);
  return {
    title: t("daily.title"),
    main: h("div", { class: "day ghosts", role: "status" }, t("dialog.loading")),
  };
}

/** @param {string} today A date as an address has it. */
function none(today) {
  return h(
    "section",
    { class: "blank" },
    h("div", { class: "sign" }, icon("help")),
    h("h1", null, t("daily.no_day")),
    h("p", null, unbroken(t("daily.no_day_text", { address: `/daily/${today}` }))),
    h("div", { class: "actions" }, h("a", { class: "button primary", href: "/daily" }, t("daily.today"))),
  );
}

/** @param {string} date */
function titleOf(date) {
  return t("title.daily", { date: dayName(date) });
}

/**
 * @param {State} state
 * @param {Day} day
 * @param {string} today
 * @param {Actions} act
 */
function whole(state, day, today, act) {
  const over = Date.parse(day.closes_at) <= Date.now() - state.skew;
  const tried = state.calendar?.days.find(each => each.date === day.date) ?? null;
  return h(
    "div",
    { class: "day", key: day.date },
    heading(day.date, today),
    h(
      "div",
      { class: "columns" },
      h("div", null, own(state, day, tried, over, act), spread(day, tried, over), places(state, over, act)),
      h("div", null, months(state, day.date, today, act)),
    ),
  );
}

/**
 * @param {string} date
 * @param {string} today
 */
function heading(date, today) {
  const before = later(date, -1);
  const after = later(date, 1);
  return h(
    "header",
    { class: "dayhead" },
    h("a", { class: "tool", href: `/daily/${before}`, "aria-label": dayName(before) }, icon("back")),
    h("div", null, h("p", null, t("daily.title")), h("h1", null, dayName(date, { dateStyle: "full" }))),
    date < today
      ? h("a", { class: "tool", href: `/daily/${after}`, "aria-label": dayName(after) }, icon("forward"))
      : h("span", { class: "tool" }),
  );
}

/**
 * What the day means to the viewer: to be played, under way, or how it went.
 *
 * @param {State} state
 * @param {Day} day
 * @param {TriedDay | null} tried
 * @param {boolean} over
 * @param {Actions} act
 */
function own(state, day, tried, over, act) {
  const standing = ownState(day);
  const ended = standing === "won" || standing === "ended";
  return h(
    "section",
    { class: `try ${over ? "over" : standing}`, "aria-labelledby": "try" },
    h("h2", { id: "try" }, t(over && standing === "none" ? "daily.missed" : `daily.${standing}`)),
    ended
      ? result(state, day, tried)
      : h("p", null, t(over ? "daily.missed_text" : `daily.${standing}_text`)),
    standing === "begun" && h("p", null, t("daily.so_far", { n: day.mine?.score ?? 0 })),
    h("div", { class: "actions" }, doings(state, day, tried, over, act)),
    state.me?.guest && day.mine && !over && guest(ended, act),
    h(
      "p",
      { class: "turnout" },
      h("span", null, t("daily.players", { n: day.players })),
      h("span", null, t("daily.finished", { n: day.finished })),
      over ? h("span", null, t("daily.closed")) : remaining(day, state, act),
    ),
  );
}

/**
 * @param {State} state
 * @param {Day} day
 * @param {TriedDay | null} tried
 */
function result({ daily }, day, tried) {
  const rank = daily?.board?.me?.rank;
  return h(
    "dl",
    { class: "result" },
    tried && figure(t("info.moves"), number(tried.moves)),
    day.par !== null && figure(t("daily.par"), number(day.par)),
    figure(t("info.score"), number(day.mine?.score ?? 0)),
    rank !== undefined && figure(t("daily.rank"), t("daily.rank_of", { n: rank, all: day.finished })),
  );
}

/**
 * @param {string} label
 * @param {string} value
 */
function figure(label, value) {
  return h("div", null, h("dt", null, label), h("dd", null, value));
}

/**
 * @param {State} state
 * @param {Day} day
 * @param {TriedDay | null} tried
 * @param {boolean} over
 * @param {Actions} act
 */
function doings(state, day, tried, over, act) {
  const standing = ownState(day);
  const busy = state.starting;
  return [
    !over &&
      standing === "none" &&
      h(
        "button",
        { type: "button", class: "primary large", disabled: busy, onclick: act.playDay },
        icon("play"),
        t("daily.play"),
      ),
    !over &&
      standing === "begun" &&
      h(
        "a",
        { class: "button primary large", href: `/games/${day.mine?.id}` },
        icon("play"),
        t("daily.play_on"),
      ),
    tried &&
      (over || standing === "won" || standing === "ended") &&
      h(
        "button",
        { type: "button", class: over ? "" : "primary", onclick: () => act.copyResult(summary(day, tried)) },
        icon("copy"),
        t("daily.share"),
      ),
    over &&
      h(
        "button",
        { type: "button", class: "primary", disabled: busy, onclick: () => act.newGame(day.deal) },
        icon("again"),
        t("daily.practise"),
      ),
    day.mine?.finished_at && h("a", { class: "button", href: `/games/${day.mine.id}#0` }, t("daily.replay")),
    day.line &&
      h("a", { class: "button", href: `/replay#${day.date}` }, t("daily.line", { n: day.line.length })),
  ];
}

/**
 * @param {boolean} ended
 * @param {Actions} act
 */
function guest(ended, act) {
  return h(
    "p",
    { class: "guest" },
    h("span", null, t(ended ? "daily.guest_ended" : "daily.guest")),
    h("button", { type: "button", onclick: () => act.open("register") }, t("account.register")),
  );
}

/**
 * What is told to others: nothing that helps with the deal, with blanks as one types them.
 *
 * @param {Day} day
 * @param {TriedDay} tried
 */
function summary(day, tried) {
  const par = day.par === null ? "" : ` ${t("share.par", { n: day.par })}`;
  const line = tried.won
    ? t("share.won", { n: tried.moves })
    : t("share.tried", { n: tried.moves, score: tried.score });
  return [
    t("share.title", { date: dayName(day.date) }),
    `♥ ${line}${par}`,
    `${location.origin}/daily/${day.date}`,
  ]
    .join("\n")
    .replaceAll("\u00a0", " ");
}

/**
 * @param {Day} day
 * @param {TriedDay | null} tried
 * @param {boolean} over
 */
function spread(day, tried, over) {
  if (!day.histogram && !over && day.players) return h("p", { class: "hint later" }, t("daily.later"));
  if (!day.histogram?.length) return null;
  return h(
    "section",
    { class: "plate", "aria-labelledby": "spread" },
    h("h2", { id: "spread" }, t("histogram.title")),
    histogram(day.histogram, tried?.won ? tried.moves : null, day.par),
  );
}

/**
 * @param {State} state
 * @param {boolean} over
 * @param {Actions} act
 */
function places({ daily }, over, act) {
  return h(
    "section",
    { class: "plate", "aria-labelledby": "board" },
    h("h2", { id: "board" }, t("ranking.title")),
    daily && entries(daily, over, act),
  );
}

/**
 * @param {Daily} daily
 * @param {boolean} over
 * @param {Actions} act
 */
function entries({ board, trouble, day, whole, more: busy }, over, act) {
  if (trouble) return failed(trouble, act);
  if (!board)
    return h("div", { class: "ghosts", role: "status", "aria-label": t("dialog.loading") }, h("span"));
  if (!board.entries.length) return h("p", { class: "empty" }, t(emptiness(day?.finished ?? 0, over)));
  return ranking(board, { whole, open: over, busy, more: act.moreOfBoard });
}

/**
 * Why nobody is on a board.
 *
 * @param {number} finished Tries that have ended, those of guests among them.
 * @param {boolean} over
 */
function emptiness(finished, over) {
  if (finished) return over ? "ranking.guests_over" : "ranking.guests";
  return over ? "ranking.nobody" : "ranking.free";
}

/**
 * @param {State} state
 * @param {string} here
 * @param {string} today
 * @param {Actions} act
 */
function months(state, here, today, act) {
  return calendar({
    calendar: state.calendar,
    month: state.month ?? here.slice(0, 7),
    today,
    here,
    turn: act.turnMonth,
  });
}

/**
 * A day that has not begun.
 *
 * @param {State} state
 * @param {string} today
 * @param {Actions} act
 */
function ahead(state, today, act) {
  const { id } = state.route;
  const until = Date.parse(id);
  const soon = later(today, 1) === id;
  return h(
    "div",
    { class: "day" },
    heading(id, today),
    h(
      "section",
      { class: "try ahead" },
      h("h2", null, t("daily.ahead")),
      h("p", null, t("daily.ahead_text")),
      soon &&
        h(
          "p",
          { class: "turnout" },
          h(
            "span",
            null,
            t("daily.opens_in"),
            " ",
            h("count-down", { model: { until, skew: state.skew }, created: over(act) }),
          ),
        ),
      h("div", { class: "actions" }, h("a", { class: "button primary", href: "/daily" }, t("daily.today"))),
    ),
  );
}

/** @param {Actions} act */
function over(act) {
  return (/** @type {HTMLElement} */ element) => element.addEventListener("over", act.refreshDay);
}
