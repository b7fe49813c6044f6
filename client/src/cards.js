// @ts-check
import { t } from "./i18n.js";

/**
 * @param {string} card Rank then suit, as `TH`.
 * @returns {string} Its short written form, as `10♥`.
 */
export function short(card) {
  return `${rank(card)}${{ C: "♣", D: "♦", S: "♠" }[card[1] ?? ""] ?? "♥"}`;
}

/** @param {string} card */
export function rank(card) {
  const letter = card[0] ?? "";
  return letter === "T" ? "10" : letter;
}

/**
 * @param {string} card
 * @returns {string} Its full name, as `10 of hearts`.
 */
export function name(card) {
  return t(`suit.${card[1]}`, { rank: t(`rank.${card[0]}`) });
}
