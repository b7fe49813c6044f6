// @ts-check
/**
 * What a table of Hearts says: who sits there, whose turn it is, what has happened, in words.
 *
 * @typedef {import("./state/hearts.js").HeartsView} HeartsView
 * @typedef {import("./state/wire.js").Played} Played
 */
import { name as cardName, short } from "./cards.js";
import { list, number, t } from "./i18n.js";
import * as hearts from "./state/hearts.js";

/** How parts of the table are called. */
export const tableLabels = () => ({
  seats: t("hearts.seats"),
  trick: t("hearts.trick"),
  hand: t("hearts.hand"),
});

/**
 * @param {HeartsView} view
 * @param {number} seat
 */
export function nameOf({ players }, seat) {
  const { user, bot } = players[seat] ?? {};
  return user?.name ?? bot?.name ?? t("hearts.wait.free");
}

/**
 * Who sits there, as the viewer says it.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
export function who(view, seat) {
  return seat === view.you ? t("hearts.you") : nameOf(view, seat);
}

/**
 * As `who`, but not at the beginning of a sentence.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
export function whom(view, seat) {
  return seat === view.you ? t("hearts.you_within") : nameOf(view, seat);
}

/**
 * @param {HeartsView} view
 * @param {readonly number[]} seats
 */
export function whoAll(view, seats) {
  return list(seats.map((seat, i) => (i ? whom : who)(view, seat)));
}

/**
 * Those whom the game waits for; more than two would need more than a line.
 *
 * @param {HeartsView} view
 * @param {readonly number[]} seats
 */
function awaited(view, seats) {
  return seats.length > 2 ? t("hearts.several", { n: seats.length }) : whoAll(view, seats);
}

/** @param {string} card */
export function suitOf(card) {
  return t(`hearts.suit.${card[1]}`);
}

/** @param {readonly string[]} cards */
export function shortAll(cards) {
  return cards.map(short).join(" ");
}

/**
 * Points with their sign.
 *
 * @param {number} n
 */
export function gain(n) {
  return n > 0 ? `+${number(n)}` : minus(n);
}

/**
 * A total, which may be below nothing.
 *
 * @param {number} n
 */
export function minus(n) {
  return number(n).replace("-", "−");
}

/**
 * @param {HeartsView} view
 * @param {number} seat
 * @param {string} card
 */
export function laidCard(view, seat, card) {
  return t("hearts.said.played", { name: who(view, seat), card: cardName(card) });
}

/**
 * What a card of one's own hand is called.
 *
 * @param {HeartsView} view
 * @param {string} card
 */
export function handCard(view, card) {
  const named = cardName(card);
  if (hearts.task(view) === "play" && !hearts.playable(view).has(card))
    return t("hearts.card.unplayable", { card: named });
  return hearts.fresh(view).has(card) ? t("hearts.card.received", { card: named }) : named;
}

/**
 * A seat in one sentence.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
export function seatWords(view, seat) {
  const { totals, counts, turn, passed, status } = view;
  const points = hearts.taken(view);
  return [
    who(view, seat),
    ...standing(view, seat),
    hearts.isOn(status) && turn.includes(seat) && t("hearts.seat.turn"),
    status === "passing" && passed[seat] && t("hearts.seat.passed"),
    t("hearts.seat.points", { total: minus(totals[seat] ?? 0), points: minus(points[seat] ?? 0) }),
    t("hearts.seat.cards", { n: counts[seat] ?? 0 }),
  ]
    .filter(Boolean)
    .join(", ");
}

/**
 * Whether a person is here, or who plays in his place.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
function standing(view, seat) {
  const player = view.players[seat];
  if (!player) return [];
  if (player.resigned) return [resigned(view, seat)];
  if (player.bot) return [t("hearts.seat.bot"), t(`hearts.level.${player.bot.level}`)];
  return hearts.isAway(view, seat) ? [t("hearts.seat.away")] : [];
}

/**
 * What is said of a seat whose person has given up: where the game goes on, who plays his cards.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
function resigned({ players, status }, seat) {
  if (!hearts.isOn(status)) return t("hearts.end.resigned");
  return t("hearts.seat.resigned", { bot: players[seat]?.bot?.name ?? "" });
}

/**
 * What the game waits for.
 *
 * @param {HeartsView} view
 */
export function prompt(view) {
  const { you, turn, status, players } = view;
  if (!hearts.isOn(status)) return "";
  if (you !== null && players[you]?.resigned) return t("hearts.prompt.resigned");
  const asked = hearts.task(view);
  if (asked === "pass")
    return t("hearts.prompt.pass", { name: whom(view, hearts.neighbours(view, you ?? 0).to) });
  if (asked === "play") return t(view.trick.length ? "hearts.prompt.play" : "hearts.prompt.lead");
  if (asked === "moon") return t("hearts.prompt.moon");
  if (status === "passing") return t("hearts.prompt.passing", { names: awaited(view, turn) });
  const name = nameOf(view, turn[0] ?? 0);
  return t(status === "moon" ? "hearts.prompt.moon_other" : "hearts.prompt.turn", { name });
}

/**
 * What is asked or answered about a take-back; empty if nothing is.
 *
 * @param {HeartsView} view
 */
export function takebackWords(view) {
  const { takeback, you } = view;
  if (!takeback) return "";
  const names = awaited(view, takeback.waiting_for);
  if (takeback.seat === you) return t("hearts.takeback.wait", { names });
  const name = nameOf(view, takeback.seat);
  return hearts.isAsked(view)
    ? t("hearts.takeback.asked", { name })
    : t("hearts.takeback.others", { name, names });
}

/**
 * Who has won.
 *
 * @param {HeartsView} view
 */
export function outcome(view) {
  const { winners, you, status } = view;
  if (status === "closed") return t("hearts.closed.title");
  if (!winners?.length) return t(`status.${status}`);
  if (winners.length > 1) return t("hearts.end.shared", { names: whoAll(view, winners) });
  return winners[0] === you
    ? t("hearts.end.won_you")
    : t("hearts.end.won", { name: nameOf(view, winners[0] ?? 0) });
}

/**
 * A move in words, for a list of moves.
 *
 * @param {HeartsView | null} before The position it was made in.
 * @param {HeartsView} view
 * @param {number | null} eyes Whose eyes it is seen through; null: all is open.
 */
export function moved(before, view, eyes) {
  const { last } = view;
  if (!last || !before) return t("replay.start");
  const [kind, ...what] = last.move.split(" ");
  const name = nameOf(view, last.seat);
  if (kind === "play") return t("hearts.said.played", { name, card: cardName(what[0] ?? "") });
  if (kind === "moon") return t(`hearts.move.moon_${what[0]}`, { name, n: fullMoon(view) });
  const to = nameOf(view, hearts.neighbours(before, last.seat).to);
  const cards = what.length ? what : given(before, view, last.seat);
  const hidden = !cards.length || (eyes !== null && eyes !== last.seat);
  return t("hearts.move.pass", { name, to, cards: hidden ? t("hearts.move.three") : shortAll(cards) });
}

/**
 * The cards that have left an open hand: at a table that has not been played to its end a pass does not say them.
 *
 * @param {HeartsView} before
 * @param {HeartsView} view
 * @param {number} seat
 */
function given(before, view, seat) {
  const kept = view.hands?.[seat];
  return before.hands?.[seat]?.filter(card => !kept?.includes(card)) ?? [];
}

/**
 * What all penalty cards of a hand count.
 *
 * @param {HeartsView} view
 */
export function fullMoon({ options }) {
  return options.variant === "cancellation" ? 52 : 26;
}
