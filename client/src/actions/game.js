// @ts-check
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf, OFFLINE } from "../net/problem.js";
import * as app from "../state/app.js";
import * as solitaire from "../state/solitaire.js";
import { cutOff, fail, mayPlay, receive, refused } from "../state/table.js";
import { happened } from "../words.js";
import { asUser } from "./account.js";
import { starting } from "./starting.js";

/**
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/table.js").Table} Table
 * @typedef {import("../state/table.js").Place} Place
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("../net/problem.js").Problem} Problem
 */

/**
 * What is asked of the viewer, as far as a slip of his hangs on it.
 *
 * @param {View} view
 */
function asked({ status, turn, you }) {
  return `${status} ${you !== null && turn.includes(you)}`;
}

/**
 * Watching a game and playing it.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function gameActions({ store, connection, enter }, notice) {
  /**
   * Lets the player act on the table, then sends what came of it.
   *
   * @template T
   * @param {(table: Table) => T} action
   */
  function act(action) {
    const slip = store.change(({ table }) => (table ? action(table) : null));
    if (slip === "ahead") notice(t("slip.ahead"));
    if (slip === "different_rank" && store.state.settings.move_errors) notice(t("slip.different_rank"));
    pump();
    return slip;
  }

  /** Sends the next command, if none is on its way. */
  function pump() {
    const { table } = store.state;
    if (!table?.view) return;
    while (!table.sent && table.waiting.length) store.change(() => solitaire.resume(table));
    if (table.sent && table.sent !== underway) send(table, table.sent);
  }

  /** @type {import("../state/table.js").Sent | null} What this connection was given. */
  let underway = null;

  /**
   * @param {Table} table
   * @param {import("../state/table.js").Sent} sent
   */
  async function send(table, sent) {
    if (!connection.isOpen()) return;
    underway = sent;
    const { kind: type, ...rest } = sent;
    try {
      await connection.request({ type, game: table.id, ...rest });
    } catch (error) {
      const code = codeOf(error);
      if (code === OFFLINE) lost(table, sent);
      else undone(table, sent, /** @type {Problem} */ (error));
    }
  }

  /**
   * @param {Table} table
   * @param {import("../state/table.js").Sent} sent
   */
  function lost(table, sent) {
    if (underway === sent) underway = null;
    store.change(() => cutOff(table));
  }

  /**
   * A stale revision is no one's mistake: another device was first, and the board shows what it did. Only who asks
   * for a take-back is told that he came too late.
   *
   * @param {Table} table
   * @param {import("../state/table.js").Sent} sent
   * @param {Problem} problem
   */
  function undone(table, sent, problem) {
    const stale = problem.code === "stale_revision";
    if (table.sent === sent || !stale) store.change(() => refused(table, problem.view));
    if (!stale) notice(t(problem.reason ? `reason.${problem.reason}` : `error.${problem.code}`));
    else if (sent.kind === "undo" && table.view?.game === "hearts") notice(t("hearts.takeback.late"));
  }

  /**
   * @param {Table} table
   * @param {{view: View, event: import("../state/wire.js").GameEvent | null}} push
   */
  function pushed(table, { view, event }) {
    const before = table.view;
    store.change(state => {
      receive(table, view, event === null);
      const words = view.game === "heart-to-heart" && happened(before, view, event);
      if (words) app.say(state, words);
      if (before && state.notice?.slip && asked(before) !== asked(view)) state.notice = null;
      if (view.status !== "stuck") state.dismissed = false;
      if (state.dialog?.name === "resign" && !mayPlay(table)) state.dialog = null;
    });
    if (event === null && table.sent === underway) underway = null;
    pump();
  }

  return {
    atTable: act,

    /** @param {Place} place */
    tap: place => act(table => solitaire.tap(table, place)),
    undo: () => act(solitaire.undo),
    deselect: () => act(solitaire.deselect),
    resign() {
      store.change(app.put, "dialog", null);
      act(solitaire.resign);
    },

    /**
     * Follows the table's game until it is left.
     *
     * @param {Table} table
     */
    watch(table) {
      underway = null;
      connection.subscribe(`games/${table.id}`, {
        push: push => pushed(table, push),
        trouble: code => store.change(() => fail(table, code)),
      });
    },

    /** @param {Table} table */
    leave: table => connection.unsubscribe(`games/${table.id}`),

    retry: () => location.reload(),

    /**
     * Deals a game and turns to it. A visitor becomes a guest first.
     *
     * @param {string} [deal] A code; else a random deal.
     */
    newGame: deal =>
      starting(
        store,
        async () => {
          const game = { game: "heart-to-heart", ...(deal !== undefined && { deal }) };
          enter(await asUser(store, connection, () => call("POST", "/api/games", game)));
        },
        (code, dialog) => {
          if (dialog?.name === "new" || dialog?.name === "code")
            store.change(app.amend, dialog, { error: code, data: { code: deal ?? "" } });
          else notice(t(`error.${code}`));
        },
      ),
  };
}
