// @ts-check
/**
 * The score sheet of a game of Hearts: hand by hand, and the course of the totals.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 */
import { gain, minus, who } from "../../heartswords.js";
import { list, number, t } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { h } from "../dom.js";

/** The drawing of the course: its size, and what its edges leave free. */
const WIDE = 400;
/** On a phone, where the names would become too small otherwise, in a window of less than this. */
const NARROW = 280;
const PHONE = 480;
const TALL = 170;
const LEFT = 30;
const RIGHT = 96;
const EDGE = 10;

/** Between the names at the ends of the lines. */
const LINE = 15;

/** @param {HeartsView} view */
export function scores(view) {
  return [
    h("p", { class: "hint" }, t("hearts.score.until", { n: Number(view.options.target) })),
    sheet(view),
    view.scores.length > 0 && course(view),
  ];
}

/** @param {HeartsView} view */
function sheet(view) {
  const { scores: rows, points, totals, players, status } = view;
  const seats = players.map((_, seat) => seat);
  const numbers = (/** @type {number[]} */ row) => seats.map(seat => h("td", null, minus(row[seat] ?? 0)));
  return h(
    "div",
    {
      class: "score-sheet",
      tabindex: 0,
      role: "region",
      "aria-label": t("hearts.score.title"),
      created: (/** @type {HTMLElement} */ element) => element.scrollTo(0, element.scrollHeight),
    },
    h(
      "table",
      { class: players.length > 5 ? "many" : "" },
      h(
        "thead",
        null,
        h(
          "tr",
          null,
          h("th", { scope: "col" }, t("hearts.info.hand")),
          seats.map(seat =>
            h(
              "th",
              { scope: "col", class: seat === view.you ? "own" : "" },
              h("span", null, who(view, seat)),
            ),
          ),
        ),
      ),
      h(
        "tbody",
        null,
        rows.map((row, i) => h("tr", null, h("th", { scope: "row" }, number(i + 1)), numbers(row))),
        hearts.isOn(status) &&
          h(
            "tr",
            { class: "present" },
            h("th", { scope: "row" }, number(rows.length + 1)),
            seats.map(seat => h("td", null, points[seat] ? gain(points[seat]) : "·")),
          ),
      ),
      h("tfoot", null, h("tr", null, h("th", { scope: "row" }, t("hearts.score.total")), numbers(totals))),
    ),
  );
}

/**
 * The totals as lines over the hands.
 *
 * @param {HeartsView} view
 */
function course(view) {
  const { scores: rows, totals, options, you } = view;
  const target = Number(options.target);
  const wide = innerWidth < PHONE ? NARROW : WIDE;
  const lines = totals.map((_, seat) => sums(rows.map(row => row[seat] ?? 0)));
  const all = lines.flat();
  const top = Math.max(target, ...all);
  const bottom = Math.min(0, ...all);
  const x = (/** @type {number} */ hand) => LEFT + (hand / rows.length) * (wide - LEFT - RIGHT);
  const y = (/** @type {number} */ n) => EDGE + ((top - n) / (top - bottom)) * (TALL - 2 * EDGE);
  const label = list(
    totals.map((n, seat) => t("hearts.said.points", { name: who(view, seat), points: minus(n) })),
  );
  return h(
    "svg",
    {
      class: "totals",
      viewBox: `0 0 ${wide} ${TALL}`,
      role: "img",
      "aria-label": `${t("hearts.score.course")}: ${label}`,
    },
    [target, 0].map(n => [
      h("path", { class: "level", d: `M${LEFT} ${y(n)}H${wide - RIGHT}` }),
      h("text", { class: "scale", x: LEFT - 5, y: y(n) + 4 }, number(n)),
    ]),
    lines.map((line, seat) =>
      h("path", { class: kind(seat, you), d: `M${line.map((n, hand) => `${x(hand)} ${y(n)}`).join("L")}` }),
    ),
    apart(totals.map(y)).map((at, seat) =>
      h("text", { class: kind(seat, you), x: wide - RIGHT + 8, y: at + 4 }, shortened(who(view, seat))),
    ),
  );
}

/**
 * @param {number} seat
 * @param {number | null} you
 */
function kind(seat, you) {
  return `line-${seat}${seat === you ? " own" : ""}`;
}

/** @param {string} name */
function shortened(name) {
  const letters = [...name];
  return letters.length > 11 ? `${letters.slice(0, 10).join("")}…` : name;
}

/**
 * @param {number[]} row
 * @returns {number[]} The sum before the first, and after each.
 */
function sums(row) {
  let sum = 0;
  return [0, ...row.map(n => (sum += n))];
}

/**
 * Heights moved as little as is needed for a line of text at each.
 *
 * @param {number[]} heights
 */
function apart(heights) {
  const order = heights.map((_, i) => i).sort((one, other) => (heights[one] ?? 0) - (heights[other] ?? 0));
  const placed = heights.slice();
  let least = EDGE;
  for (const i of order) {
    placed[i] = Math.max(least, placed[i] ?? 0);
    least = placed[i] + LINE;
  }
  const over = least - LINE - (TALL - EDGE);
  if (over <= 0) return placed;
  let most = TALL - EDGE;
  for (const i of order.toReversed()) {
    placed[i] = Math.min(most, placed[i] ?? 0);
    most = placed[i] - LINE;
  }
  return placed;
}
