// @ts-check
/**
 * What is around every page: the bar, what is said in passing, the dialogs.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./dom.js").Child} Child
 * @typedef {object} Shown
 * @property {string} [title]
 * @property {string} [body] The look of the page, where it is that of another.
 * @property {Child} [bar]
 * @property {Child} main
 * @property {Child} [foot]
 * @property {Record<string, import("./dialogs.js").Window>} [windows] Those that only this page has.
 *
 * @typedef {(state: State, act: Actions) => Shown} Page
 */
import { t } from "../i18n.js";
import { isCovered } from "../state/app.js";
import { dialog } from "./dialogs.js";
import { h, patch } from "./dom.js";
import { game } from "./game.js";
import { home } from "./home.js";
import { icon, logo } from "./icons.js";
import { later } from "./later.js";
import { instead } from "./states.js";

/** @type {Record<string, Page>} */
const PAGES = {
  home,
  game,
  missing: (_, act) => instead("not_found", act),
};

/**
 * @param {Element} root
 * @param {State} state
 * @param {Actions} act
 */
export function draw(root, state, act) {
  const { page, id } = state.route;
  // Even the same language, set anew, has the browser style every element again.
  if (document.documentElement.lang !== state.locale) document.documentElement.lang = state.locale;
  if (state.settings.theme === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = state.settings.theme;
  const kind = pageOf(state);
  const shown = (PAGES[kind] ?? later(kind, state.route, act))(state, act);
  const { title: own, body, bar, main, foot, windows } = shown;
  document.body.dataset.page = body ?? page;
  document.body.toggleAttribute("data-board", Boolean(bar));
  document.title = own ?? title(state);
  const first = !root.hasChildNodes();
  patch(root, [
    h("a", { class: "skip", href: "#main", onclick: skip }, t("nav.skip")),
    header(state, act, bar),
    h("main", { id: "main", tabindex: -1, key: `${page}/${id}`, ...(!first && { created: focus }) }, main),
    h("footer", { class: foot ? "foot" : "foot empty" }, foot),
    h("aside", { class: "passing", "aria-label": t("nav.notices") }, passing(state)),
    h("p", { class: "unseen", role: "status", "aria-live": "polite" }, state.said),
    ...dialog(state, act, windows, overDialog(state)),
  ]);
}

/** @param {Event} event */
function skip(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {HTMLElement} page One that was turned to: who reads by ear hears of it, and Tab goes on from there. */
function focus(page) {
  page.focus({ preventScroll: true });
}

/**
 * A game's page is its kind's.
 *
 * @param {State} state
 */
function pageOf({ route, table }) {
  return route.page === "game" && table?.view?.game === "hearts" ? "hearts" : route.page;
}

/** @param {State} state */
function title({ route, table }) {
  if (route.page === "game" && table?.view) return t("title.game", { code: table.view.deal });
  return t("title.home");
}

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Child} bar
 */
function header(state, act, bar) {
  const { page } = state.route;
  const here = (/** @type {string[]} */ ...names) => names.includes(page) && "page";
  return h(
    "header",
    { class: bar ? "bar busy" : "bar" },
    h("a", { class: "brand", href: "/", "aria-label": t("nav.brand") }, logo(), h("span", null, "Heartline")),
    bar ||
      h(
        "nav",
        { "aria-label": t("nav.label") },
        h("a", { href: "/", "aria-current": here("home") }, t("nav.home")),
        h("a", { href: "/daily", "aria-current": here("daily") }, t("nav.daily")),
        h(
          "a",
          { href: "/rules/heart-to-heart", "aria-current": here("rules", "hearts-rules") },
          t("nav.rules"),
        ),
      ),
    h(
      "div",
      { class: "tools" },
      h(
        "button",
        {
          type: "button",
          class: "tool account",
          onclick: () => act.open("account"),
          "aria-label": accountLabel(state),
        },
        icon("user"),
        // Nobody is told to sign in before it is known who he is; the room for it is kept.
        h("span", { class: state.me === undefined && "unknown" }, accountName(state)),
      ),
      h(
        "button",
        {
          type: "button",
          class: "tool",
          onclick: () => act.open("settings"),
          "aria-label": t("controls.settings"),
        },
        icon("sliders"),
      ),
    ),
  );
}

/** @param {State} state */
function accountName({ me }) {
  if (!me) return t("account.sign_in");
  return me.guest ? t("account.guest") : me.name;
}

/** @param {State} state */
function accountLabel({ me }) {
  if (me === undefined) return t("account.visitor_title");
  if (!me) return t("account.sign_in");
  return me.guest ? t("account.as_guest") : t("account.as", { name: me.name });
}

/** @param {State} state */
function passing(state) {
  return [
    state.link === "lost" && lost(),
    state.notice && !isCovered(state) && pill("notice", [state.notice.text]),
  ];
}

/**
 * What passes while a dialog is open stands within it: all else is under its veil, and out of reach of a screen reader.
 *
 * @param {State} state
 */
function overDialog({ notice, link }) {
  if (notice) return h("div", { class: "passing", role: "alert" }, pill("told", [notice.text]));
  return link === "lost" && h("div", { class: "passing" }, lost());
}

function lost() {
  return pill("lost", [h("span", { class: "spinner", "aria-hidden": "true" }), t("link.lost")]);
}

/**
 * @param {string} key
 * @param {Child[]} children
 */
function pill(key, children) {
  return h("p", { class: `pill ${key}`, key }, children);
}
