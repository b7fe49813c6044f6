// @ts-check
/**
 * The seats round a table of Hearts: who sits there, what he has, whether it is his turn.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 */
import { rank, short } from "../../cards.js";
import { gain, minus, seatWords, who } from "../../heartswords.js";
import { number } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { sign } from "./signs.js";
import "../countdown.js";

/** A name of more letters is a long one. */
const LONG = 9;

/**
 * @param {HeartsView} view
 * @param {number} skew How far this device's clock is ahead of the server's, in milliseconds.
 * @param {(string[] | null)[]} hands By seat, those that are open.
 */
export function seats(view, skew, hands = []) {
  return view.players.map((_, seat) => seatBox(view, seat, skew, hands[seat] ?? null));
}

/**
 * @param {HeartsView} view
 * @param {number} seat
 * @param {number} skew
 * @param {string[] | null} hand
 */
export function seatBox(view, seat, skew, hand = null) {
  const onTurn = hearts.isOn(view.status) && view.turn.includes(seat);
  const away = hearts.isAway(view, seat);
  const names = ["sitter", onTurn && "on-turn", away && "away", seat === view.you && "own"];
  return h(
    "li",
    { class: names.filter(Boolean).join(" "), key: seat, "data-seat": seat },
    h("span", { class: "unseen" }, seatWords(view, seat)),
    h(
      "span",
      { class: "who", "aria-hidden": "true" },
      standing(view, seat),
      h("span", { class: [...who(view, seat)].length > LONG ? "name long" : "name" }, who(view, seat)),
    ),
    figures(view, seat, onTurn ? clock(view, skew) : null),
    hand && openHand(hand),
  );
}

/**
 * What marks a seat that is not just a person who plays.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
function standing(view, seat) {
  const { players, status, passed } = view;
  const player = players[seat];
  if (status === "passing" && passed[seat]) return sign("passed");
  if (player?.resigned) return icon("flag");
  if (player?.bot) return sign("bot");
  return hearts.isAway(view, seat) ? sign("away") : null;
}

/**
 * @param {HeartsView} view
 * @param {number} seat
 * @param {import("../dom.js").Child} clock
 */
function figures(view, seat, clock) {
  const { totals, counts } = view;
  const taken = hearts.taken(view)[seat] ?? 0;
  return h(
    "span",
    { class: "tally", "aria-hidden": "true" },
    h("b", null, minus(totals[seat] ?? 0)),
    taken !== 0 && h("span", { class: taken < 0 ? "taken good" : "taken" }, gain(taken)),
    clock ?? h("span", { class: "count-of-cards" }, sign("cards"), number(counts[seat] ?? 0)),
  );
}

/**
 * The time that is left for who is on turn.
 *
 * @param {HeartsView} view
 * @param {number} skew
 */
export function clock({ turn_ends_at }, skew) {
  if (!turn_ends_at) return null;
  return h("count-down", { class: "turn-clock", model: { until: Date.parse(turn_ends_at), skew } });
}

/** @param {string} card */
function written(card) {
  return h("span", { "data-card": card }, rank(card));
}

/**
 * A hand in letters, suit by suit.
 *
 * @param {string[]} hand
 */
function openHand(hand) {
  const suits = ["C", "D", "S", "H"]
    .map(suit => hand.filter(card => card[1] === suit))
    .filter(each => each.length);
  return h(
    "span",
    { class: "open-hand" },
    suits.map(cards =>
      h(
        "span",
        { class: `in-suit suit-${cards[0]?.[1]}` },
        // At the end of a line no sign is left without a card.
        h("span", { class: "opening" }, short(cards[0] ?? "").slice(-1), written(cards[0] ?? "")),
        cards.slice(1).map(written),
      ),
    ),
  );
}
