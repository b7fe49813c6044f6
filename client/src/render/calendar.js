// @ts-check
/**
 * A month of the daily deal: which days a player has won or tried; each leads to its page.
 *
 * @typedef {import("../state/wire.js").Calendar} Calendar
 * @typedef {import("../state/wire.js").TriedDay} TriedDay
 */
import { dayName, firstWeekday, number, t } from "../i18n.js";
import { later } from "../state/days.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * @param {object} given
 * @param {Calendar | null} given.calendar Null for somebody who has none.
 * @param {string} given.month As `2026-11`.
 * @param {string} given.today
 * @param {string | null} given.here The day whose page this is.
 * @param {(month: string) => void} given.turn
 */
export function calendar({ calendar, month, today, here, turn }) {
  const tries = new Map((calendar?.days ?? []).map(each => [each.date, each]));
  const first = `${month}-01`;
  const blank = (new Date(first).getUTCDay() - firstWeekday() + 7) % 7;
  const following = later(first, 31).slice(0, 7);
  const dates = Array.from({ length: 31 }, (_, i) => later(first, i)).filter(date => date.startsWith(month));
  const monday = "2024-01-01";
  return h(
    "section",
    { class: "calendar", "aria-labelledby": "calendar" },
    h(
      "header",
      null,
      turner("back", later(first, -1).slice(0, 7), turn, true),
      h("h2", { id: "calendar", "aria-live": "polite" }, dayName(first, { month: "long", year: "numeric" })),
      turner("forward", following, turn, following <= today.slice(0, 7)),
    ),
    h(
      "div",
      { class: "week", "aria-hidden": "true" },
      Array.from({ length: 7 }, (_, i) =>
        h("span", null, dayName(later(monday, firstWeekday() - 1 + i), { weekday: "narrow" })),
      ),
    ),
    h(
      "ul",
      { class: "month" },
      dates.map((date, i) =>
        h("li", { key: date, class: i ? null : `after-${blank}` }, cell(date, tries.get(date), today, here)),
      ),
    ),
    calendar &&
      h(
        "dl",
        { class: "streaks" },
        figure("streak.current", calendar.streak.current),
        figure("streak.longest", calendar.streak.longest),
      ),
  );
}

/**
 * @param {"back" | "forward"} sign
 * @param {string} month
 * @param {(month: string) => void} turn
 * @param {boolean} possible
 */
function turner(sign, month, turn, possible) {
  return h(
    "button",
    {
      type: "button",
      class: "tool",
      "aria-label": dayName(`${month}-01`, { month: "long", year: "numeric" }),
      disabled: !possible,
      onclick: () => turn(month),
    },
    icon(sign),
  );
}

/**
 * @param {string} date
 * @param {TriedDay | undefined} tried
 * @param {string} today
 * @param {string | null} here
 */
function cell(date, tried, today, here) {
  const day = number(Number(date.slice(8)));
  if (date > today) return h("span", null, day);
  const name = dayName(date, { day: "numeric", month: "long" });
  const state = tried ? (tried.won ? "won" : "tried") : "";
  const said = tried ? t(`calendar.${state}`, { n: tried.moves, score: tried.score }) : "";
  return h(
    "a",
    {
      href: `/daily/${date}`,
      class: `${state}${date === today ? " today" : ""}`,
      "aria-current": date === here && "page",
      "aria-label": said ? `${name}: ${said}` : name,
    },
    h("span", null, day),
  );
}

/**
 * @param {string} key
 * @param {number} days
 */
function figure(key, days) {
  return h("div", null, h("dt", null, t(key)), h("dd", null, t("streak.days", { n: days })));
}
