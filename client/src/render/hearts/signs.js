// @ts-check
import { drawn } from "../icons.js";

/** Signs of the Hearts table, of the same family as the others. */
const PATHS = {
  bot: "M6 9.5h12v9H6ZM12 9.5V5.5M12 5.5v-.1M9.5 13.2v1.3M14.5 13.2v1.3M3.5 13v2.5M20.5 13v2.5",
  away: "M19.5 14.5A8 8 0 1 1 9.5 4.5a6.5 6.5 0 0 0 10 10Z",
  passed: "m5 12.5 4.7 4.7L19.5 7",
  cards: "M8 5.5h10.5v14H8ZM5 8v9.5",
  whole:
    "M12 20C6.5 15.7 4 12.7 4 9.3 4 6.7 6 5 8.2 5c1.6 0 3 .9 3.8 2.4C12.8 5.9 14.2 5 15.8 5 18 5 20 6.7 20 9.3c0 3.4-2.5 6.4-8 10.7Z",
  broken:
    "M12 20C6.5 15.7 4 12.7 4 9.3 4 6.7 6 5 8.2 5c1.6 0 3 .9 3.8 2.4C12.8 5.9 14.2 5 15.8 5 18 5 20 6.7 20 9.3c0 3.4-2.5 6.4-8 10.7ZM12 7.4l-2.2 3.4 3.8 2.4L12 20",
  left: "M20 12H5M11 6l-6 6 6 6",
  right: "M4 12h15M13 6l6 6-6 6",
  across: "M12 20V5M6 11l6-6 6 6",
  none: "M6 12h12",
  trick: "M4.5 8h8v11h-8ZM12.5 10.5 16 6l5 3.6-6.5 8.9",
  table: "M4 5h16v14H4ZM4 10h16M9.5 10v9M15 10v9",
  star: "m12 4 2.4 5.2 5.6.7-4.2 3.9 1.1 5.6L12 16.6l-4.9 2.8 1.1-5.6L4 9.9l5.6-.7Z",
};

/** @typedef {keyof typeof PATHS} SignName */

/** @param {SignName} name */
export function sign(name) {
  return drawn(PATHS[name]);
}
