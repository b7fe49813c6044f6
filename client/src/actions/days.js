// @ts-check
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf } from "../net/problem.js";
import * as app from "../state/app.js";
import * as days from "../state/days.js";
import { asUser } from "./account.js";
import { starting } from "./starting.js";

/**
 * @typedef {import("../state/days.js").Daily} Daily
 * @typedef {import("../state/wire.js").Board} Board
 */

/** From one fetch of a busy day to the next at least, in milliseconds. Pushes show the first places meanwhile. */
const REST = 2000;

/**
 * The daily deal, its board, and players.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function dayActions({ store, connection, enter }, notice) {
  /** @type {string | null} The channel that is watched. */
  let watched = null;
  let fetches = 0;

  /** @param {string} date */
  function watch(date) {
    const channel = `daily/${date}`;
    if (channel === watched) return;
    leave();
    watched = channel;
    connection.subscribe(channel, { push: pushed, trouble: () => {} });
  }

  function leave() {
    if (watched) connection.unsubscribe(watched);
    watched = null;
  }

  /** @param {Parameters<typeof days.pushed>[1]} push */
  function pushed(push) {
    const { daily } = store.state;
    if (daily && store.change(() => days.pushed(daily, push))) again(daily);
  }

  /** Fetches the own tries and streaks. */
  async function fetchCalendar() {
    const { me } = store.state;
    if (!me) return;
    store.change(app.keepDays, me.id, null);
    try {
      const told = await call("GET", "/api/me/daily");
      if (store.state.me?.id === me.id) store.change(app.keepDays, me.id, told);
    } catch (error) {
      // The page does without; the next visit asks again.
      codeOf(error);
    }
  }

  /** @param {Daily} daily */
  function again(daily) {
    setTimeout(() => {
      if (store.state.daily === daily) store.change(app.due);
    }, REST);
  }

  /**
   * @param {string} path
   * @param {string | null} [cursor]
   * @returns {Promise<Board>}
   */
  function board(path, cursor = null) {
    return call("GET", `${path}/leaderboard${cursor ? `?cursor=${encodeURIComponent(cursor)}` : ""}`);
  }

  return {
    leaveDay() {
      fetches++;
      leave();
    },

    /**
     * Fetches how the day of the page stands.
     *
     * @param {Daily} daily
     * @param {boolean} whole With its board, which is watched from then on.
     */
    async fetchDay(daily, whole) {
      const mine = ++fetches;
      store.change(() => days.fetching(daily));
      if (store.state.calendar) fetchCalendar();
      const path = daily.asked ? `/api/daily/${encodeURIComponent(daily.asked)}` : "/api/daily";
      try {
        const day = await call("GET", path);
        const table = whole ? await board(`/api/daily/${day.date}`) : null;
        if (mine !== fetches) return;
        store.change(() => days.take(daily, day, table));
        if (whole) watch(day.date);
      } catch (error) {
        if (mine === fetches) store.change(() => days.fail(daily, codeOf(error)));
      }
    },

    fetchCalendar,

    /** The deal of the day has changed, or how it stands. */
    refreshDay: () => store.change(app.due),

    /** Shows all of the board that is there, then page by page what follows. */
    async moreOfBoard() {
      const { daily } = store.state;
      if (!daily?.day || !daily.board || daily.more) return;
      const folded = !daily.whole;
      store.change(() => days.unfold(daily));
      const cursor = daily.board.next;
      if (folded || !cursor) return;
      store.change(() => days.wait(daily, true));
      try {
        const page = await board(`/api/daily/${daily.day.date}`, cursor);
        store.change(() => days.lengthen(daily, page));
      } catch (error) {
        notice(t(`error.${codeOf(error)}`));
      } finally {
        store.change(() => days.wait(daily, false));
      }
    },

    /** Begins the ranked game of today, or goes on with it. A visitor becomes a guest first. */
    playDay: () =>
      starting(
        store,
        async () => enter(await asUser(store, connection, () => call("POST", "/api/daily/game"))),
        code => notice(t(`error.${code}`)),
      ),

    /** @param {string} month */
    turnMonth: month => store.change(app.put, "month", month),

    /** @param {string} text How the own try went. */
    async copyResult(text) {
      try {
        await navigator.clipboard.writeText(text);
        notice(t("share.copied"));
      } catch {
        notice(t("info.not_copied", { text }));
      }
    },

    /**
     * Fetches what everybody may know of a player.
     *
     * @param {string} name
     */
    async fetchPlayer(name) {
      try {
        const profile = await call("GET", `/api/players/${encodeURIComponent(name)}`);
        store.change(app.profiled, name, profile, null);
      } catch (error) {
        store.change(app.profiled, name, null, codeOf(error));
      }
    },
  };
}
