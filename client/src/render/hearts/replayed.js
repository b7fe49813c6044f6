// @ts-check
/**
 * A game of Hearts that is looked back over: all hands open, or as one seat saw it.
 *
 * @typedef {import("../../state/wire.js").View} View
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../replayed.js").Replayed} Replayed
 */
import { name as cardName } from "../../cards.js";
import { minus, moved, nameOf, outcome } from "../../heartswords.js";
import { t } from "../../i18n.js";
import { heartsOf, standings, taken } from "../../state/hearts.js";
import { h } from "../dom.js";
import { figures, line } from "./figures.js";
import { middle } from "./middle.js";
import { seatBox, seats } from "./seats.js";
import "./table.js";

/** @type {Replayed} */
export const hearts = {
  name: view => t("hearts.heading", { n: view.players.length }),
  table: (view, seat) => table(strangers(view), seat),
  figures: view => figures(heartsOf(view)),
  words: (before, view, seat) => moved(before && strangers(before), strangers(view), seat),
  took: () => null,
  heights: view => {
    const points = taken(heartsOf(view));
    return heartsOf(view).totals.map((total, seat) => total + (points[seat] ?? 0));
  },
  full: null,
  eyes: view => [
    { seat: null, label: t("hearts.replay.open") },
    ...view.players.map((_, seat) => ({ seat, label: nameOf(heartsOf(view), seat) })),
  ],
  outcome: end => outcome(strangers(end)),
  standings: end => {
    const view = strangers(end);
    return line(
      standings(view).map(({ seat, total }) =>
        t("hearts.said.points", { name: nameOf(view, seat), points: minus(total) }),
      ),
    );
  },
  code: null,
};

/**
 * The view in which nobody is "you": a game is looked back over from outside.
 *
 * @param {View} view
 */
function strangers(view) {
  return { ...heartsOf(view), you: null, legal: [] };
}

/**
 * @param {HeartsView} view
 * @param {number | null} seat
 */
function table(view, seat) {
  const bottom = seat ?? 0;
  const hands = view.players.map((_, each) =>
    seat === null || each === seat ? (view.hands?.[each] ?? null) : null,
  );
  return h("hearts-table", {
    model: {
      view,
      bottom,
      hand: hands[bottom] ?? [],
      open: seat === null,
      step: true,
      live: false,
      lifted: [],
      sent: null,
      seats: seats(view, 0, hands),
      message: [h("ul", { class: "mine" }, seatBox(view, bottom, 0))],
      middle: middle(view),
      label: cardName,
    },
  });
}
