// @ts-check
import { h } from "./dom.js";

/** A deal code, or how one begins; the address of a day. */
const WHOLE = /(HH1-[A-Z0-9-]+|\/daily\/[0-9-]+)/;

/**
 * A text whose codes and addresses do not go on in the next line: what is to be typed is read in one piece.
 *
 * @param {string} text
 */
export function unbroken(text) {
  return text.split(WHOLE).map((part, i) => (i % 2 ? h("span", { class: "whole" }, part) : part));
}
