// @ts-check
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf } from "../net/problem.js";
import * as app from "../state/app.js";
import { DEFAULTS, host, suitable, waitedAt } from "../state/lobby.js";
import { begun, noticed, PATIENCE } from "../state/quickplay.js";
import { asUser } from "./account.js";
import { GONE, takeSeat } from "./lobby.js";
import { follow, recall, remember } from "./memory.js";
import { starting } from "./starting.js";

/**
 * @typedef {import("../state/quickplay.js").Quick} Quick
 * @typedef {import("../state/wire.js").View} View
 * @typedef {import("../state/wire.js").Summary} Summary
 */

/**
 * One tap to a table: at one where somebody waits, else at one's own, which bots fill when nobody comes.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function quickActions({ store, connection, visit, enter }, notice) {
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let timer;
  /** @type {Quick | null} For which the timer runs. */
  let timed = null;

  /** @param {Quick | null} quick */
  function keep(quick) {
    store.change(app.put, "quick", quick);
    remember("quick", quick);
  }

  /**
   * Takes a seat at the first of these tables that still has one.
   *
   * @param {Summary[]} tables
   * @returns {Promise<View | null>} Null if none has.
   */
  async function sitAtOne(tables) {
    for (const { id } of tables) {
      try {
        return await takeSeat(id);
      } catch (error) {
        if (!GONE.has(codeOf(error))) throw error;
      }
    }
    return null;
  }

  /** @returns {Promise<Summary[]>} Public tables with free seats. */
  async function open() {
    return (await call("GET", "/api/games?open=1&game=hearts")).games;
  }

  /**
   * @param {import("../state/wire.js").User} me
   * @returns {Promise<View | Summary>} One to wait at.
   */
  async function find(me) {
    const games = await open();
    return (
      waitedAt(games, me) ??
      (await sitAtOne(suitable(games, me))) ??
      (await call("POST", "/api/games", { game: "hearts", public: true }))
    );
  }

  /** @param {View | Summary} view */
  function go(view) {
    keep(begun(view, Date.now()));
    visit(`/games/${view.id}`);
  }

  /**
   * Has somebody who has waited alone begin. He looks once more whether another has waited even longer: two who
   * tapped at the same moment shall find each other.
   *
   * @param {View} view
   * @param {Quick} quick
   */
  async function begin(view, quick) {
    const others = suitable(await open(), store.state.me);
    const earlier = others.filter(each => each.created_at < view.created_at);
    const found = quick.people === 1 ? await sitAtOne(earlier) : null;
    if (!found) return fill(view);
    go(found);
    await leave(view);
  }

  /** @param {View} view */
  const fill = view => call("POST", `/api/games/${encodeURIComponent(view.id)}/bots`, {});

  /** @param {View} view */
  const leave = view => call("DELETE", `/api/games/${encodeURIComponent(view.id)}/seats/me`);

  /**
   * Ends the wait at the table that is open.
   *
   * @param {(view: View, quick: Quick) => Promise<void>} how
   */
  async function end(how) {
    const { quick, table } = store.state;
    if (!quick || !table?.view || table.id !== quick.game) return;
    clearTimeout(timer);
    keep(null);
    try {
      await how(table.view, quick);
    } catch (error) {
      const code = codeOf(error);
      if (GONE.has(code)) return;
      notice(t(`error.${code}`));
      // The table still waits, and so does who sits there.
      if (store.state.table === table && !store.state.quick) keep({ ...quick, since: Date.now() });
    }
  }

  return {
    /** A visitor becomes a guest first. */
    quickPlay: () =>
      starting(
        store,
        async () => go(await asUser(store, connection, find)),
        code => notice(t(`error.${code}`)),
      ),

    /** Begins with bots without waiting any longer. */
    fillNow: () => end(fill),

    /** Waits for people, however long it takes. */
    waitOn: () => keep(null),

    /** Leaves a table that is not one's own to fill, and plays with bots alone. */
    playWithBots: () =>
      end(async view => {
        const own = await call("POST", "/api/games", {
          game: "hearts",
          bots: Number(DEFAULTS.players) - 1,
          public: false,
        });
        await leave(view);
        enter(own);
      }),

    /** Goes on waiting after the page was loaded anew, and with the other windows of this device. */
    resumeQuick() {
      const take = (/** @type {Quick | null} */ quick) => store.change(app.put, "quick", quick);
      take(recall("quick"));
      follow("quick", take);
    },

    /** Looks at the table after every change: whoever comes begins the wait anew. */
    watchQuick() {
      const { quick, table } = store.state;
      const view = quick && table?.id === quick.game ? table.view : null;
      const next = quick && view && noticed(quick, view, Date.now());
      if (view && next !== quick) keep(next);
      if (next === timed) return;
      clearTimeout(timer);
      timed = next;
      if (next && view && host(view)?.seat === view.you)
        timer = setTimeout(() => end(begin), Math.max(0, next.since + PATIENCE - Date.now()));
    },
  };
}
