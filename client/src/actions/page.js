// @ts-check
import { speak, t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf } from "../net/problem.js";
import * as app from "../state/app.js";
import { remember } from "./memory.js";

/** How long a passing line stays, in milliseconds. */
const NOTICE = 2600;

/**
 * Dialogs, notices, settings, lists.
 *
 * @param {import("./actions.js").Context} context
 */
export function pageActions({ store }) {
  const notice = (/** @type {string} */ text, slip = false) => {
    const at = Date.now();
    store.change(app.notify, text, at, slip);
    setTimeout(() => {
      if (store.state.notice?.at === at) store.change(app.put, "notice", null);
    }, NOTICE);
  };

  /**
   * Has the account keep what was chosen.
   *
   * @param {object} changes
   * @returns {Promise<string | null>} The code of what went wrong.
   */
  async function keep(changes) {
    try {
      if (store.state.me) await call("PATCH", "/api/me", changes);
      return null;
    } catch (error) {
      return codeOf(error);
    }
  }

  let saving = 0;
  /** What the account has, as far as the server has answered. */
  let kept = store.state.settings;

  /** @param {app.Settings} settings */
  function take(settings) {
    store.change(app.adjust, settings);
    remember("settings", settings);
  }

  /**
   * @param {import("../i18n.js").Locale} locale
   * @returns {Promise<boolean>} Whether its words could be fetched, and no others are wanted by now.
   */
  async function turnTo(locale) {
    try {
      if (!(await speak(locale))) return false;
    } catch {
      notice(t("error.offline"));
      return false;
    }
    store.change(app.put, "locale", locale);
    remember("locale", locale);
    return true;
  }

  // Only the latest answer counts: an earlier one may be about another caller.
  let listings = 0;
  const latest = { playing: 0, finished: 0 };

  return {
    notice,

    redraw: () => store.change(() => {}),

    /**
     * @param {app.DialogName} name
     * @param {{[field: string]: any}} [data]
     */
    open: (name, data) => store.change(app.open, name, data),

    close: () => store.change(app.close),

    /** Whether a single letter or sign does something. */
    lettersAct: () => store.state.settings.letter_keys,

    reopen: () => store.change(app.put, "dismissed", false),

    /**
     * Changes settings, and goes back to what the account has if it can't be told of them.
     *
     * @param {Partial<app.Settings>} settings
     */
    async adjust(settings) {
      if (!saving++) kept = store.state.settings;
      take({ ...store.state.settings, ...settings });
      const problem = await keep({ settings });
      if (!problem) kept = { ...kept, ...settings };
      if (!--saving) take(kept);
      if (problem) notice(t(`error.${problem}`));
    },

    /** @param {import("../i18n.js").Locale} locale */
    async speak(locale) {
      const before = /** @type {import("../i18n.js").Locale} */ (store.state.locale);
      if (!(await turnTo(locale))) return;
      const problem = await keep({ locale });
      if (problem && store.state.locale === locale) await turnTo(before);
      if (problem) notice(t(`error.${problem}`));
    },

    /** @param {string} text */
    async copy(text) {
      try {
        await navigator.clipboard.writeText(text);
        notice(t("info.copied", { text }));
      } catch {
        notice(t("info.not_copied", { text }));
      }
    },

    /**
     * Fetches own games.
     *
     * @param {"playing" | "finished"} which
     * @param {boolean} [more] The page after those that are shown.
     */
    async list(which, more = false) {
      const list = store.state.lists[which];
      const cursor = more && list.next ? `&cursor=${encodeURIComponent(list.next)}` : "";
      const mine = ++listings;
      latest[which] = mine;
      store.change(app.listed, which, null);
      try {
        const page = await call("GET", `/api/games?mine=1&status=${which}${cursor}`);
        if (latest[which] === mine) store.change(app.listed, which, page, more);
      } catch (error) {
        const code = codeOf(error);
        if (latest[which] !== mine) return;
        store.change(app.listFailed, which);
        if (more) notice(t(`error.${code}`));
      }
    },
  };
}
