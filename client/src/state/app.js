// @ts-check
/**
 * The state of the page and its named mutations. Nothing here knows a document or a network.
 *
 * @typedef {import("./wire.js").User} User
 * @typedef {import("./wire.js").Summary} Summary
 * @typedef {import("./wire.js").Device} Device
 * @typedef {import("./table.js").Table} Table
 * @typedef {import("../net/socket.js").Link} Link
 * @typedef {import("./replay.js").Replay} Replay
 * @typedef {import("./days.js").Daily} Daily
 * @typedef {import("./lobby.js").Lobby} Lobby
 * @typedef {import("./quickplay.js").Quick} Quick
 *
 * @typedef {"home" | "game" | "replay" | "record" | "daily" | "player" | "rules" | "hearts-rules" | "missing"} PageName
 * @typedef {{page: PageName, id: string, ply?: number}} Route
 * @typedef {"auto" | "light" | "dark"} Theme
 * @typedef {{move_errors: boolean, placement_helper: boolean, letter_keys: boolean, theme: Theme}} Settings
 * @typedef {"new" | "code" | "table" | "resign" | "help" | "settings" | "account" | "register" | "signin" | "devices" | "link"
 *   | "password" | "delete" | "score" | "trick"} DialogName
 *
 * @typedef {object} Dialog
 * @property {DialogName} name
 * @property {boolean} busy A call of this dialog is on its way.
 * @property {string | null} error The code of what went wrong.
 * @property {{[field: string]: any}} data What the dialog itself remembers.
 *
 * @typedef {object} List Own games, newest first.
 * @property {Summary[]} games
 * @property {string | null} next The cursor of the next page.
 * @property {"new" | "loading" | "ready" | "failed"} state
 *
 * @typedef {object} State
 * @property {Route} route
 * @property {string} locale
 * @property {User | null | undefined} me Undefined until the server was asked; null without a session.
 * @property {Settings} settings
 * @property {Link} link
 * @property {Table | null} table
 * @property {Replay | null} replay
 * @property {{busy: boolean, problem: import("../net/problem.js").Problem | null} | null} reading A record's file.
 * @property {Daily | null} daily
 * @property {(import("./wire.js").Calendar & {of: string}) | null} calendar Of the user with that id.
 * @property {string | null} month The month that a calendar was turned to.
 * @property {{name: string, told: import("./wire.js").Profile | null, trouble: string | null} | null} profile
 * @property {{playing: List, finished: List}} lists
 * @property {Lobby} lobby
 * @property {{[game: string]: {turn: number[], you: number | null} | null}} turns Whose turn it is at the own tables;
 *   null while it is asked for.
 * @property {Quick | null} quick
 * @property {boolean} starting A new game is being dealt.
 * @property {Dialog | null} dialog
 * @property {boolean} dismissed Whether the window "no more moves" was closed in this position.
 * @property {{text: string, at: number, slip: boolean} | null} notice A line that passes: one about a slip as soon as
 *   something else is asked of the viewer.
 * @property {string} said What a screen reader shall hear.
 * @property {number} skew How far this device's clock is ahead of the server's, in milliseconds.
 */

import { OFFLINE } from "../net/problem.js";
import { newDaily } from "./days.js";
import { newLobby } from "./lobby.js";

/** @type {Settings} */
export const DEFAULT_SETTINGS = {
  move_errors: false,
  placement_helper: true,
  letter_keys: true,
  theme: "auto",
};

/** @returns {List} */
function emptyList() {
  return { games: [], next: null, state: "new" };
}

/**
 * @param {Partial<State>} given
 * @returns {State}
 */
export function newState(given) {
  return {
    route: { page: "home", id: "" },
    locale: "en",
    me: undefined,
    settings: DEFAULT_SETTINGS,
    link: "off",
    table: null,
    replay: null,
    reading: null,
    daily: null,
    calendar: null,
    month: null,
    profile: null,
    lists: { playing: emptyList(), finished: emptyList() },
    lobby: newLobby(),
    turns: {},
    quick: null,
    starting: false,
    dialog: null,
    dismissed: false,
    notice: null,
    said: "",
    skew: 0,
    ...given,
  };
}

/**
 * @param {State} state
 * @param {Route} route
 * @param {Table | null} table
 */
export function turnTo(state, route, table) {
  state.route = route;
  state.table = table;
  state.dialog = null;
  state.dismissed = false;
  state.said = "";
  state.month = null;
  state.profile = null;
  lookAtDay(state, route);
  if (route.page !== "home" && route.page !== "player") return;
  for (const list of Object.values(state.lists)) list.state = "new";
  state.turns = {};
}

/**
 * The day that a page shows, if it shows one. What is known of it stays until the newer is there.
 *
 * @param {State} state
 * @param {Route} route
 */
function lookAtDay(state, { page, id }) {
  if (page !== "daily" && page !== "home") return;
  const asked = page === "daily" ? id : "";
  if (state.daily?.asked !== asked) state.daily = newDaily(asked);
  due(state);
}

/**
 * A connection that is there (again) has all fetched that could not be.
 *
 * @param {State} state
 * @param {Link} link
 */
export function linked(state, link) {
  state.link = link;
  if (link !== "open") return;
  if (state.daily?.trouble === OFFLINE) due(state);
  for (const list of Object.values(state.lists)) if (list.state === "failed") list.state = "new";
}

/**
 * How the day stands is to be fetched anew.
 *
 * @param {State} state
 */
export function due(state) {
  if (state.daily) state.daily.due = true;
}

/**
 * Whether the page shows a day that is yet to be fetched.
 *
 * @param {State} state
 */
export function dueDay({ route, daily }) {
  return (route.page === "daily" || route.page === "home") && daily?.due ? daily : null;
}

/**
 * Whether the page shows the user's own days, and they are yet to be fetched.
 *
 * @param {State} state
 */
export function dueCalendar({ route, me, calendar }) {
  return (route.page === "daily" || route.page === "home") && me && calendar?.of !== me.id;
}

/**
 * @param {State} state
 * @param {string} of A user's id.
 * @param {import("./wire.js").Calendar | null} told Null while it is on its way.
 */
export function keepDays(state, of, told) {
  if (told) state.calendar = { of, ...told };
  else if (state.calendar?.of !== of) state.calendar = { of, streak: { current: 0, longest: 0 }, days: [] };
}

/**
 * @param {State} state
 * @param {string} name
 * @param {import("./wire.js").Profile | null} told
 * @param {string | null} trouble
 */
export function profiled(state, name, told, trouble) {
  if (state.route.page === "player" && state.route.id === name) state.profile = { name, told, trouble };
}

/**
 * The lists that the page shows and that are yet to be fetched.
 *
 * @param {State} state
 */
export function unlisted(state) {
  const { route, me, lists, starting } = state;
  // Who is about to turn to a game shall not see the page he leaves move.
  if (starting) return [];
  /** @type {("playing" | "finished")[]} */
  const shown =
    me && route.page === "home" ? ["playing", "finished"] : isOwnProfile(state) ? ["finished"] : [];
  return shown.filter(which => lists[which].state === "new");
}

/**
 * Whether the page is the player's own.
 *
 * @param {State} state
 */
export function isOwnProfile({ route, me, profile }) {
  return route.page === "player" && !!me && me.id === profile?.told?.user.id;
}

/**
 * The own tables that are played, as far as nobody has asked whose turn it is there.
 *
 * @param {State} state
 */
export function unasked({ route, lists, turns }) {
  if (route.page !== "home") return [];
  return lists.playing.games.filter(
    ({ id, game, status }) => game === "hearts" && status !== "waiting" && !(id in turns),
  );
}

/**
 * Whether a table of Hearts may be turned to next: somebody who has been here before looks at what there is, or
 * is about to open one. A first visit is not laden with it.
 *
 * @param {State} state
 */
export function expectsHearts({ route, me, lists, starting, dialog }) {
  return (
    route.page === "home" &&
    (dialog?.name === "table" || (!!me && !starting && lists.playing.state === "ready"))
  );
}

/**
 * @param {State} state
 * @param {Summary[]} games
 */
export function askTurns(state, games) {
  for (const { id } of games) state.turns[id] = null;
}

/**
 * @param {State} state
 * @param {{id: string, turn: number[], you: number | null}} view
 */
export function tookTurn(state, { id, turn, you }) {
  if (id in state.turns) state.turns[id] = { turn, you };
}

/**
 * @param {State} state
 * @param {User | null} me
 */
export function identify(state, me) {
  if (state.me?.id !== me?.id) {
    state.lists = { playing: emptyList(), finished: emptyList() };
    state.turns = {};
    // What was about to be done with one account shall not be done with the next.
    if (state.me) state.dialog = null;
  }
  for (const list of Object.values(state.lists)) list.state = "new";
  if (state.me !== undefined) {
    state.calendar = null;
    due(state);
  }
  state.me = me;
}

/**
 * @param {State} state
 * @param {Partial<Settings>} settings
 */
export function adjust(state, settings) {
  state.settings = { ...state.settings, ...settings };
}

/**
 * @template {keyof State} K
 * @param {State} state
 * @param {K} key
 * @param {State[K]} value
 */
export function put(state, key, value) {
  state[key] = value;
}

/**
 * @param {State} state
 * @param {DialogName} name
 * @param {{[field: string]: any}} [data]
 */
export function open(state, name, data = {}) {
  state.dialog = { name, busy: false, error: null, data };
}

/** @param {State} state */
export function close(state) {
  if (state.dialog) state.dialog = null;
  else state.dismissed = true;
}

/**
 * Changes what a dialog shows. One that is closed meanwhile takes nothing of it to the next.
 *
 * @param {State} _
 * @param {Dialog | null} dialog
 * @param {Partial<Dialog>} change
 */
export function amend(_, dialog, change) {
  if (dialog) Object.assign(dialog, change);
}

/**
 * Closes a dialog, if it still is the one that is open.
 *
 * @param {State} state
 * @param {Dialog | null} dialog
 */
export function shut(state, dialog) {
  if (state.dialog === dialog) state.dialog = null;
}

/**
 * @param {State} state
 * @param {string} text
 * @param {number} at
 * @param {boolean} slip
 */
export function notify(state, text, at, slip) {
  state.notice = { text, at, slip };
  say(state, text);
}

/**
 * Has a screen reader speak, also when it hears the same as before.
 *
 * @param {State} state
 * @param {string} text
 */
export function say(state, text) {
  state.said = state.said === text ? `${text}\u00a0` : text;
}

/**
 * @param {State} state
 * @param {"playing" | "finished"} which
 * @param {{games: Summary[], next: string | null} | null} page Null while it is loading.
 * @param {boolean} more Whether it follows what is there.
 */
export function listed(state, which, page, more = false) {
  const list = state.lists[which];
  if (!page) {
    list.state = "loading";
    return;
  }
  list.games = more ? [...list.games, ...page.games] : page.games;
  list.next = page.next;
  list.state = "ready";
}

/**
 * @param {State} state
 * @param {"playing" | "finished"} which
 */
export function listFailed(state, which) {
  state.lists[which].state = "failed";
}

/**
 * The time shown for a game: its clock goes on for at most a minute after the last action.
 *
 * @param {import("./wire.js").View} view
 * @param {number} now The server's present.
 */
export function clock(view, now) {
  const runs = view.clock_at !== null && (view.status === "playing" || view.status === "stuck");
  const since = runs ? now - Date.parse(/** @type {string} */ (view.clock_at)) : 0;
  return view.clock_ms + Math.min(60_000, Math.max(0, since));
}

/**
 * Which window the position itself opens.
 *
 * @param {State} state
 * @returns {"stuck" | null}
 */
export function window(state) {
  const view = state.table?.view;
  return view?.status === "stuck" && view.you !== null && !state.dismissed ? "stuck" : null;
}

/**
 * Whether a window lies over the page.
 *
 * @param {State} state
 */
export function isCovered(state) {
  return state.dialog !== null || window(state) !== null;
}
