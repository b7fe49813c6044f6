// @ts-check
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { icon } from "./icons.js";

/**
 * A button that goes through the positions of a game.
 *
 * @param {import("./icons.js").IconName} sign
 * @param {boolean} possible
 * @param {() => void} onclick
 * @param {string} [name] What it does, where that is not what its sign is called.
 */
export function step(sign, possible, onclick, name = sign) {
  return h(
    "button",
    {
      type: "button",
      class: `tool step-${name}`,
      "aria-label": t(`step.${name}`),
      disabled: !possible,
      onclick,
    },
    icon(sign),
  );
}
