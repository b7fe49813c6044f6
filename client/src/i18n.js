// @ts-check
/**
 * All that is said, in the language of the page.
 *
 * @typedef {"en" | "th" | "vi"} Locale
 * @typedef {{[key: string]: string | {[plural: string]: string}}} Catalogue
 */

import { call } from "./net/api.js";

/** @type {Record<Locale, string>} Each in its own language. */
export const LOCALES = { en: "English", th: "ไทย", vi: "Tiếng Việt" };

/**
 * @typedef {object} Spoken
 * @property {Locale} locale
 * @property {string} region The reader's own variety of the language: it orders dates.
 * @property {Catalogue} messages
 * @property {Intl.PluralRules | undefined} plural Made when it is needed: it takes a twentieth of a second.
 * @property {Intl.NumberFormat | undefined} numbers As well.
 * @property {Map<string, Intl.DateTimeFormat>} dates By style, as well.
 */

/** @type {Spoken} */
let now = spoken("en", {});

/**
 * @param {Locale} locale
 * @param {Catalogue} messages
 */
function spoken(locale, messages) {
  const region = navigator.languages.find(each => each.split("-")[0] === locale) ?? locale;
  return {
    locale,
    region,
    messages,
    plural: undefined,
    numbers: undefined,
    dates: new Map(),
  };
}

/**
 * @param {readonly (string | null | undefined)[]} wishes Language tags, the dearest first.
 * @returns {Locale}
 */
export function bestLocale(wishes) {
  for (const wish of wishes) {
    const language = wish?.split("-")[0]?.toLowerCase() ?? "";
    if (Object.hasOwn(LOCALES, language)) return /** @type {Locale} */ (language);
  }
  return "en";
}

/**
 * Where the words of a language are.
 *
 * @param {Locale} locale
 */
export function catalogue(locale) {
  return `/client/locales/${locale}.json`;
}

/**
 * Words that the browser, which finds the words of a Thai line by its dictionary, does not know or takes apart: where
 * a bar stands the line does not break.
 */
const UNBROKEN = ["บ|อ|ต", "โพ|แดง", "โพ|ดำ", "ข้าวหลาม|ตัด", "ออม|นิ|บัส", "ทุก|ร|อบ", "เป็น|ก|อง"];

/** @type {[word: string, joined: string][]} */
const JOINED = UNBROKEN.map(word => [word.replaceAll("|", ""), word.replaceAll("|", "\u2060")]);

/** What is shorter stands in one line anyway. */
const SENTENCE = 24;

/**
 * @param {Catalogue} messages
 * @returns {Catalogue} With those words in one piece.
 */
function unbroken(messages) {
  const one = (/** @type {string} */ text) =>
    JOINED.reduce((all, [word, joined]) => all.replaceAll(word, joined), text);
  return JSON.parse(JSON.stringify(messages), (_, each) =>
    typeof each === "string" && each.length >= SENTENCE ? one(each) : each,
  );
}

/** Counts what was asked for: of two choices in a row the later one holds, whichever comes first. */
let choices = 0;

/**
 * @param {Locale} locale
 * @returns {Promise<boolean>} Whether it is spoken now; not if another was chosen meanwhile.
 */
export async function speak(locale) {
  const mine = ++choices;
  const messages = await call("GET", catalogue(locale));
  if (mine !== choices) return false;
  now = spoken(locale, locale === "th" ? unbroken(messages) : messages);
  return true;
}

/**
 * @param {string} key
 * @param {{n?: number, [name: string]: string | number | undefined}} [values] `n` chooses the plural form.
 */
export function t(key, values = {}) {
  const message = now.messages[key] ?? key;
  const text = typeof message === "string" ? message : (message[plural(values.n ?? 0)] ?? message.other);
  return (text ?? key).replace(/\{(\w+)\}/g, (_, name) => {
    const value = values[name] ?? "";
    return typeof value === "number" ? number(value) : value;
  });
}

/** The language that is spoken. */
export function tongue() {
  return now.locale;
}

/** @param {number} n */
export function number(n) {
  // As it is written in all three languages.
  if (Number.isInteger(n) && n >= 0 && n < 1000) return String(n);
  now.numbers ??= new Intl.NumberFormat(now.locale);
  return now.numbers.format(n);
}

/** @param {number} n */
function plural(n) {
  now.plural ??= new Intl.PluralRules(now.locale);
  return now.plural.select(n);
}

/**
 * What stands between the parts of a list where the browser's own word joins them too closely: names in Latin
 * letters, with their points, run into each other in Thai.
 *
 * @type {Record<string, Record<string, string>>}
 */
const BETWEEN = { th: { " ": ", ", และ: " และ ", " และ": " และ " } };

/**
 * Several things as one part of a sentence.
 *
 * @param {readonly string[]} parts
 */
export function list(parts) {
  const all = new Intl.ListFormat(now.locale).formatToParts(parts);
  return all
    .map(({ type, value }) => (type === "element" ? value : (BETWEEN[now.locale]?.[value] ?? value)))
    .join("");
}

/**
 * @param {number} ms
 * @returns {string} `m:ss`, or `h:mm:ss`.
 */
export function duration(ms) {
  const seconds = Math.floor(ms / 1000);
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60].map(part => String(part).padStart(2, "0"));
  const hours = Math.floor(seconds / 3600);
  if (hours) return [hours, ...parts].join(":");
  return parts.join(":").replace(/^0/, "");
}

/**
 * @param {number} ms
 * @returns {string} Tenths of a second below a minute, else as `duration`.
 */
export function seconds(ms) {
  return ms < 60_000 ? t("time.seconds", { n: Math.round(ms / 100) / 10 }) : duration(ms);
}

/** @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [
  ["day", 86_400_000],
  ["hour", 3_600_000],
  ["minute", 60_000],
];

/**
 * How long ago, or after a week the day.
 *
 * @param {string} time
 * @param {number} [present]
 */
export function ago(time, present = Date.now()) {
  const passed = present - Date.parse(time);
  if (passed > 7 * 86_400_000) return day(time);
  const format = new Intl.RelativeTimeFormat(now.locale, { numeric: "auto" });
  const [unit, length] = UNITS.find(([, length]) => passed >= length) ?? ["minute", 60_000];
  if (passed < 60_000) return format.format(0, "second");
  return format.format(-Math.floor(passed / length), unit);
}

/**
 * @param {number | Date} time
 * @param {Intl.DateTimeFormatOptions} style
 */
function dated(time, style) {
  const key = JSON.stringify(style);
  const format = now.dates.get(key) ?? new Intl.DateTimeFormat(now.region, style);
  now.dates.set(key, format);
  return whole(format.formatToParts(time));
}

/**
 * A date that does not break at the end of a line, but after its weekday, where Thai has no blank, and then before its
 * year.
 *
 * @param {Intl.DateTimeFormatPart[]} parts
 */
function whole(parts) {
  const at = parts.findIndex(({ type }) => type === "weekday") + 1;
  const text = (/** @type {Intl.DateTimeFormatPart[]} */ some) => some.map(({ value }) => value).join("");
  const close = (/** @type {string} */ some) => some.replaceAll(" ", "\u00a0");
  const [weekday, date] = [text(parts.slice(0, at)), text(parts.slice(at))];
  if (!weekday) return close(date);
  const comma = /^,? /.exec(date)?.[0] ?? "\u200b";
  const day = date.startsWith(comma) ? date.slice(comma.length) : date;
  const year = text(parts.slice(parts.findIndex(({ type }) => type === "era" || type === "year")));
  const before = day.endsWith(` ${year}`) ? day.slice(0, -year.length - 1) : "";
  return close(weekday) + comma + (before ? `${close(before)} ${close(year)}` : close(day));
}

/** @param {string} time */
export function day(time) {
  return dated(new Date(time), { dateStyle: "medium" });
}

/** @param {string} time */
export function moment(time) {
  return dated(new Date(time), { dateStyle: "medium", timeStyle: "short" });
}

/** @returns {number} The day that a week begins with here: 1 Monday to 7 Sunday. */
export function firstWeekday() {
  const locale = /** @type {any} */ (new Intl.Locale(now.region));
  return (locale.getWeekInfo?.() ?? locale.weekInfo)?.firstDay ?? 1;
}

/**
 * A day of the daily deal. These begin and end in UTC wherever the reader is.
 *
 * @param {string} date As `2026-11-29`.
 * @param {Intl.DateTimeFormatOptions} [style]
 */
export function dayName(date, style = { dateStyle: "medium" }) {
  return dated(new Date(`${date}T00:00Z`), { ...style, timeZone: "UTC" });
}
