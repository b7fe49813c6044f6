// @ts-check
/**
 * What stands in the middle of a table of Hearts where no trick lies: the pass, the moon's choice, held cards.
 *
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../state/table.js").Table} Table
 * @typedef {import("../../actions/hearts.js").HeartsActions} HeartsActions
 * @typedef {import("../dom.js").Node} Node
 */
import { name as cardName } from "../../cards.js";
import { fullMoon, minus, nameOf, shortAll, who, whom } from "../../heartswords.js";
import { list, t } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { inLine } from "../../terms.js";
import { h } from "../dom.js";
import { picture } from "../faces.js";
import { sign } from "./signs.js";

/**
 * What the viewer is asked to decide.
 *
 * @param {Table} table
 * @param {HeartsView} view
 * @param {HeartsActions} act
 * @returns {Node[] | null}
 */
export function asked(table, view, act) {
  const task = hearts.task(view);
  if (task === "pass") return [passing(table, view, act)];
  return task === "moon" ? [moon(table, view, act)] : null;
}

/**
 * What there is to be seen.
 *
 * @param {HeartsView} view
 * @returns {Node[]}
 */
export function middle(view) {
  const { status, sent, you, held: cards } = view;
  if (status === "passing") return sent && you !== null ? [passed(view, sent, you)] : [];
  return cards.length ? [held(cards)] : [];
}

/**
 * @param {Table} table
 * @param {HeartsView} view
 * @param {HeartsActions} act
 */
function passing(table, view, act) {
  const { to } = hearts.neighbours(view, view.you ?? 0);
  const sending = table.sent?.kind === "move";
  return h(
    "div",
    { class: "panel-of-pass", key: "pass" },
    h("p", { "aria-live": "polite" }, t("hearts.pass.chosen", { n: table.chosen.length })),
    h(
      "button",
      {
        type: "button",
        class: "button primary large",
        disabled: !sending && !hearts.canPass(table),
        "aria-busy": sending && "true",
        onclick: act.pass,
      },
      sign(view.pass),
      t("hearts.pass.button", { name: nameOf(view, to) }),
    ),
  );
}

/**
 * @param {HeartsView} view
 * @param {string[]} sent
 * @param {number} you
 */
function passed(view, sent, you) {
  const name = nameOf(view, hearts.neighbours(view, you).to);
  return h(
    "p",
    { class: "note", key: "passed" },
    h("span", { "aria-hidden": "true" }, t("hearts.pass.sent", { name, cards: shortAll(sent) })),
    h("span", { class: "unseen" }, t("hearts.pass.sent", { name, cards: list(sent.map(cardName)) })),
  );
}

/**
 * @param {Table} table
 * @param {HeartsView} view
 * @param {HeartsActions} act
 */
function moon(table, view, act) {
  const { totals, you } = view;
  const n = fullMoon(view);
  const own = t("hearts.said.points", {
    name: whom(view, you ?? 0),
    points: minus((totals[you ?? 0] ?? 0) - n),
  });
  const option = (/** @type {"add" | "subtract"} */ what, /** @type {string} */ then) =>
    h(
      "button",
      { type: "button", class: "button", disabled: table.sent !== null, onclick: () => act.moon(what) },
      h("strong", null, t(`hearts.moon.${what}`, { n })),
      h("small", null, t("hearts.moon.then", { totals: then })),
    );
  return h(
    "section",
    { class: "moon", key: "moon", "aria-labelledby": "moon" },
    h("h2", { id: "moon" }, sign("away"), t("hearts.moon.title")),
    option("add", inLine(raised(view, n))),
    option("subtract", own),
  );
}

/**
 * How the others stand with so many points more, the best first. Of many those tell who win and who end the game.
 *
 * @param {HeartsView} view
 * @param {number} n
 */
function raised(view, n) {
  const others = view.totals
    .map((total, seat) => ({ seat, total: total + n }))
    .filter(({ seat }) => seat !== view.you)
    .sort((one, other) => one.total - other.total)
    .map(({ seat, total }) => t("hearts.said.points", { name: nameOf(view, seat), points: minus(total) }));
  const [best = "", second, ...rest] = others;
  return rest.length > 2 ? [best, `${second} …`, rest.at(-1) ?? ""] : others;
}

/** @param {string[]} cards */
function held(cards) {
  return h(
    "div",
    {
      class: "held",
      key: "held",
      role: "img",
      "aria-label": t("hearts.held", { n: cards.length, cards: list(cards.map(cardName)) }),
    },
    cards.map((card, i) =>
      h("span", {
        key: `${card}${i}`,
        "data-card": card,
        created: (/** @type {HTMLElement} */ node) => node.append(picture(card)),
      }),
    ),
  );
}

/**
 * What the viewer passed and got in this hand, in words.
 *
 * @param {HeartsView} view
 */
export function exchange(view) {
  const { you, sent, received } = view;
  if (you === null || !sent) return [];
  const { to, from } = hearts.neighbours(view, you);
  return [
    t("hearts.pass.sent", { name: nameOf(view, to), cards: shortAll(sent) }),
    received && t("hearts.pass.got", { name: who(view, from), cards: shortAll(received) }),
  ].filter(each => each !== null);
}
