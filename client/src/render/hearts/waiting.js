// @ts-check
/**
 * A table of Hearts whose seats are still filling.
 *
 * @typedef {import("../../state/app.js").State} State
 * @typedef {import("../../state/hearts.js").HeartsView} HeartsView
 * @typedef {import("../../actions/actions.js").Actions} Actions
 * @typedef {import("../../actions/hearts.js").HeartsActions} HeartsActions
 */
import { nameOf } from "../../heartswords.js";
import { t } from "../../i18n.js";
import * as hearts from "../../state/hearts.js";
import { pace } from "../../terms.js";
import { h, takeFocus } from "../dom.js";
import { icon } from "../icons.js";
import { quickWait } from "../quickwait.js";
import { line } from "./figures.js";
import { sign } from "./signs.js";

const LEVELS = ["easy", "steady", "sharp"];

/**
 * @param {State} page
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 * @param {Actions} act
 */
export function waiting(page, view, actions, act) {
  const host = view.players.find(each => each.user);
  if (view.status === "closed") return closed();
  const quick = quickWait(page, act);
  return h(
    "div",
    { class: view.you === null ? "waiting-table" : "waiting-table seated" },
    h(
      "header",
      null,
      h("h1", null, host?.user ? t("hearts.wait.title", { name: host.user.name }) : t("game.hearts")),
      h("p", { class: "hint" }, rules(view)),
    ),
    h(
      "section",
      { class: "places", "aria-labelledby": "places" },
      quick,
      h(
        "h2",
        { id: "places", tabindex: -1 },
        h("span", { role: "status" }, t("hearts.wait.missing", { n: missing(view) })),
      ),
      h(
        "ul",
        null,
        view.players.map((_, seat) => place(page, view, seat, actions)),
      ),
      view.you === null
        ? h(
            "button",
            {
              type: "button",
              class: "button primary large",
              disabled: page.starting,
              onclick: () => actions.join(),
            },
            t("hearts.wait.join"),
          )
        : h(
            "button",
            { type: "button", class: "button quiet", disabled: page.starting, onclick: actions.leaveSeat },
            t("hearts.wait.leave"),
          ),
    ),
    !quick && hearts.isHost(view) && filling(page, actions),
    view.you !== null && invitation(view, actions, act),
  );
}

function closed() {
  return h(
    "section",
    { class: "blank" },
    h("div", { class: "sign" }, icon("lock")),
    h("h1", null, t("hearts.closed.title")),
    h("p", null, t("hearts.closed.text")),
    h("div", { class: "actions" }, h("a", { class: "button primary", href: "/" }, t("trouble.home"))),
  );
}

/** @param {HeartsView} view */
function missing({ players }) {
  return players.filter(each => !each.user && !each.bot).length;
}

/**
 * What is played, in a line.
 *
 * @param {HeartsView} view
 */
function rules({ options }) {
  return line([
    t(`hearts.variant.${options.variant}`),
    t("hearts.option.target", { n: Number(options.target) }),
    t(`hearts.option.moon_${options.moon}`),
    pace(Number(options.turn_seconds)),
  ]);
}

/**
 * @param {State} page
 * @param {HeartsView} view
 * @param {number} seat
 * @param {HeartsActions} actions
 */
function place(page, view, seat, actions) {
  const player = view.players[seat];
  const taken = player?.user ?? player?.bot;
  const away = hearts.isAway(view, seat);
  return h(
    "li",
    { class: taken ? (away ? "taken away" : "taken") : "free", key: seat },
    player?.bot ? sign("bot") : away ? sign("away") : icon("user"),
    h(
      "span",
      null,
      h("strong", null, nameOf(view, seat), seat === view.you && h("em", null, ` · ${t("hearts.you")}`)),
      h(
        "small",
        null,
        player?.bot ? t(`hearts.level.${player.bot.level}`) : away ? t("hearts.seat.away") : "",
      ),
    ),
    !taken &&
      view.you === null &&
      h(
        "button",
        {
          type: "button",
          class: "button",
          disabled: page.starting,
          "aria-label": t("hearts.wait.sit_at", { n: seat + 1 }),
          onclick: () => actions.join(seat),
          removed: toHeading,
        },
        t("hearts.wait.sit"),
      ),
    !taken &&
      hearts.isHost(view) &&
      h(
        "button",
        {
          type: "button",
          class: "button",
          disabled: page.starting,
          "aria-label": t("hearts.wait.bot_at", { n: seat + 1 }),
          onclick: () => actions.fill(level(), seat),
          removed: toHeading,
        },
        sign("bot"),
        t("hearts.wait.bot"),
      ),
  );
}

/** Who has taken or filled a seat goes on where it says how many are free. */
function toHeading() {
  takeFocus(document.getElementById("places"));
}

/** The strength that is chosen for bots. */
function level() {
  const chosen = document.querySelector("input[name=level]:checked");
  return chosen instanceof HTMLInputElement ? chosen.value : "steady";
}

/**
 * @param {State} page
 * @param {HeartsActions} actions
 */
function filling(page, actions) {
  return h(
    "form",
    {
      class: "fill stack",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        actions.fill(level());
      },
    },
    h(
      "fieldset",
      { class: "choice" },
      h("legend", null, t("hearts.wait.level")),
      h(
        "div",
        null,
        LEVELS.map(each =>
          h(
            "label",
            { key: each },
            h("input", {
              type: "radio",
              name: "level",
              value: each,
              created: (/** @type {HTMLInputElement} */ input) => {
                input.checked = each === "steady";
              },
            }),
            h("span", null, t(`hearts.level.${each}`)),
          ),
        ),
      ),
    ),
    h(
      "button",
      { type: "submit", class: "primary", disabled: page.starting },
      icon("play"),
      t("hearts.wait.fill"),
    ),
  );
}

/**
 * @param {HeartsView} view
 * @param {HeartsActions} actions
 * @param {Actions} act
 */
function invitation({ id }, actions, act) {
  const address = `${location.origin}/games/${id}`;
  return h(
    "section",
    { class: "invitation", "aria-labelledby": "invitation" },
    h("h2", { id: "invitation" }, t("hearts.wait.invite")),
    h("p", null, t("hearts.wait.invite_text")),
    h("p", { class: "address" }, h("output", null, address)),
    h(
      "div",
      { class: "actions" },
      h("button", { type: "button", onclick: () => act.copy(address) }, icon("copy"), t("replay.share")),
      "share" in navigator &&
        h(
          "button",
          { type: "button", onclick: () => actions.invite(address) },
          icon("share"),
          t("hearts.wait.share"),
        ),
    ),
    h("img", { class: "qr", src: `/api/qr?text=${encodeURIComponent(address)}`, alt: t("hearts.wait.qr") }),
  );
}
