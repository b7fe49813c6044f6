// @ts-check
/** What is wrong with a record. */
import { t, tongue } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/** How the server begins about a file that is none of its records: what follows is its decoder's own words. */
const NO_RECORD = "This is no record of a game";

/** What the server says of a move that is against the rules: the number of its seat, its text, why. */
const ILLEGAL = /^Seat (\d+) may not play (?:'.*?'|".*?"): (.*)$/s;

/**
 * What the check of a record has found: the move in words of the page, and the server's reason where it is in the
 * language of the page.
 *
 * @param {NonNullable<import("../state/replay.js").Finding["problem"]>} problem
 * @param {string[]} [names] Of those who played, by seat, if it has moves that could be played.
 */
export function wrongRecord({ move, detail }, names) {
  const isRecord = !detail.startsWith(NO_RECORD);
  const verdict = move ? t("record.wrong_move", { n: move }) : t(isRecord ? "record.wrong" : "record.unread");
  return wrong(verdict, isRecord ? reason(detail, move, names) : null);
}

/**
 * @param {string} detail
 * @param {number | null} move
 * @param {string[]} [names]
 */
function reason(detail, move, names) {
  const [, seat, why] = ILLEGAL.exec(detail) ?? [];
  const name = names?.[Number(seat)];
  const english = tongue() === "en";
  if (name) return `${t("replay.illegal", { name })}${english ? ` ${why}` : ""}`;
  if (english) return detail;
  return names && !move ? t("record.changed") : null;
}

/**
 * @param {string} verdict
 * @param {string | null} [reason]
 */
export function wrong(verdict, reason = null) {
  return h(
    "div",
    { class: "verdict wrong", role: "alert" },
    icon("flag"),
    h("p", null, verdict),
    reason && h("small", null, reason),
  );
}
