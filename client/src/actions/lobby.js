// @ts-check
import { t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf } from "../net/problem.js";
import * as app from "../state/app.js";
import { asUser } from "./account.js";
import { starting } from "./starting.js";

/** What a table says that has just filled up or begun. */
export const GONE = new Set(["seat_taken", "game_over", "stale_revision", "not_found"]);

/**
 * Takes a seat at a table, or finds that another device of the same person has.
 *
 * @param {string} id
 * @param {{seat?: number}} [wish] Any that is free, if it is not said.
 * @returns {Promise<import("../state/wire.js").View>}
 */
export async function takeSeat(id, wish = {}) {
  const path = `/api/games/${encodeURIComponent(id)}`;
  try {
    return await call("POST", `${path}/seats`, wish);
  } catch (error) {
    const view = codeOf(error) === "seat_taken" ? await call("GET", path) : null;
    if (view && view.you !== null) return view;
    throw error;
  }
}

/**
 * The list of tables, and the way to one.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function lobbyActions({ store, connection, enter }, notice) {
  return {
    /** Follows the list of tables until it is left. */
    enterLobby() {
      connection.subscribe("lobby", {
        push: ({ games }) => store.change(app.put, "lobby", { games, trouble: null }),
        trouble: code => store.change(app.put, "lobby", { games: null, trouble: code }),
      });
    },

    leaveLobby: () => connection.unsubscribe("lobby"),

    /**
     * Takes a seat at a table. A visitor becomes a guest first.
     *
     * @param {string} id
     */
    sitDown: id =>
      starting(
        store,
        async () => enter(await asUser(store, connection, () => takeSeat(id))),
        code => notice(t(GONE.has(code) ? "lobby.gone" : `error.${code}`)),
      ),

    /** @param {{[name: string]: any}} wishes What is chosen for a table so far. */
    wish: wishes => store.change(app.amend, store.state.dialog, { data: wishes, error: null }),

    /**
     * Opens a table. A visitor becomes a guest first.
     *
     * @param {{options: object, bots: number, level: string, public: boolean}} wishes
     */
    openTable: wishes =>
      starting(
        store,
        async () => {
          const table = { game: "hearts", ...wishes };
          enter(await asUser(store, connection, () => call("POST", "/api/games", table)));
        },
        (code, dialog) => store.change(app.amend, dialog, { error: code }),
      ),

    /**
     * Whose turn it is at the own tables that are played, one after the other: the list does without those that are
     * not told.
     *
     * @param {import("../state/wire.js").Summary[]} games
     */
    async fetchTurns(games) {
      store.change(app.askTurns, games);
      for (const { id } of games) {
        try {
          store.change(app.tookTurn, await call("GET", `/api/games/${encodeURIComponent(id)}`));
        } catch (error) {
          // A table that is gone tells nothing of the next one; anything else does.
          if (!GONE.has(codeOf(error))) return;
        }
      }
    },
  };
}
