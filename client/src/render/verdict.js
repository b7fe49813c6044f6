// @ts-check
/** What is wrong with a record. */
import { t, tongue } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/** How the server begins about a file that is none of its records: what follows is its decoder's own words. */
const NO_RECORD = "This is no record of a game";

/**
 * What the check of a record has found: the move in words of the page, and the server's reason where it is in the
 * language of the page.
 *
 * @param {NonNullable<import("../state/replay.js").Finding["problem"]>} problem
 * @param {boolean} [played] Whether it has moves that could be played.
 */
export function wrongRecord({ move, detail }, played = false) {
  const isRecord = !detail.startsWith(NO_RECORD);
  const verdict = move ? t("record.wrong_move", { n: move }) : t(isRecord ? "record.wrong" : "record.unread");
  const reason = isRecord && tongue() === "en" ? detail : null;
  return wrong(verdict, reason ?? (played && !move ? t("record.changed") : null));
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
