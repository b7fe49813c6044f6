// @ts-check
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf, Problem } from "../net/problem.js";
import * as app from "../state/app.js";
import * as replays from "../state/replay.js";
import { asUser } from "./account.js";
import { starting } from "./starting.js";

/**
 * @typedef {import("../state/replay.js").Replay} Replay
 * @typedef {import("../state/wire.js").View} View
 * @typedef {(from: number, to: number) => Promise<View[]>} Source Gives the positions of these plies.
 */

/** A position that is looked at for so long is put into the address, in milliseconds. */
const SETTLED = 250;

/** Before it goes on with a server that finds this device too fast, in milliseconds. */
const BREATH = 5000;

/**
 * Looking back over a game of the server's, or over a record from a file.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function replayActions({ store, connection, enter }, notice) {
  /** @type {{replay: Replay, source: Source, fetching: boolean} | null} */
  let open = null;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let next;
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let settling;
  /** Counts what was opened and closed: a record that comes after the next such thing is not wanted any more. */
  let turns = 0;

  /**
   * Changes the replay that is open, then does what follows: plays on, fetches, notes the address.
   *
   * @param {(replay: Replay) => void} mutation
   */
  function change(mutation) {
    if (!open) return;
    const { replay } = open;
    const before = replay.at;
    store.change(() => mutation(replay));
    if (replay.at !== before) settle(replay);
    play(replay);
    fetchMissing();
  }

  /** @param {Replay} replay */
  function play(replay) {
    clearTimeout(next);
    if (!replay.running || !replays.hasNext(replay)) return;
    next = setTimeout(() => change(replay => replays.turn(replay, replay.at + 1)), replays.pace(replay));
  }

  /**
   * Puts the ply into the address. Browsers allow this only now and then, so not at every step.
   *
   * @param {Replay} replay
   */
  function settle(replay) {
    clearTimeout(settling);
    if (!replay.id) return;
    settling = setTimeout(() => history.replaceState(history.state, "", `#${replay.at}`), SETTLED);
  }

  /** Fetches page by page what is not there yet, the nearest to the position that is shown first. */
  async function fetchMissing() {
    const mine = open;
    if (!mine || mine.fetching || mine.replay.trouble) return;
    const { replay, source } = mine;
    mine.fetching = true;
    try {
      let page = replays.missing(replay);
      while (page && open === mine) {
        const { from, to } = page;
        const views = await source(from, to);
        store.change(() => replays.take(replay, from, views));
        if (open === mine) play(replay);
        page = replays.missing(replay);
      }
    } catch (error) {
      const code = codeOf(error);
      if (code === "slow_down") setTimeout(fetchMissing, BREATH);
      else store.change(() => replays.fail(replay, code));
    } finally {
      mine.fetching = false;
    }
  }

  /**
   * The positions of a game of the server's. One that has moved on meanwhile begins anew.
   *
   * @param {Replay} replay
   * @param {string} path
   * @returns {Source}
   */
  const positionsOf = (replay, path) => async (from, to) => {
    try {
      const { views } = await call("GET", `${path}/plies?from=${from}&to=${to}`);
      if (views[0].revision === replay.end?.revision) return views;
    } catch (error) {
      if (codeOf(error) !== "not_found") throw error;
    }
    const end = await call("GET", path);
    store.change(() => replays.begin(replay, end.ply, end));
    return [];
  };

  /**
   * @param {Replay} replay
   * @param {Source} source
   */
  function show(replay, source) {
    open = { replay, source, fetching: false };
    store.change(app.put, "replay", replay);
  }

  /**
   * Opens a record, which the server checks and does not keep.
   *
   * @param {string} text
   * @param {string | null} day The day whose perfect game it is.
   */
  async function openRecord(text, day = null) {
    const ask = (/** @type {number} */ from, /** @type {number} */ to) =>
      call("POST", `/api/records?from=${from}&to=${to}`, text);
    await reading(async isWanted => {
      const { ok, problem, views } = await ask(0, replays.PAGE - 1);
      if (!isWanted()) return;
      const replay = replays.newReplay("", 0);
      replay.day = day;
      replay.finding = { ok, problem };
      show(replay, async (from, to) => (await ask(from, to)).views);
      if (views.length) {
        const length = problem?.move ? problem.move - 1 : JSON.parse(text).moves.length;
        change(() => replays.begin(replay, length, null));
      }
    });
  }

  /**
   * @param {(isWanted: () => boolean) => Promise<void>} work Reads a record, and shows it if that is still wanted.
   */
  async function reading(work) {
    const mine = ++turns;
    const isWanted = () => mine === turns;
    store.change(app.put, "reading", { busy: true, problem: null });
    try {
      await work(isWanted);
      if (isWanted()) store.change(app.put, "reading", null);
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (isWanted()) store.change(app.put, "reading", { busy: false, problem: error });
    }
  }

  return {
    /**
     * Opens the replay of a game.
     *
     * @param {string} id
     * @param {number} at
     */
    async replay(id, at) {
      const replay = replays.newReplay(id, at);
      const path = `/api/games/${encodeURIComponent(id)}`;
      show(replay, positionsOf(replay, path));
      try {
        const end = await call("GET", path);
        if (open?.replay === replay) change(() => replays.begin(replay, end.ply, end));
      } catch (error) {
        store.change(() => replays.fail(replay, codeOf(error)));
      }
    },

    openRecord: (/** @type {string} */ text) => openRecord(text),

    /**
     * Opens the perfect game of a day.
     *
     * @param {string} date
     */
    openPerfect: date =>
      reading(async isWanted => {
        const record = await call("GET", `/api/daily/${date}/line`);
        if (isWanted()) await openRecord(JSON.stringify(record), date);
      }),

    /** Closes the replay. */
    endReplay() {
      turns++;
      clearTimeout(next);
      clearTimeout(settling);
      open = null;
      store.change(app.put, "replay", null);
      store.change(app.put, "reading", null);
    },

    /** @param {number} ply */
    turn: ply =>
      change(replay => {
        replays.run(replay, false);
        replays.turn(replay, ply);
      }),

    playOrPause: () => change(replay => replays.run(replay, !replay.running)),

    faster: () => change(replays.faster),

    /** @param {number | null} seat */
    seeAs: seat => change(replay => replays.seeAs(replay, seat)),

    /** @param {boolean} listed */
    showMoves: listed => change(replay => replays.list(replay, listed)),

    /** Fetches on after a failure. */
    fetchOn: () => change(replay => replays.fail(replay, null)),

    /** Goes on from the position that is shown, as a new game of one's own. */
    async branch() {
      if (!open) return;
      const { id, at } = open.replay;
      await starting(
        store,
        async () => {
          const path = `/api/games/${encodeURIComponent(id)}/branch`;
          enter(await asUser(store, connection, () => call("POST", path, { ply: at })));
        },
        code => notice(t(`error.${code}`)),
      );
    },
  };
}
