// @ts-check
import { suitOf } from "../heartswords.js";
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { Problem } from "../net/problem.js";
import * as app from "../state/app.js";
import * as hearts from "../state/hearts.js";
import { receive } from "../state/table.js";
import { asUser } from "./account.js";
import { takeSeat } from "./lobby.js";
import { starting } from "./starting.js";

/** @typedef {ReturnType<typeof heartsActions>} HeartsActions */

/**
 * Playing Hearts, and taking a seat at its tables.
 *
 * @param {import("./actions.js").Context} context
 * @param {import("./actions.js").Actions} act
 */
export function heartsActions({ store, connection, enter }, act) {
  /** @param {(table: import("../state/table.js").Table) => unknown} action */
  const play = action => act.atTable(action);

  /**
   * Calls for the table that is open. What it changes comes by the table's channel.
   *
   * @param {"POST" | "DELETE"} method
   * @param {string} path
   * @param {object} [body]
   */
  const ask = (method, path, body) =>
    forTable(id => call(method, `/api/games/${encodeURIComponent(id)}/${path}`, body));

  /**
   * @param {(id: string) => Promise<import("../state/wire.js").View>} request
   * @returns {Promise<import("../state/wire.js").View | null>} Null if it was refused, which the person is told.
   */
  async function forTable(request) {
    const { table } = store.state;
    if (!table) return null;
    return starting(
      store,
      () => asUser(store, connection, () => request(table.id)),
      code => act.notice(t(`error.${code}`)),
    );
  }

  /**
   * Has the server say why a card may not be played: only it knows the rules.
   *
   * @param {string} card
   */
  async function why(card) {
    const view = store.state.table?.view;
    if (!view) return;
    const { id: game, revision } = view;
    try {
      await connection.request({ type: "move", game, move: `play ${card}`, revision });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code !== "stale_revision") act.notice(reason(hearts.heartsOf(view), error), true);
    }
  }

  return {
    /** @param {string} card */
    tap(card) {
      const slip = act.atTable(table => hearts.tap(table, card));
      if (slip === "unplayable") why(card);
      else if (slip) act.notice(t(`hearts.slip.${slip}`), true);
    },
    pass: () => play(hearts.pass),
    letGo: () => play(hearts.letGo),
    undo: () => play(hearts.askBack),
    resign() {
      store.change(app.put, "dialog", null);
      play(hearts.resign);
    },
    /** @param {"add" | "subtract"} what */
    moon: what => play(table => hearts.chooseMoon(table, what)),
    /** @param {boolean} accept */
    answer: accept => play(table => hearts.answer(table, accept)),

    /** @param {number} [seat] Any that is free, if it is not said. */
    async join(seat) {
      const view = await forTable(id => takeSeat(id, seat === undefined ? {} : { seat }));
      if (view) act.atTable(table => table.id === view.id && receive(table, view));
    },
    leaveSeat: () => ask("DELETE", "seats/me"),
    /**
     * @param {string} level
     * @param {number} [seat] All that are free, if it is not said.
     */
    fill: (level, seat) => ask("POST", "bots", { level, ...(seat !== undefined && { seat }) }),
    /** Turns to the table after this one. */
    async again() {
      const view = await ask("POST", "again", {});
      if (view) enter(view);
    },
    /**
     * Hands the address of the table to another program of this device.
     *
     * @param {string} url
     */
    async invite(url) {
      try {
        await navigator.share({ title: t("hearts.title"), url });
      } catch {
        // Who thinks better of it has closed the device's own window.
      }
    },
    /** @param {string} text */
    say: text => store.change(app.say, text),
  };
}

/**
 * @param {hearts.HeartsView} view
 * @param {Problem} problem
 */
function reason(view, { code, reason }) {
  if (reason === "must_follow_suit")
    return t("hearts.reason.must_follow_suit", { suit: suitOf(view.trick[0]?.card ?? "") });
  return t(reason ? `reason.${reason}` : `error.${code}`);
}
