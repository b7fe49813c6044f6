// @ts-check
/**
 * With how many moves a deal was won, as bars.
 *
 * @typedef {import("../state/wire.js").Bar} Bar
 *
 * @typedef {object} Bin
 * @property {number} from Moves, both included; the last bin has no end.
 * @property {number} to
 * @property {number} players
 */
import { number, t } from "../i18n.js";
import { h } from "./dom.js";

/** At most so many bars stand side by side. */
const MOST = 24;
/** What lies beyond this part of the players is put into the last bar. */
const TAIL = 0.97;
const WIDTHS = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
const TALL = 100;
/** A bar that stands for anybody can be seen. */
const LEAST = 3;

/**
 * @param {Bar[]} bars By moves, going up.
 * @param {number | null} own With how many moves the viewer has won.
 * @param {number | null} par
 */
export function histogram(bars, own, par) {
  const all = bins(bars, own);
  const highest = Math.max(1, ...all.map(bin => bin.players));
  const mine = all.findIndex(bin => own !== null && own >= bin.from && own <= bin.to);
  return h(
    "figure",
    { class: "histogram" },
    h(
      "svg",
      {
        viewBox: `0 0 ${all.length * 10} ${TALL}`,
        preserveAspectRatio: "none",
        role: "img",
        "aria-label": summary(bars, own, par),
      },
      all.map(({ players }, i) => {
        const height = players && Math.max(LEAST, (players / highest) * TALL);
        return h("rect", {
          class: i === mine ? "mine" : null,
          x: i * 10 + 1,
          y: TALL - height,
          width: 8,
          height,
        });
      }),
    ),
    h(
      "div",
      { class: "axis", "aria-hidden": "true" },
      h("span", null, number(all[0]?.from ?? 0)),
      all.length > 2 && h("span", null, number(all[Math.floor(all.length / 2)]?.from ?? 0)),
      all.length > 1 && h("span", null, last(all)),
    ),
    h(
      "figcaption",
      null,
      own !== null && h("span", { class: "yours" }, t("histogram.own", { n: own })),
      par !== null && h("span", null, t("histogram.par", { n: par })),
      own !== null && h("span", null, better(bars, own)),
    ),
  );
}

/**
 * Puts neighbours together until there are few enough.
 *
 * @param {Bar[]} bars
 * @param {number | null} own
 * @returns {Bin[]}
 */
export function bins(bars, own) {
  const first = bars[0]?.moves;
  if (first === undefined) return [];
  const end = Math.max(beyond(bars), own ?? 0);
  const width = WIDTHS.find(each => Math.floor(end / each) - Math.floor(first / each) < MOST) ?? 2000;
  const start = Math.floor(first / width) * width;
  const count = Math.floor((end - start) / width) + 1;
  const all = Array.from({ length: count }, (_, i) => ({
    from: start + i * width,
    to: i === count - 1 ? Number.POSITIVE_INFINITY : start + (i + 1) * width - 1,
    players: 0,
  }));
  for (const { moves, players } of bars) {
    const bin = all[Math.min(count - 1, Math.floor((moves - start) / width))];
    if (bin) bin.players += players;
  }
  return all;
}

/**
 * The number of moves with which nearly all have won.
 *
 * @param {Bar[]} bars
 */
function beyond(bars) {
  const enough = TAIL * total(bars);
  let sum = 0;
  for (const { moves, players } of bars) {
    sum += players;
    if (sum >= enough) return moves;
  }
  return 0;
}

/** @param {Bar[]} bars */
function total(bars) {
  return bars.reduce((sum, { players }) => sum + players, 0);
}

/** @param {Bin[]} all */
function last(all) {
  return number(all.at(-1)?.from ?? 0);
}

/**
 * @param {Bar[]} bars
 * @param {number} own
 */
function better(bars, own) {
  const worse = total(bars.filter(({ moves }) => moves > own));
  const others = total(bars) - 1;
  return others > 0 ? t("histogram.better", { percent: Math.round((100 * worse) / others) }) : "";
}

/**
 * @param {Bar[]} bars
 * @param {number | null} own
 * @param {number | null} par
 */
function summary(bars, own, par) {
  const parts = [
    t("histogram.label", { n: total(bars), from: bars[0]?.moves ?? 0, to: bars.at(-1)?.moves ?? 0 }),
    own === null ? "" : t("histogram.own", { n: own }),
    par === null ? "" : t("histogram.par", { n: par }),
  ];
  return parts.filter(Boolean).join(". ");
}
