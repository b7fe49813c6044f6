// @ts-check
/**
 * What the bar above a table of Hearts tells of the game.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {{label: string, value: import("../dom.js").Child, kind?: string}} Figure
 */
import { number, t } from "../../i18n.js";
import { h } from "../dom.js";
import { sign } from "./signs.js";

/**
 * A line that breaks between its parts only: Thai could break anywhere.
 *
 * @param {string[]} parts
 */
export function line(parts) {
  return parts.map((part, i) => [h("span", { class: "part" }, part, i < parts.length - 1 && " ·"), " "]);
}

/**
 * @param {HeartsView} view
 * @returns {Figure[]}
 */
export function figures({ hand_number, pass, options, broken }) {
  /** @param {string} text */
  const word = text => h("span", { class: "word" }, text);
  return [
    { label: t("hearts.info.hand"), value: number(hand_number) },
    ...(options.variant === "cancellation"
      ? []
      : [{ label: t("hearts.info.pass"), value: [sign(pass), word(t(`hearts.pass.${pass}`))] }]),
    { label: t("hearts.info.target"), value: number(Number(options.target)) },
    {
      label: t("hearts.info.hearts"),
      value: [sign(broken ? "broken" : "whole"), word(t(broken ? "hearts.broken" : "hearts.unbroken"))],
      kind: broken ? "broken" : "",
    },
  ];
}
