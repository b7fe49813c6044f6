// @ts-check
/**
 * The window in which a table of Hearts is opened. What is chosen so far is the dialog's own data.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").Dialog} Dialog
 * @typedef {import("../actions/actions.js").Actions} Actions
 *
 * @typedef {object} Wishes
 * @property {keyof typeof PLAYERS} variant
 * @property {number} players
 * @property {number} bots
 * @property {string} level
 * @property {boolean} public
 * @property {number} target
 * @property {string} moon
 * @property {number} turn_seconds
 */
import { number, t } from "../i18n.js";
import { DEFAULTS, PLAYERS } from "../state/lobby.js";
import { h } from "./dom.js";
import { choice, submitted } from "./forms.js";
import { icon } from "./icons.js";

const LEVELS = ["easy", "steady", "sharp"];
const TARGETS = [50, 75, 100, 150];
const MOONS = ["choice", "add", "subtract"];
const SECONDS = [30, 60, 120, 0];

/** @type {Wishes} */
const USUAL = /** @type {any} */ ({ ...DEFAULTS, bots: 0, level: "steady", public: true });

/**
 * @param {State} _
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {import("./dialogs.js").Sheet}
 */
export function newTable(_, act, { busy, error, data }) {
  const wishes = /** @type {Wishes} */ ({ ...USUAL, ...data });
  const wish = (/** @type {Partial<Wishes>} */ change) => act.wish(settled({ ...wishes, ...change }));
  const full = wishes.bots === wishes.players - 1;
  return {
    title: t("new_table.title"),
    body: h(
      "form",
      { class: "stack", onsubmit: submitted(() => act.openTable(order(wishes))) },
      seating(wishes, wish),
      !full && access(wishes, wish),
      h(
        "details",
        { class: "further" },
        h("summary", null, t("new_table.more")),
        h("div", { class: "stack" }, further(wishes, wish)),
      ),
      error && h("p", { class: "error", role: "alert" }, t(`error.${error}`)),
      h(
        "button",
        { type: "submit", class: "primary large", disabled: busy },
        icon(full ? "play" : "plus"),
        t(full ? "new_table.begin" : "new_table.open"),
      ),
    ),
  };
}

/**
 * @param {Wishes} wishes
 * @param {(change: Partial<Wishes>) => void} wish
 */
function seating(wishes, wish) {
  const { variant, players, bots, level } = wishes;
  return [
    choice({
      name: "variant",
      legend: t("new_table.variant"),
      options: Object.keys(PLAYERS).map(each => [each, t(`hearts.variant.${each}`)]),
      value: variant,
      change: each => wish({ variant: /** @type {Wishes["variant"]} */ (each) }),
      hint: t(`new_table.variant.${variant}`),
    }),
    choice({
      name: "players",
      legend: t("new_table.players"),
      options: PLAYERS[variant].map(counted),
      value: String(players),
      change: each => wish({ players: Number(each) }),
    }),
    h(
      "label",
      { class: "field beside" },
      h("span", null, t("new_table.bots")),
      h(
        "select",
        {
          name: "bots",
          value: String(bots),
          onchange: (/** @type {Event} */ event) =>
            wish({ bots: Number(/** @type {HTMLSelectElement} */ (event.target).value) }),
        },
        Array.from({ length: players }, (_, n) =>
          h("option", { value: String(n), selected: n === bots, key: n }, number(n)),
        ),
      ),
    ),
    bots > 0 &&
      choice({
        name: "level",
        legend: t("new_table.level"),
        options: LEVELS.map(each => [each, t(`hearts.level.${each}`)]),
        value: level,
        change: each => wish({ level: each }),
        hint: t(`new_table.level.${level}`),
      }),
  ];
}

/**
 * @param {Wishes} wishes
 * @param {(change: Partial<Wishes>) => void} wish
 */
function access(wishes, wish) {
  const now = wishes.public ? "yes" : "no";
  return choice({
    name: "public",
    legend: t("new_table.public"),
    options: ["yes", "no"].map(each => [each, t(`new_table.public.${each}`)]),
    value: now,
    change: each => wish({ public: each === "yes" }),
    hint: t(`new_table.public.${now}_text`),
  });
}

/**
 * What most tables leave as it is.
 *
 * @param {Wishes} wishes
 * @param {(change: Partial<Wishes>) => void} wish
 */
function further({ target, moon, turn_seconds }, wish) {
  return [
    choice({
      name: "target",
      legend: t("new_table.target"),
      options: TARGETS.map(counted),
      value: String(target),
      change: each => wish({ target: Number(each) }),
    }),
    choice({
      name: "moon",
      legend: t("new_table.moon"),
      options: MOONS.map(each => [each, t(`new_table.moon.${each}`)]),
      value: moon,
      change: each => wish({ moon: each }),
    }),
    choice({
      name: "turn_seconds",
      legend: t("new_table.turn_seconds"),
      options: SECONDS.map(each => [
        String(each),
        each ? t("time.seconds", { n: each }) : t("new_table.no_limit"),
      ]),
      value: String(turn_seconds),
      change: each => wish({ turn_seconds: Number(each) }),
    }),
  ];
}

/**
 * @param {number} n
 * @returns {[value: string, label: string]}
 */
function counted(n) {
  return [String(n), number(n)];
}

/**
 * What goes together: as many seats as the variant has, and one of them one's own.
 *
 * @param {Wishes} wishes
 * @returns {Wishes}
 */
function settled(wishes) {
  const possible = PLAYERS[wishes.variant];
  const least = possible[0];
  const most = /** @type {number} */ (possible.at(-1));
  const players = Math.min(most, Math.max(least, wishes.players));
  return { ...wishes, players, bots: Math.min(wishes.bots, players - 1) };
}

/**
 * The table as the server is asked for it.
 *
 * @param {Wishes} wishes
 */
function order({ bots, level, public: open, ...options }) {
  return { options, bots, level, public: open };
}
