// @ts-check
import { speak, t } from "../i18n.js";
import { call } from "../net/api.js";
import { codeOf, Problem } from "../net/problem.js";
import { linkAddress } from "../router.js";
import * as app from "../state/app.js";
import { recall } from "./memory.js";

/**
 * @typedef {import("../state/store.js").Store<import("../state/app.js").State>} Store
 * @typedef {import("../net/socket.js").Connection} Connection
 */

/** The code of our own for a browser that does not keep the session that it was given. */
const NO_COOKIES = "no_cookies";

/**
 * Does what only a user can do. A visitor becomes a guest for it: without a form, the moment that something must be
 * his. The page turns to the guest once all is done, so that it is not drawn in between.
 *
 * @template T
 * @param {Store} store
 * @param {Connection} connection
 * @param {(me: import("../state/wire.js").User) => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function asUser(store, connection, work) {
  await news;
  const me = store.state.me === undefined ? await whoAmI(store) : store.state.me;
  if (me) return work(me);
  if (!navigator.cookieEnabled) throw new Problem(NO_COOKIES);
  return oneByOne(
    () => asGuest(store, connection, work),
    async () => {
      const other = await whoAmI(store);
      if (!other) return asGuest(store, connection, work);
      connection.restart();
      return work(other);
    },
  );
}

/**
 * Two windows of one browser that begin at the same time must end as the same guest: the second waits for the first.
 *
 * @template T
 * @param {() => Promise<T>} first
 * @param {() => Promise<T>} later Done in the place of it by whom another was before.
 * @returns {Promise<T>}
 */
async function oneByOne(first, later) {
  const { locks } = navigator;
  // Browsers have them only where the connection is safe, or the server the same machine.
  if (!locks) return first();
  const done = await locks.request("guest", { ifAvailable: true }, async lock => lock && [await first()]);
  return done ? /** @type {[T]} */ (done)[0] : locks.request("guest", later);
}

/**
 * @template T
 * @param {Store} store
 * @param {Connection} connection
 * @param {(me: import("../state/wire.js").User) => Promise<T>} work
 * @returns {Promise<T>}
 */
async function asGuest(store, connection, work) {
  const { user } = await call("POST", "/api/guests");
  let isKept = true;
  try {
    const [done] = await Promise.all([work(user), keepChoices()]);
    return done;
  } catch (error) {
    isKept = codeOf(error) !== "not_signed_in";
    throw isKept ? error : new Problem(NO_COOKIES);
  } finally {
    if (isKept) become(store, connection, user);
  }
}

/** What the visitor chose before goes with the new account. It is not worth failing for. */
async function keepChoices() {
  const [settings, locale] = [recall("settings"), recall("locale")];
  if (!settings && !locale) return;
  const choices = { ...(settings && { settings }), ...(locale && { locale }) };
  await call("PATCH", "/api/me", choices).catch(codeOf);
}

/** Other windows of this browser, which have the same session. */
const windows = new BroadcastChannel("session");

/** Until it is known who another window has made of this one. */
let news = Promise.resolve();

/**
 * Goes on as another caller: the socket, the lists and the table are told anew, and so are other windows.
 *
 * @param {Store} store
 * @param {Connection} connection
 * @param {import("../state/wire.js").User | null} user
 */
function become(store, connection, user) {
  store.change(app.identify, user);
  connection.restart();
  windows.postMessage(null);
}

/**
 * Asks the server who this device is, and takes over the settings that the account keeps.
 *
 * @param {Store} store
 * @returns {Promise<import("../state/wire.js").User | null>} Null without a session.
 */
export async function whoAmI(store) {
  try {
    const { user, settings, locale } = await call("GET", "/api/me");
    store.change(app.identify, user);
    store.change(app.adjust, settings);
    if (locale && locale !== store.state.locale) {
      if (await speak(locale)) store.change(app.put, "locale", locale);
    }
    return user;
  } catch (error) {
    if (codeOf(error) !== "not_signed_in") throw error;
    store.change(app.identify, null);
    return null;
  }
}

/** The code of our own for a name that nobody may take. */
const RESERVED = "name_reserved";

/** Until the server is asked again who this device is, in milliseconds. */
const PATIENCE = 3000;

/**
 * Who the person is, here and on other devices.
 *
 * @param {import("./actions.js").Context} context
 * @param {(text: string) => void} notice
 */
export function accountActions({ store, connection, visit }, notice) {
  /**
   * Makes a call for the open dialog, which shows that it runs and what went wrong.
   *
   * @param {(dialog: app.Dialog) => Promise<void>} work
   */
  async function inDialog(work) {
    const { dialog } = store.state;
    if (!dialog || dialog.busy) return;
    store.change(app.amend, dialog, { busy: true, error: null });
    try {
      await work(dialog);
      store.change(app.amend, dialog, { busy: false });
    } catch (error) {
      store.change(app.amend, dialog, { busy: false, error: codeOf(error) });
    }
  }

  /** Whether this device changes its own session: the socket may hear that the old one is over before it does. */
  let changing = false;

  /**
   * Calls for another session, and goes on with it.
   *
   * @param {"POST" | "DELETE"} method
   * @param {string} path
   * @param {object} [body]
   * @returns {Promise<import("../state/wire.js").User | null>} Who it is then.
   */
  async function change(method, path, body) {
    changing = true;
    try {
      const user = (await call(method, path, body))?.user ?? null;
      become(store, connection, user);
      return user;
    } finally {
      changing = false;
      connection.hurry();
    }
  }

  /**
   * Ends the session of this device.
   *
   * @param {string} path
   */
  async function leave(path) {
    await change("DELETE", path);
    store.change(app.put, "dialog", null);
    visit("/");
  }

  /** Asks until there is an answer. */
  async function identify() {
    try {
      await whoAmI(store);
    } catch {
      setTimeout(identify, PATIENCE);
    }
  }

  /** Another window here has gone on as another caller. */
  async function follow() {
    const before = store.state.me?.id;
    await identify();
    if (store.state.me?.id !== before) connection.restart();
  }

  windows.onmessage = () => {
    news = follow();
  };

  return {
    identify,

    /** The session of the socket is over: signed out, or another window here has taken a new one. */
    async signedOut() {
      if (changing) return;
      await identify();
      connection.restart();
      if (store.state.me === null) notice(t("account.signed_out_elsewhere"));
    },

    /** @param {{name?: string, password?: string}} given */
    register: given =>
      inDialog(async dialog => {
        const { name = "", password = "" } = given;
        const isNew = !store.state.me;
        try {
          await change("POST", "/api/users", { name, password });
          if (isNew) await keepChoices();
        } catch (error) {
          throw error instanceof Problem && error.reason === "reserved" ? new Problem(RESERVED) : error;
        }
        if (store.state.dialog === dialog) store.change(app.open, "account");
      }),

    /** @param {{name?: string, password?: string, link_code?: string}} given */
    signIn: given =>
      inDialog(async dialog => {
        const user = await change("POST", "/api/sessions", given);
        if (!(await whoAmI(store))) throw new Problem(NO_COOKIES);
        store.change(app.shut, dialog);
        notice(t("account.welcome", { name: user?.name }));
      }),

    signOut: () => inDialog(() => leave("/api/sessions/current")),

    /** @param {{old?: string, new?: string}} given */
    changePassword: given =>
      inDialog(async dialog => {
        await call("PATCH", "/api/me/password", { old: given.old ?? "", new: given.new ?? "" });
        store.change(app.shut, dialog);
        notice(t("account.password_changed"));
      }),

    deleteAccount: () =>
      inDialog(async () => {
        await leave("/api/me");
        notice(t("account.deleted"));
      }),

    /** Lists where the account is signed in. */
    async devices() {
      store.change(app.open, "devices");
      await inDialog(async dialog => {
        const { sessions } = await call("GET", "/api/sessions");
        store.change(app.amend, dialog, { data: { sessions } });
      });
    },

    /** @param {string} id */
    signOutDevice: id =>
      inDialog(async dialog => {
        await call("DELETE", `/api/sessions/${encodeURIComponent(id)}`);
        const { sessions } = await call("GET", "/api/sessions");
        store.change(app.amend, dialog, { data: { sessions } });
      }),

    /** Makes a code that signs a second device in. */
    async linkCode() {
      store.change(app.open, "link");
      await inDialog(async dialog => {
        const code = await asUser(store, connection, () => call("POST", "/api/link-codes"));
        store.change(app.amend, dialog, { data: code });
        // In the body, where no log of a proxy keeps it.
        const picture = await call("POST", "/api/qr", { text: linkAddress(code.code) });
        store.change(app.amend, dialog, { data: { ...code, picture } });
      });
    },
  };
}
