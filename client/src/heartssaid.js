// @ts-check
/**
 * What has changed at a table of Hearts, for those who listen instead of looking.
 *
 * @typedef {import("./state/hearts.js").HeartsView} HeartsView
 */
import { name as cardName } from "./cards.js";
import { laidCard, minus, nameOf, outcome, prompt, takebackWords, who, whom } from "./heartswords.js";
import { list, t } from "./i18n.js";
import * as hearts from "./state/hearts.js";

/**
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
export function happened(before, after) {
  const parts = [
    ...people(before, after),
    ...takenBack(before, after),
    ...played(before, after),
    ...dealt(before, after),
    after.status !== before.status && after.finished_at ? outcome(after) : "",
    yourTurn(before, after),
  ];
  return parts.filter(Boolean).join(" ");
}

/**
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function people(before, after) {
  return after.players.map((now, seat) => {
    const then = before.players[seat];
    const name = nameOf(after, seat);
    if (seat === after.you || !then) return "";
    if (now.resigned && !then.resigned) return resigned(after, seat);
    if (now.user && now.user.id !== then.user?.id) return t("hearts.said.joined", { name });
    if (!now.user && then.user) return t("hearts.said.left", { name: nameOf(before, seat) });
    if (!now.user || now.resigned || now.connected === then.connected) return "";
    return t(now.connected ? "hearts.said.back" : "hearts.said.away", { name });
  });
}

/**
 * That somebody has given up; who gives up last closes the table, and no bot plays on.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
function resigned(view, seat) {
  const name = nameOf(view, seat);
  if (!hearts.isOn(view.status)) return t("hearts.said.gave_up", { name });
  return t("hearts.said.resigned", { name, bot: view.players[seat]?.bot?.name ?? "" });
}

/**
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function takenBack(before, after) {
  if (after.takeback && !before.takeback) return [takebackWords(after)];
  if (after.ply < before.ply) return [t("hearts.said.taken_back")];
  const refused = before.takeback && !after.takeback && after.ply === before.ply;
  return [refused ? t("hearts.said.refused") : ""];
}

/**
 * The cards that have been laid, and who took them.
 *
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function played(before, after) {
  if (after.ply <= before.ply) return [];
  const done =
    JSON.stringify(before.last_trick) !== JSON.stringify(after.last_trick) ? after.last_trick : null;
  const seen = done?.cards.slice(0, before.trick.length);
  const follows = JSON.stringify(seen) === JSON.stringify(before.trick);
  const cards = done
    ? [...done.cards.slice(follows ? before.trick.length : 0), ...after.trick]
    : after.trick.slice(before.trick.length);
  return [
    ...cards.map(({ seat, card }) =>
      ownMove(after, seat) ? "" : t("hearts.said.sentence", { text: laidCard(after, seat, card) }),
    ),
    after.broken && !before.broken ? t("hearts.said.broken") : "",
    done ? taken(before, after, done.winner) : "",
  ];
}

/**
 * Whether the viewer has moved himself, and needs not be told.
 *
 * @param {HeartsView} view
 * @param {number} seat
 */
function ownMove({ you, players }, seat) {
  return seat === you && !players[seat]?.resigned;
}

/**
 * @param {HeartsView} before
 * @param {HeartsView} after
 * @param {number | null} winner
 */
function taken(before, after, winner) {
  if (winner === null) return t("hearts.said.cancelled");
  const same = before.hand_number === after.hand_number;
  const n = same ? (after.points[winner] ?? 0) - (before.points[winner] ?? 0) : 0;
  return t(n ? "hearts.said.taken_points" : "hearts.said.taken", { name: whom(after, winner), n });
}

/**
 * A hand that has been scored, the cards of a new one, and those that came by passing.
 *
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function dealt(before, after) {
  const row = after.scores[before.scores.length];
  const scored = row?.map((n, seat) => t("hearts.said.points", { name: who(after, seat), points: minus(n) }));
  const { hand_number: n, you, received } = after;
  const got = you !== null && received && !before.received && after.hand_number === before.hand_number;
  return [
    scored ? t("hearts.said.scored", { n: before.hand_number, points: list(scored) }) : "",
    hearts.isOn(after.status) && n !== before.hand_number ? t("hearts.said.dealt", { n }) : "",
    got
      ? t("hearts.said.received", {
          name: nameOf(after, hearts.neighbours(after, you).from),
          cards: list(received.map(cardName)),
        })
      : "",
  ];
}

/**
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function yourTurn(before, after) {
  const asked = hearts.task(after);
  if (!asked) return "";
  const anew = asked === "play" && after.ply !== before.ply;
  return anew || asked !== hearts.task(before) ? t("hearts.said.sentence", { text: prompt(after) }) : "";
}
