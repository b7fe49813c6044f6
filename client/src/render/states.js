// @ts-check
/** What stands where a page can't be shown. */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/** @type {Record<string, import("./icons.js").IconName>} */
const SIGNS = { not_found: "help", not_yet: "lock", not_your_game: "lock", not_signed_in: "user" };

/**
 * A page in whose place that stands.
 *
 * @param {string} code An error code.
 * @param {import("../actions/actions.js").Actions} act
 */
export function instead(code, act) {
  return { ...(code === "not_found" && { title: t("title.missing") }), main: trouble(code, act) };
}

/**
 * @param {string} code An error code.
 * @param {import("../actions/actions.js").Actions} act
 */
export function trouble(code, act) {
  const known = code in SIGNS;
  return h(
    "section",
    { class: "blank" },
    h("div", { class: "sign" }, icon(SIGNS[code] ?? "cloud")),
    h("h1", null, t(known ? `trouble.${code}` : "trouble.unavailable")),
    h("p", null, t(`error.${code}`)),
    h(
      "div",
      { class: "actions" },
      !known &&
        h(
          "button",
          { type: "button", class: "primary", onclick: () => act.retry() },
          icon("again"),
          t("trouble.retry"),
        ),
      h("a", { class: known ? "button primary" : "button", href: "/" }, t("trouble.home")),
    ),
  );
}
