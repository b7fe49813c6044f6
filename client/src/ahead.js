// @ts-check
/**
 * What the page needs of the server before it can be drawn, asked for while the rest of the client is on its way.
 */
import { recall } from "./actions/memory.js";
import { bestLocale, catalogue } from "./i18n.js";
import { askAhead } from "./net/api.js";

/** The reader's language, until an account says otherwise. */
export const locale = bestLocale([recall("locale"), ...navigator.languages]);

askAhead(catalogue(locale));
askAhead("/api/me");
if (location.pathname === "/") askAhead("/api/daily");
