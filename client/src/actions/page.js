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
  const notice = (/** @type {string} */ text) => {
    const at = Date.now();
    store.change(app.notify, text, at);
    setTimeout(() => {
      if (store.state.notice?.at === at) store.change(app.put, "notice", null);
    }, NOTICE);
  };

  const keep = (/** @type {object} */ changes) => {
    if (store.state.me) call("PATCH", "/api/me", changes).catch(error => notice(t(`error.${codeOf(error)}`)));
  };

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

    reopen: () => store.change(app.put, "dismissed", false),

    /** @param {Partial<app.Settings>} settings */
    adjust(settings) {
      store.change(app.adjust, settings);
      remember("settings", store.state.settings);
      keep({ settings });
    },

    /** @param {import("../i18n.js").Locale} locale */
    async speak(locale) {
      await speak(locale);
      store.change(app.put, "locale", locale);
      remember("locale", locale);
      keep({ locale });
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
        codeOf(error);
        if (latest[which] === mine) store.change(app.listFailed, which);
      }
    },
  };
}
