// @ts-check
/**
 * Pages that are fetched when first visited, and what stands in their place meanwhile.
 *
 * @typedef {import("../state/app.js").Route} Route
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./shell.js").Page} Page
 *
 * @typedef {object} Later
 * @property {string[]} sheets
 * @property {readonly string[]} [modules] All that its module imports, however deep, and a first visit does not.
 * @property {() => Promise<Page>} fetch
 */
import { t } from "../i18n.js";
import { h } from "./dom.js";
import { trouble } from "./states.js";
import { style, TABLE_OF_HEARTS } from "./style.js";

/** What a table of Hearts is made of: asked for at once, so that none waits for the one that imports it. */
const HEARTS = [
  "actions/hearts",
  "events/hearts",
  "heartssaid",
  "heartswords",
  "pages/hearts",
  "render/forms",
  "render/hearts/ending",
  "render/hearts/figures",
  "render/hearts/focus",
  "render/hearts/hand",
  "render/hearts/laid",
  "render/hearts/layout",
  "render/hearts/measures",
  "render/hearts/message",
  "render/hearts/middle",
  "render/hearts/paper",
  "render/hearts/ring",
  "render/hearts/round",
  "render/hearts/scores",
  "render/hearts/seats",
  "render/hearts/signs",
  "render/hearts/table",
  "render/hearts/waiting",
  "render/hearts/windows",
  "render/quickwait",
  "render/unbroken",
  "state/hearts",
];

/** @type {Record<string, Later>} */
const LATER = {
  rules: { sheets: ["rules"], fetch: async () => (await import("../pages/rules.js")).rules },
  "hearts-rules": {
    sheets: ["rules"],
    fetch: async () => (await import("../pages/hearts-rules.js")).heartsRules,
  },
  replay: { sheets: ["replay"], fetch: async () => (await import("../pages/replay.js")).replay },
  record: { sheets: ["replay", "record"], fetch: async () => (await import("../pages/record.js")).record },
  daily: {
    sheets: ["days", "results", "calendar"],
    fetch: async () => (await import("../pages/daily.js")).daily,
  },
  player: { sheets: ["days", "calendar"], fetch: async () => (await import("../pages/player.js")).player },
  hearts: {
    sheets: [...TABLE_OF_HEARTS, "hearts-waiting", "hearts-windows", "hearts-end"],
    modules: HEARTS,
    fetch: async () => (await import("../pages/hearts.js")).hearts,
  },
};

/** @type {Map<string, Page>} Those that are here. */
const fetched = new Map();

/** @type {Set<string>} Those that are on their way. */
const coming = new Set();

/** @type {Map<string, Route>} Pages that could not be fetched, with the visit that wanted them: the next tries again. */
const failed = new Map();

/** @type {Set<string>} Those whose modules have been asked for. */
const preloaded = new Set();

/**
 * The page, or what stands in its place while it is not there.
 *
 * @param {string} page
 * @param {Route} route
 * @param {Actions} act
 * @returns {Page}
 */
export function later(page, route, act) {
  const here = fetched.get(page);
  if (here) return here;
  if (failed.get(page) === route) return () => ({ main: trouble("offline", { ...act, retry: again }) });
  if (!coming.has(page)) fetchPage(page, route, act);
  return () => ({ main: h("div", { class: "blank", role: "status" }, t("table.loading")) });

  function again() {
    failed.delete(page);
    act.redraw();
  }
}

/**
 * @param {string} page
 * @param {Route} route
 * @param {Actions} act
 */
async function fetchPage(page, route, act) {
  const { sheets, fetch } = /** @type {Later} */ (LATER[page]);
  coming.add(page);
  preload(page, "auto");
  try {
    const [here] = await Promise.all([fetch(), ...sheets.map(style)]);
    fetched.set(page, here);
  } catch {
    failed.set(page, route);
  }
  coming.delete(page);
  act.redraw();
}

/**
 * Has the browser fetch the modules of a page.
 *
 * @param {string} page
 * @param {"low" | "auto"} priority Low for a page that may never be visited.
 */
export function preload(page, priority) {
  if (preloaded.has(page)) return;
  preloaded.add(page);
  for (const name of LATER[page]?.modules ?? []) {
    const link = document.createElement("link");
    link.rel = "modulepreload";
    link.href = `/client/src/${name}.js`;
    link.fetchPriority = priority;
    document.head.append(link);
  }
}
