// @ts-check
/**
 * The cards on a Hearts table: they fly from who plays them to the trick, and with it to who has won it.
 *
 * @typedef {import("../../state/wire.js").Played} Played
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("./paper.js").Place} Place
 *
 * @typedef {object} Where
 * @property {(seat: number) => Place} spot Where a seat's card lies.
 * @property {(seat: number, card: string) => Place} from Where it comes from.
 * @property {(seat: number | null) => Place} to Where a won trick goes; null: to the cards that are held.
 * @property {(seat: number, card: string) => string} label
 */
import { cancelled } from "../../state/hearts.js";
import { move, paper, start } from "./paper.js";

/** How long a finished trick stays, in milliseconds. */
const HOLD = 1300;

/** Between cards that come at once. */
const PACE = 110;

/** How long a card may fly before its element is taken away. */
const FLIGHT = 500;

export class Laid {
  /** @param {(holding: boolean) => void} held Told when a finished trick begins and ceases to lie there. */
  constructor(held) {
    this.held = held;
    this.node = document.createElement("div");
    this.node.className = "laid";
    this.node.setAttribute("role", "group");
    /** @type {(Played & {node: HTMLElement})[]} */
    this.cards = [];
    /** @type {{view: HeartsView, where: Where, trick: Played[]} | null} */
    this.latest = null;
    /** @type {number | null | undefined} Who takes the trick that lies there finished; null: nobody. */
    this.winner = undefined;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * @param {HeartsView} view
   * @param {Where} where
   * @param {Played | null} pending The viewer's own card, on its way to the server.
   * @param {boolean} step Whether this is a position of a replay: a finished trick stays until the next.
   */
  draw(view, where, pending, step) {
    const before = this.latest?.view ?? null;
    const trick = pending ? [...view.trick, pending] : view.trick;
    this.latest = { view, where, trick };
    if (before && view.ply < before.ply) this.settle();
    if (step) this.stand(view, where);
    else if (before && finished(before, view)) this.hold(view, where);
    else if (!this.timer) this.lay(trick, where, before !== null);
    else if (pending) this.settle();
    for (const each of this.cards) each.node.classList.toggle("pending", each.card === pending?.card);
  }

  /**
   * @param {HeartsView} view
   * @param {Where} where
   */
  stand(view, where) {
    const { trick, last_trick, last } = view;
    const full = !trick.length && last_trick && last?.move.startsWith("play ");
    this.lay(full ? last_trick.cards : trick, where, true, full ? last_trick.winner : undefined);
  }

  /**
   * Shows the trick that has just been finished for a while.
   *
   * @param {HeartsView} view
   * @param {Where} where
   */
  hold({ last_trick }, where) {
    this.settle();
    if (!last_trick) return;
    this.lay(last_trick.cards, where, true, last_trick.winner);
    this.held(true);
    this.timer = setTimeout(() => this.settle(), HOLD);
  }

  /** Sends a finished trick to its winner now, and shows what has followed it. */
  settle() {
    if (!this.timer) return;
    clearTimeout(this.timer);
    this.timer = undefined;
    this.held(false);
    if (this.latest) this.lay(this.latest.trick, this.latest.where, true);
  }

  /**
   * @param {Played[]} trick
   * @param {Where} where
   * @param {boolean} flying Whether new cards fly to their places.
   * @param {number | null} [winner] Of a finished trick.
   */
  lay(trick, where, flying, winner) {
    this.clear(trick, where);
    this.winner = winner;
    const coming = trick.slice(this.cards.length).map(played => this.add(played));
    start(coming.map(({ seat, card, node }) => [node, flying ? where.from(seat, card) : where.spot(seat)]));
    coming.forEach(({ node }, i) => {
      node.style.transitionDelay = `${i * PACE}ms`;
    });
    const equal = cancelled(trick);
    for (const { seat, card, node } of this.cards) {
      move(node, where.spot(seat));
      node.setAttribute("aria-label", where.label(seat, card));
      node.classList.toggle("winning", seat === winner);
      node.classList.toggle("cancelled", equal.has(card));
    }
  }

  /** @param {Played} played */
  add({ seat, card }) {
    const node = paper("div", card);
    node.setAttribute("role", "img");
    this.node.append(node);
    const laid = { seat, card, node };
    this.cards.push(laid);
    return laid;
  }

  /**
   * Takes away what does not belong to the trick any more: a finished trick to its winner, a card that was
   * taken back to its player.
   *
   * @param {Played[]} trick
   * @param {Where} where
   */
  clear(trick, where) {
    const same = this.cards.findIndex(
      ({ seat, card }, i) => trick[i]?.seat !== seat || trick[i]?.card !== card,
    );
    if (same < 0) return;
    const { winner } = this;
    for (const { seat, card, node } of this.cards.splice(same)) {
      this.depart(node, same > 0 || winner === undefined ? where.from(seat, card) : where.to(winner));
    }
  }

  /**
   * Lets an element fly away.
   *
   * @param {HTMLElement} node
   * @param {Place} to
   */
  depart(node, to) {
    node.style.transitionDelay = "0ms";
    node.classList.add("departing");
    delete node.dataset.card;
    node.setAttribute("aria-hidden", "true");
    move(node, { ...to, scale: 0.5 });
    setTimeout(() => node.remove(), FLIGHT);
  }

  /**
   * Lets a card fly that does not come to the trick: one that is passed.
   *
   * @param {string} card
   * @param {Place} from
   * @param {Place} to
   */
  fly(card, from, to) {
    const node = paper("div", card);
    this.node.append(node);
    start([[node, from]]);
    this.depart(node, to);
  }

  /** Forgets what it shows: another game begins, or this one is not looked at any more. */
  reset() {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.latest = null;
    this.cards = [];
    this.node.replaceChildren();
    this.held(false);
  }
}

/**
 * Whether a trick has been finished between two views that follow each other closely.
 *
 * @param {HeartsView} before
 * @param {HeartsView} after
 */
function finished(before, after) {
  const went = after.ply - before.ply;
  if (went <= 0 || went > 2 * after.players.length) return false;
  return JSON.stringify(before.last_trick) !== JSON.stringify(after.last_trick);
}
