// @ts-check
/**
 * What the table says: the names of cards and places, and what has happened, in words.
 *
 * @typedef {import("./state/wire.js").View} View
 */
import { name } from "./cards.js";
import { number, t } from "./i18n.js";
import { rowOf } from "./render/layout.js";

export const heartLabel = () => t("board.heart");

/** @param {number} n */
export const count = n => number(n);

/**
 * @param {string} card
 * @param {number} position
 * @param {boolean} free
 */
export function heartCard(card, position, free) {
  return t(free ? "board.free" : "board.covered", { card: name(card), row: rowOf(position) });
}

/** @param {View} view */
export function stockLabel(view) {
  if (view.stock) return t("board.stock", { n: view.stock });
  return t(view.waste.count ? "board.stock_recycle" : "board.stock_empty");
}

/** @param {View} view */
export function wasteLabel({ waste }) {
  return waste.top ? t("board.waste", { card: name(waste.top), n: waste.count }) : t("board.waste_empty");
}

/**
 * What a change was, for those who listen instead of looking.
 *
 * @param {View | null} before
 * @param {View} after
 * @param {import("./state/wire.js").GameEvent | null} event
 */
export function happened(before, after, event) {
  if (!event) return "";
  if (event.kind === "resign") return t("said.resigned", { n: after.score });
  const move = event.move ?? "";
  const parts = [
    event.kind === "undo"
      ? t("said.undone", { move: moved(move, after, before) })
      : moved(move, before, after),
  ];
  if (event.kind !== "undo" && move.includes("-")) parts.push(t("said.score", { n: after.score }));
  if (after.status === "stuck" && before?.status !== "stuck") parts.push(t("stuck.title"));
  if (after.status === "won") parts.push(t("won.title"));
  return parts.join(" ");
}

/**
 * A move in words.
 *
 * @param {string} move
 * @param {View | null} before The position it was made in.
 * @param {View | null} after
 */
export function moved(move, before, after) {
  if (move === "draw") return t("move.draw", { card: after?.waste.top ? name(after.waste.top) : "" });
  if (move === "recycle") return t("move.recycle");
  const [one = "", other = ""] = move.split("-");
  const card = before?.heart[Number(one) - 1];
  const what = card ? t(`rank.${card[0]}`) : "";
  return t(other === "w" ? "move.waste" : "move.pair", { rank: what });
}
