// @ts-check
/**
 * The wait at a table that quick play has led to, for the page of the table.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../actions/actions.js").Actions} Actions
 */
import { t } from "../i18n.js";
import { host } from "../state/lobby.js";
import { PATIENCE } from "../state/quickplay.js";
import { called } from "../terms.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";
import "./countdown.js";

/**
 * @param {State} state
 * @param {Actions} act
 */
export function quickWait({ quick, table }, act) {
  const view = table?.view;
  if (!quick || !view || quick.game !== view.id) return null;
  const first = host(view);
  const own = first?.seat === view.you;
  return h(
    "section",
    { class: "quick", "aria-label": t("quick.waiting") },
    h("h2", null, h("span", { class: "spinner", "aria-hidden": "true" }), t("quick.waiting")),
    own
      ? h(
          "p",
          null,
          t("quick.in"),
          " ",
          h("count-down", { model: { until: quick.since + PATIENCE, skew: 0 } }),
        )
      : h("p", null, t("quick.other", { name: called(first) })),
    h(
      "div",
      { class: "actions" },
      own && button("play", "quick.now", act.fillNow, "primary"),
      own && button("user", "quick.wait", act.waitOn),
      !own && button("play", "quick.alone", act.playWithBots),
    ),
  );
}

/**
 * @param {import("./icons.js").IconName} sign
 * @param {string} key
 * @param {() => void} onclick
 * @param {string} [kind]
 */
function button(sign, key, onclick, kind = "") {
  return h("button", { type: "button", class: kind, key, onclick }, icon(sign), t(key));
}
