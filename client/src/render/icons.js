// @ts-check
import { h } from "./dom.js";

/** One family: strokes of 1.75 in a box of 24. */
const PATHS = {
  undo: "M8.5 5 4 9.5 8.5 14M4.5 9.5H14a5.5 5.5 0 0 1 0 11h-3",
  plus: "M12 5v14M5 12h14",
  flag: "M6 21V4M6 5c4-2.5 7 2.5 12 0v9c-5 2.5-8-2.5-12 0",
  help: "M9.2 9.3a2.9 2.9 0 1 1 4.3 2.6c-1 .6-1.5 1.1-1.5 2.1M12 17.2v.1M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0Z",
  sliders: "M4 7h9M17 7h3M4 17h3M11 17h9M15 4.7v4.6M9 14.7v4.6",
  copy: "M9 9h10.5v11.5H9ZM15 5.5V3.5H4.5V15H6",
  check: "m5 12.5 4.7 4.7L19.5 7",
  close: "m6 6 12 12M18 6 6 18",
  user: "M12 12.5a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c1-3.7 4-5.5 7.5-5.5s6.5 1.8 7.5 5.5",
  play: "M8 5.5v13l10.5-6.5Z",
  pause: "M8.5 6v12M15.5 6v12",
  first: "M18 6v12l-8.5-6ZM6 6v12",
  back: "m14.5 5.5-6.5 6.5 6.5 6.5",
  forward: "m9.5 5.5 6.5 6.5-6.5 6.5",
  recycle: "M19.5 12a7.5 7.5 0 1 1-2.2-5.3L20 9.3M20 4.5v4.8h-4.8",
  device: "M5 5h14v10H5ZM2.5 18.5h19",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3A4 4 0 0 0 13 5.3l-1.2 1.2M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1.2-1.2",
  out: "M14 8V4.5H4.5v15H14V16M9.5 12h11M17 8.5l3.5 3.5-3.5 3.5",
  lock: "M6 10.5h12V20H6ZM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5",
  cloud: "M7.5 18.5a4.3 4.3 0 0 1-.4-8.6 5.5 5.5 0 0 1 10.5-1.2 4.9 4.9 0 0 1-.6 9.8ZM4 4l16 16",
  key: "M14.5 13.5a4.5 4.5 0 1 0-4.3-3.2L4 16.5V20h3.5v-2.5H10V15l1.7-1.7a4.5 4.5 0 0 0 2.8.2ZM15.7 8.3v.1",
  last: "M6 6v12l8.5-6ZM18 6v12",
  list: "M9 6.5h11M9 12h11M9 17.5h11M4.5 6.5v.1M4.5 12v.1M4.5 17.5v.1",
  branch: "M6.5 4v16M6.5 14.5c6 0 10-1.5 10-7.5M13 9.5l3.5-3.5L20 9.5",
  save: "M12 4v11.5M7 11l5 5 5-5M5 20h14",
  share: "M12 15V4M7.5 8 12 3.5 16.5 8M5.5 12v8h13v-8",
  eye: "M2.5 12s3.5-6 9.5-6 9.5 6 9.5 6-3.5 6-9.5 6-9.5-6-9.5-6ZM12 14.7a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4Z",
  spade:
    "M12 3.5c1.2 3 7.5 5.6 7.5 10.2a3.6 3.6 0 0 1-6.3 2.4M12 3.5c-1.2 3-7.5 5.6-7.5 10.2a3.6 3.6 0 0 0 6.3 2.4M12 14.5c0 2.5-.7 4.5-2.5 6h5c-1.8-1.5-2.5-3.5-2.5-6",
  again: "M4.5 12a7.5 7.5 0 1 0 2.2-5.3L4 9.3M4 4.5v4.8h4.8",
};

/** @typedef {keyof typeof PATHS} IconName */

/** @param {IconName} name */
export function icon(name) {
  return drawn(PATHS[name]);
}

/**
 * A sign of the same family that only some pages need.
 *
 * @param {string} d
 */
export function drawn(d) {
  return h("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, h("path", { d }));
}

/** The sign of the house: a heart of cards, in two strokes. */
export function logo() {
  return h(
    "svg",
    { class: "logo", viewBox: "0 0 24 24", "aria-hidden": "true" },
    h("path", {
      d: "M12 21C6 16 2.5 12.7 2.5 8.6 2.5 5.4 4.9 3 7.9 3c1.7 0 3.2.8 4.1 2.3C12.9 3.8 14.4 3 16.1 3c3 0 5.4 2.4 5.4 5.6C21.5 12.7 18 16 12 21Z",
    }),
  );
}
