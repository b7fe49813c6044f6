// @ts-check
import { makeActions } from "./actions/actions.js";
import { recall } from "./actions/memory.js";
import { locale } from "./ahead.js";
import * as keys from "./events/keys.js";
import * as links from "./events/links.js";
import { speak } from "./i18n.js";
import { clockSkew } from "./net/api.js";
import { Connection } from "./net/socket.js";
import { preload } from "./render/later.js";
import { draw } from "./render/shell.js";
import { linkCodeIn, route } from "./router.js";
import * as app from "./state/app.js";
import { isDate } from "./state/days.js";
import { Store } from "./state/store.js";
import { newTable, receive } from "./state/table.js";

const store = new Store(
  app.newState({
    locale,
    settings: { ...app.DEFAULT_SETTINGS, ...recall("settings") },
  }),
  redraw => requestAnimationFrame(redraw),
);

const connection = new Connection(
  () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`),
  link => store.change(app.put, "link", link),
  () => act.signedOut(),
);

const act = makeActions({ store, connection, visit, enter });

/** @param {string} path */
function visit(path) {
  if (path !== location.pathname + location.hash) history.pushState(null, "", path);
  arrive();
  scrollTo(0, 0);
  document.getElementById("main")?.focus({ preventScroll: true });
}

/** @param {import("./state/wire.js").View} view */
function enter(view) {
  visit(`/games/${view.id}`);
  const { table } = store.state;
  if (table) store.change(() => receive(table, view));
}

/** Turns to the page that the address names. */
function arrive() {
  const { table, replay } = store.state;
  const next = route(location.pathname, location.hash);
  // A jump within the page, to its content for instance, leaves the replay where it is.
  if (replay?.id && next.id === replay.id && (next.page === "replay" || location.hash)) {
    if (next.ply !== undefined) act.turn(next.ply);
    return;
  }
  if (next.page === "game" && table?.id === next.id) {
    store.change(app.put, "dialog", null);
    return;
  }
  if (table) act.leave(table);
  if (replay) act.endReplay();
  act.leaveDay();
  act.leaveLobby();
  const entered = next.page === "game" ? newTable(next.id) : null;
  store.change(app.turnTo, next, entered);
  if (entered) act.watch(entered);
  if (next.page === "home") act.enterLobby();
  if (next.page === "replay") act.replay(next.id, next.ply ?? 0);
  if (next.page === "record" && isDate(next.id)) act.openPerfect(next.id);
  if (next.page === "player") act.fetchPlayer(next.id);
}

/** Offers to sign this device in if it came by the link code that another one shows. */
function offerLink() {
  const code = linkCodeIn(location.hash);
  if (code === null) return;
  history.replaceState(null, "", location.pathname);
  store.change(app.open, "signin", { way: "code", code });
}

async function start() {
  await speak(locale);
  store.listen(state => draw(/** @type {Element} */ (document.getElementById("app")), state, act));
  store.listen(state => {
    for (const which of app.unlisted(state)) act.list(which);
    const day = app.dueDay(state);
    if (day) act.fetchDay(day, state.route.page === "daily");
    if (app.dueCalendar(state)) act.fetchCalendar();
    const tables = app.unasked(state);
    if (tables.length) act.fetchTurns(tables);
    act.watchQuick();
    if (app.expectsHearts(state)) preload("hearts", "low");
  });
  keys.listen(() => store.state, act);
  links.listen(visit, arrive);
  addEventListener("offline", () => connection.lose());
  addEventListener("online", () => connection.hurry());
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) connection.hurry();
  });
  act.resumeQuick();
  arrive();
  offerLink();
  act.identify();
  clockSkew().then(
    skew => store.change(app.put, "skew", skew),
    () => {},
  );
}

start();
