// @ts-check
/**
 * The dialogs about the person and his devices.
 *
 * @typedef {import("../state/app.js").State} State
 * @typedef {import("../state/app.js").Dialog} Dialog
 * @typedef {import("../state/wire.js").Device} Device
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("./dialogs.js").Sheet} Sheet
 */
import { moment, t } from "../i18n.js";
import { h } from "./dom.js";
import { field, submitted } from "./forms.js";
import { icon } from "./icons.js";

/** Which field an error is about. */
const FIELDS = { bad_name: "name", name_reserved: "name", name_taken: "name", weak_password: "password" };

/**
 * @param {string | null} error
 * @param {string} name
 */
function about(error, name) {
  return error && FIELDS[/** @type {keyof FIELDS} */ (error)] === name ? t(`error.${error}`) : null;
}

/** @param {string | null} error */
function general(error) {
  return error && !(error in FIELDS) && h("p", { class: "error", role: "alert" }, t(`error.${error}`));
}

/**
 * @param {State} state
 * @param {Actions} act
 * @returns {Sheet}
 */
function overview({ me }, act) {
  if (!me || me.guest) {
    return {
      title: me ? t("account.guest_title", { name: me.name }) : t("account.visitor_title"),
      body: [
        h("p", null, t(me ? "account.guest_text" : "account.visitor_text")),
        h(
          "div",
          { class: "actions column" },
          row("user", "account.register", () => act.open("register"), "primary"),
          row("key", "account.sign_in", () => act.open("signin")),
          me && row("link", "account.link", act.linkCode),
        ),
      ],
    };
  }
  return {
    title: me.name,
    body: h(
      "div",
      { class: "actions column" },
      row("link", "account.link", act.linkCode),
      row("device", "account.devices", act.devices),
      anchor("user", "account.profile", { href: `/players/${encodeURIComponent(me.name)}` }),
      anchor("save", "account.export", { href: "/api/me/export", download: "heartline.json" }),
      row("key", "account.password", () => act.open("password")),
      row("out", "account.sign_out", act.signOut),
      row("close", "account.delete", () => act.open("delete"), "quiet"),
    ),
  };
}

/**
 * @param {import("./icons.js").IconName} sign
 * @param {string} key
 * @param {() => void} onclick
 * @param {string} [kind]
 */
function row(sign, key, onclick, kind = "") {
  return h("button", { type: "button", class: kind, onclick }, icon(sign), t(key));
}

/**
 * @param {import("./icons.js").IconName} sign
 * @param {string} key
 * @param {{href: string, download?: string}} target
 */
function anchor(sign, key, target) {
  return h("a", { class: "button", ...target }, icon(sign), t(key));
}

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function register({ me }, act, { busy, error }) {
  return {
    title: t("account.register"),
    body: h(
      "form",
      { class: "stack", novalidate: true, onsubmit: submitted(act.register) },
      me && h("p", null, t("register.keeps")),
      field({
        name: "name",
        label: t("field.name"),
        hint: t("field.name_hint"),
        error: about(error, "name"),
        autocomplete: "username",
        autofocus: true,
        maxlength: 40,
        spellcheck: "false",
      }),
      field({
        name: "password",
        label: t("field.password"),
        hint: t("field.password_hint"),
        error: about(error, "password"),
        type: "password",
        autocomplete: "new-password",
        maxlength: 128,
      }),
      general(error),
      h("button", { type: "submit", class: "primary", disabled: busy }, t("account.register")),
      h("button", { type: "button", class: "quiet", onclick: () => act.open("signin") }, t("register.have")),
    ),
  };
}

/**
 * @param {State} _
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function signIn(_, act, { busy, error, data }) {
  const byCode = data.way === "code";
  const fields = byCode
    ? [
        field({
          name: "link_code",
          key: "code",
          label: t("field.link_code"),
          hint: t("field.link_code_hint"),
          autocomplete: "one-time-code",
          autocapitalize: "characters",
          spellcheck: "false",
          autofocus: true,
          maxlength: 40,
          created: (/** @type {HTMLInputElement} */ input) => {
            input.value = data.code ?? "";
          },
        }),
      ]
    : [
        field({
          name: "name",
          label: t("field.name"),
          autocomplete: "username",
          spellcheck: "false",
          autofocus: true,
        }),
        field({
          name: "password",
          label: t("field.password"),
          type: "password",
          autocomplete: "current-password",
        }),
      ];
  const other = byCode ? "password" : "code";
  return {
    title: t("account.sign_in"),
    body: h(
      "form",
      {
        class: "stack",
        key: byCode ? "code" : "password",
        novalidate: true,
        onsubmit: submitted(act.signIn),
      },
      fields,
      general(error),
      h("button", { type: "submit", class: "primary", disabled: busy }, t("account.sign_in")),
      h(
        "button",
        { type: "button", class: "quiet", onclick: () => act.open("signin", { way: other }) },
        t(byCode ? "signin.by_password" : "signin.by_code"),
      ),
    ),
  };
}

/**
 * @param {State} _
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function devices(_, act, { busy, error, data }) {
  const sessions = /** @type {Device[] | undefined} */ (data.sessions);
  return {
    title: t("account.devices"),
    body: [
      general(error),
      !sessions && !error && h("p", { role: "status" }, t("dialog.loading")),
      sessions &&
        h(
          "ul",
          { class: "device-list" },
          sessions.map(each => device(each, busy, act)),
        ),
      h("button", { type: "button", class: "quiet", onclick: () => act.open("account") }, t("dialog.back")),
    ],
  };
}

/**
 * @param {Device} session
 * @param {boolean} busy
 * @param {Actions} act
 */
function device(session, busy, act) {
  const out = session.current ? act.signOut : () => act.signOutDevice(session.id);
  return h(
    "li",
    { key: session.id },
    icon("device"),
    h(
      "span",
      null,
      h("strong", null, deviceName(session.device)),
      session.current && h("em", null, t("devices.this")),
      h("small", null, t("devices.seen", { time: moment(session.seen_at) })),
    ),
    h("button", { type: "button", disabled: busy, onclick: out }, t("account.sign_out")),
  );
}

/**
 * The server names a device in English; the names in it are the same everywhere.
 *
 * @param {string} told As `Firefox on Linux`.
 */
function deviceName(told) {
  if (!told || told === "Unknown device") return t("devices.unknown");
  return told.replace(" on ", " · ");
}

/**
 * @param {State} _
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function link(_, act, { error, data }) {
  return {
    title: t("account.link"),
    body: [
      h("p", null, t("link_code.text")),
      general(error),
      data.code
        ? h("p", { class: "code-shown" }, h("output", null, data.code), copier(data.code, act))
        : !error && h("p", { role: "status" }, t("dialog.loading")),
      data.picture
        ? h("img", {
            class: "qr",
            src: `data:image/svg+xml,${encodeURIComponent(data.picture)}`,
            alt: t("link_code.qr"),
          })
        : data.code && h("div", { class: "qr" }),
      data.code && h("p", { class: "hint" }, t("link_code.until", { time: moment(data.expires_at) })),
      h("button", { type: "button", class: "quiet", onclick: () => act.open("account") }, t("dialog.back")),
    ],
  };
}

/**
 * @param {string} text
 * @param {Actions} act
 */
function copier(text, act) {
  return h(
    "button",
    { type: "button", class: "tool", "aria-label": t("info.copy"), onclick: () => act.copy(text) },
    icon("copy"),
  );
}

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function password({ me }, act, { busy, error }) {
  return {
    title: t("account.password"),
    body: h(
      "form",
      { class: "stack", novalidate: true, onsubmit: submitted(act.changePassword) },
      h("input", {
        class: "unseen",
        autocomplete: "username",
        readonly: true,
        tabindex: -1,
        "aria-hidden": "true",
        value: me?.name ?? "",
      }),
      field({
        name: "old",
        label: t("field.old_password"),
        error: error === "bad_credentials" ? t("password.wrong") : null,
        type: "password",
        autocomplete: "current-password",
        autofocus: true,
        maxlength: 128,
      }),
      field({
        name: "new",
        label: t("field.new_password"),
        hint: t("field.password_hint"),
        error: about(error, "password"),
        type: "password",
        autocomplete: "new-password",
        maxlength: 128,
      }),
      error !== "bad_credentials" && general(error),
      h("button", { type: "submit", class: "primary", disabled: busy }, t("account.password")),
    ),
  };
}

/**
 * @param {State} state
 * @param {Actions} act
 * @param {Dialog} dialog
 * @returns {Sheet}
 */
function remove({ me }, act, { busy, error }) {
  return {
    title: t("delete.title", { name: me?.name }),
    body: [
      h("p", null, t("delete.text")),
      general(error),
      h(
        "div",
        { class: "actions" },
        h(
          "button",
          { type: "button", class: "primary", disabled: busy, onclick: act.deleteAccount },
          t("delete.yes"),
        ),
        h("button", { type: "button", autofocus: true, onclick: act.close }, t("dialog.cancel")),
      ),
    ],
  };
}

export const account = {
  account: overview,
  register,
  signin: signIn,
  devices,
  link,
  password,
  delete: remove,
};
