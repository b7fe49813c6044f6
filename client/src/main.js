// @ts-check
import { makeActions } from "./actions/actions.js";
import { recall } from "./actions/memory.js";
import { locale } from "./ahead.js";
import { Address } from "./events/address.js";
import * as keys from "./events/keys.js";
import * as links from "./events/links.js";
import { speak, t } from "./i18n.js";
import { clockSkew } from "./net/api.js";
import { Connection } from "./net/socket.js";
import { preload } from "./render/later.js";
import { draw } from "./render/shell.js";
import { linkCodeIn, route } from "./router.js";
import * as app from "./state/app.js";
import { Store } from "./state/store.js";
import { newTable, receive } from "./state/table.js";

/** What stands there while the words of the page can't be fetched. */
const UNREACHED = {
  en: "The table can’t be reached. Trying again…",
  th: "เชื่อมต่อโต๊ะไม่ได้ กำลังลองใหม่…",
  vi: "Không kết nối được với bàn. Đang thử lại…",
};

/** Until they are asked for again, in milliseconds. */
const PATIENCE = 3000;

const store = new Store(
  app.newState({
    locale,
    settings: { ...app.DEFAULT_SETTINGS, ...recall("settings") },
  }),
  redraw => requestAnimationFrame(redraw),
);

const connection = new Connection(
  () => new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/ws`),
  link => store.change(app.linked, link),
  () => act.signedOut(),
);

const act = makeActions({ store, connection, visit, enter });

const address = new Address(() => act.close(), turned);

/**
 * @param {string} path
 * @param {() => void} [then]
 */
function visit(path, then) {
  address.visit(path, () => {
    arrive();
    scrollTo(0, 0);
    then?.();
  });
}

/** @param {import("./state/wire.js").View} view */
function enter(view) {
  visit(`/games/${view.id}`, () => {
    const { table } = store.state;
    if (table) store.change(() => receive(table, view));
  });
}

/** The browser has turned back or forward. A page that only has another entry of its own in the history stays as it is. */
function turned() {
  const { route: before } = store.state;
  const next = route(location.pathname, location.hash);
  if (next.page !== before.page || next.id !== before.id || next.ply !== before.ply) arrive();
}

/** Turns to the page that the address names. */
function arrive() {
  const { table, replay, route: before } = store.state;
  const next = route(location.pathname, location.hash);
  if (next.page === "replay" && replay && next.id === replay.id) {
    act.turn(next.ply ?? 0);
    return;
  }
  if (next.page === "game" && table?.id === next.id) {
    store.change(app.put, "dialog", null);
    return;
  }
  if (table) act.leave(table);
  if (before.page === "replay" || before.page === "record") act.endReplay();
  act.leaveDay();
  act.leaveLobby();
  const entered = next.page === "game" ? newTable(next.id) : null;
  store.change(app.turnTo, next, entered);
  if (entered) act.watch(entered);
  if (next.page === "home") act.enterLobby();
  if (next.page === "replay") act.replay(next.id, next.ply ?? 0);
  if (next.page === "record" && next.id) act.openPerfect(next.id);
  if (next.page === "player") act.fetchPlayer(next.id);
}

/** Offers to sign this device in if it came by the link code that another one shows. */
function offerLink() {
  const code = linkCodeIn(location.hash);
  if (code === null) return;
  history.replaceState(null, "", location.pathname);
  store.change(app.open, "signin", { way: "code", code });
}

/** Fetches the words of the page, however long the network is away. */
async function words() {
  const app = /** @type {Element} */ (document.getElementById("app"));
  while (!(await speak(locale).catch(() => false))) {
    const blank = Object.assign(document.createElement("div"), { className: "blank" });
    blank.append(
      ...Object.entries(UNREACHED).map(([lang, text]) =>
        Object.assign(document.createElement("p"), { lang, textContent: text }),
      ),
    );
    app.replaceChildren(blank);
    await new Promise(resolve => setTimeout(resolve, PATIENCE));
  }
  app.replaceChildren();
}

/** Whether it was said that the connection is lost. */
let isLostSaid = false;

/** @param {app.State} state */
function sayLink({ link }) {
  if (link === "open") isLostSaid = false;
  if (link !== "lost" || isLostSaid) return;
  isLostSaid = true;
  store.change(app.say, t("link.lost"));
}

async function start() {
  await words();
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
    address.cover(app.isCovered(state));
    sayLink(state);
  });
  keys.listen(() => store.state, act);
  links.listen(visit);
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
