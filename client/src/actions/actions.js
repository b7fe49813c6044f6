// @ts-check
/**
 * All that a person can do, as functions that pages are given.
 *
 * @typedef {object} Context
 * @property {import("../state/store.js").Store<import("../state/app.js").State>} store
 * @property {import("../net/socket.js").Connection} connection
 * @property {(path: string) => void} visit Turns to another page.
 * @property {(view: import("../state/wire.js").View) => void} enter Turns to a game that the server has just told of.
 *
 * @typedef {ReturnType<typeof makeActions>} Actions
 */
import { accountActions } from "./account.js";
import { dayActions } from "./days.js";
import { gameActions } from "./game.js";
import { lobbyActions } from "./lobby.js";
import { pageActions } from "./page.js";
import { quickActions } from "./quickplay.js";
import { replayActions } from "./replay.js";

/** @param {Context} context */
export function makeActions(context) {
  const page = pageActions(context);
  const actions = {
    ...page,
    ...accountActions(context, page.notice),
    ...gameActions(context, page.notice),
    ...replayActions(context, page.notice),
    ...dayActions(context, page.notice),
    ...lobbyActions(context, page.notice),
    ...quickActions(context, page.notice),

    /**
     * What can be done on a page that is fetched later.
     *
     * @template T
     * @param {(context: Context, act: any) => T} make
     * @returns {T}
     */
    more: make => make(context, actions),
  };
  return actions;
}
