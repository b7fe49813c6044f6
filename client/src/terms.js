// @ts-check
/**
 * What is played at a table of Hearts, in words.
 *
 * @typedef {import("./state/wire.js").Player} Player
 * @typedef {{[name: string]: string | number}} Options
 */
import { t } from "./i18n.js";
import { DEFAULTS } from "./state/lobby.js";

/**
 * In a line. What is as usual goes without saying, but for the points that end it.
 *
 * @param {Options} options
 */
export function terms({ variant, target, moon, turn_seconds }) {
  return inLine([
    variant !== DEFAULTS.variant && t(`hearts.variant.${variant}`),
    t("hearts.option.target", { n: Number(target) }),
    moon !== DEFAULTS.moon && t(`hearts.option.moon_${moon}`),
    turn_seconds !== DEFAULTS.turn_seconds && pace(Number(turn_seconds)),
  ]);
}

/**
 * A line that breaks between its parts only.
 *
 * @param {(string | false)[]} parts
 */
export function inLine(parts) {
  return parts
    .filter(part => part !== false)
    .map(part => part.replaceAll(" ", "\u00a0").replaceAll("-", "\u2011"))
    .join("\u00a0· ");
}

/** @param {number} seconds For a turn. */
export function pace(seconds) {
  return seconds ? t("hearts.option.seconds", { n: seconds }) : t("hearts.option.unlimited");
}

/** @param {Player | null | undefined} player */
export function called(player) {
  return player?.user?.name ?? player?.bot?.name ?? t("hearts.wait.free");
}
