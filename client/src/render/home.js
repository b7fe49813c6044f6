// @ts-check
/**
 * The first page: both games at once, the day's deal, open tables, and the own games.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/wire.js").Summary} Summary
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./dom.js").Child} Child
 */
import { t } from "../i18n.js";
import { sitsAt } from "../state/lobby.js";
import { dayCard } from "./daycard.js";
import { h } from "./dom.js";
import { picture } from "./faces.js";
import { icon } from "./icons.js";
import { shelf } from "./shelf.js";
import { lobby } from "./tables.js";

/** @type {import("./dialogs.js").Window | null} Fetched when the first table is to be opened. */
let newTable = null;

/** @param {Actions} act */
async function openTable(act) {
  try {
    newTable ??= (await import("./newtable.js")).newTable;
    act.open("table");
  } catch {
    act.notice(t("error.offline"));
  }
}

/**
 * @param {State} state
 * @param {Actions} act
 */
export function home(state, act) {
  return {
    windows: newTable ? { table: newTable } : {},
    main: [
      h("h1", { class: "unseen" }, t("home.heading")),
      h("div", { class: "both" }, heartToHeart(state, act), hearts(state, act)),
      dayCard(state, act),
      shelf(state, "playing", act),
      lobby(state, act),
      shelf(state, "finished", act),
      h("p", { class: "aside" }, h("a", { href: "/replay" }, t("home.record"))),
    ],
  };
}

/**
 * @param {State} state
 * @param {Actions} act
 */
function heartToHeart(state, act) {
  const last = latest(state, "heart-to-heart");
  const deal = () => act.newGame();
  return hero("heart-to-heart", ["QH", "AH", "KH"], t("home.lead"), [
    last && resume(last, "home.resume"),
    last
      ? doing("plus", "home.new", deal, state.starting)
      : doing("play", "home.play", deal, state.starting, "primary"),
    h("button", { type: "button", class: "quiet large", onclick: () => act.open("code") }, t("home.code")),
  ]);
}

/**
 * @param {State} state
 * @param {Actions} act
 */
function hearts(state, act) {
  const last = latest(state, "hearts");
  return hero("hearts", ["JD", "QS", "AC"], t("home.hearts.lead"), [
    last && resume(last, "home.back"),
    doing("play", "home.quick", act.quickPlay, state.starting, last ? "" : "primary"),
    doing("plus", "home.table", () => openTable(act), state.starting),
  ]);
}

/**
 * The unfinished game that was begun last, but for tables where another plays on for one.
 *
 * @param {State} state
 * @param {string} kind
 */
function latest({ lists, me }, kind) {
  return lists.playing.games.find(each => each.game === kind && sitsAt(each, me));
}

/**
 * @param {"heart-to-heart" | "hearts"} game
 * @param {string[]} cards
 * @param {string} lead
 * @param {Child} doings
 */
function hero(game, cards, lead, doings) {
  return h(
    "section",
    { class: `hero ${game}`, "aria-labelledby": game },
    h("div", {
      class: "fan",
      "aria-hidden": "true",
      created: (/** @type {HTMLElement} */ element) => element.append(...cards.map(still)),
    }),
    h("h2", { id: game }, t(`game.${game}`)),
    h("p", null, lead),
    h("div", { class: "actions" }, doings),
    h("a", { class: "how", href: `/rules/${game}` }, t("home.rules_of", { game: t(`game.${game}`) })),
  );
}

/**
 * @param {Summary} game
 * @param {string} key
 */
function resume(game, key) {
  return h("a", { class: "button primary large", href: `/games/${game.id}` }, icon("play"), t(key));
}

/**
 * @param {import("./icons.js").IconName} sign
 * @param {string} key
 * @param {() => void} onclick
 * @param {boolean} disabled
 * @param {string} [kind]
 */
function doing(sign, key, onclick, disabled, kind = "") {
  return h("button", { type: "button", class: `${kind} large`, key, onclick, disabled }, icon(sign), t(key));
}

/** @param {string} card */
function still(card) {
  const face = document.createElement("span");
  face.className = "still-card";
  face.append(picture(card));
  return face;
}
