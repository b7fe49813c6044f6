// @ts-check
/** How to play Hearts and its variants. */
import { number, t } from "../i18n.js";
import { h } from "../render/dom.js";
import { chapter, head, showing, still } from "./chapters.js";

/** @param {string} key */
const say = key => t(`hearts_rules.${key}`);

/** @type {[players: number, left_out: string[], each: number][]} */
const ONE_DECK = [
  [3, ["2D"], 17],
  [4, [], 13],
  [5, ["2C", "2D"], 10],
  [6, ["3C", "4C", "2D", "3D"], 8],
  [7, ["3C", "2D", "3D"], 7],
];

const TWO_DECKS = { cards: 104, players: [6, 7, 8, 9, 10] };

export function heartsRules() {
  return {
    title: t("title.hearts_rules"),
    main: h(
      "article",
      { class: "rules" },
      head("hearts", say),
      chapter(say, "goal", 1, showing(say("goal.picture"), ["2H", "9H", "KH", "AH", "QS"])),
      deal(),
      chapter(say, "pass", 2, showing(say("pass.picture"), ["QS", "KS", "AS"])),
      chapter(say, "first", 2),
      chapter(say, "tricks", 2, showing(say("tricks.picture"), ["9D", "KD", "QS", "3D"], { winner: 1 })),
      chapter(say, "broken", 1),
      chapter(say, "moon", 2),
      chapter(say, "end", 1),
      chapter(say, "omnibus", 1, showing(say("omnibus.picture"), ["JD"])),
      cancellation(),
      chapter(say, "table", 4),
      chapter(say, "fair", 1),
      h("div", { class: "actions" }, h("a", { class: "button primary", href: "/" }, say("play"))),
    ),
  };
}

function deal() {
  return h(
    "section",
    null,
    h("h2", null, say("deal.title")),
    h("p", null, say("deal.1")),
    counts(
      "left_out",
      ONE_DECK.map(([players, cards, each]) => [players, leftOut(cards), each]),
    ),
    h("p", null, say("deal.2")),
  );
}

/** @param {string[]} cards */
function leftOut(cards) {
  if (!cards.length) return say("none");
  return h(
    "span",
    { class: "row" },
    cards.map(card => still(card)),
  );
}

function cancellation() {
  const { cards, players } = TWO_DECKS;
  return h(
    "section",
    null,
    h("h2", null, say("cancellation.title")),
    h("p", null, say("cancellation.1")),
    counts(
      "widow",
      players.map(n => [n, cards % n ? number(cards % n) : say("none"), Math.floor(cards / n)]),
    ),
    [2, 3, 4].map(n => h("p", null, say(`cancellation.${n}`))),
    showing(say("cancellation.picture"), ["AD", "7D", "JD", "AD", "4D", "5C"], {
      winner: 2,
      cancelled: [0, 3],
    }),
  );
}

/**
 * How many cards each gets, by the number of players.
 *
 * @param {"left_out" | "widow"} apart What the column in the middle tells.
 * @param {[players: number, apart: import("../render/dom.js").Child, each: number][]} rows
 */
function counts(apart, rows) {
  const columns = ["players", apart, "each"];
  return h(
    "table",
    { class: "counts" },
    h(
      "thead",
      null,
      h(
        "tr",
        null,
        columns.map(each => h("th", { scope: "col" }, say(each))),
      ),
    ),
    h(
      "tbody",
      null,
      rows.map(([players, middle, each]) =>
        h(
          "tr",
          null,
          h("th", { scope: "row" }, number(players)),
          h("td", null, middle),
          h("td", null, number(each)),
        ),
      ),
    ),
  );
}
