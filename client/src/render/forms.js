// @ts-check
import { h } from "./dom.js";
import { unbroken } from "./unbroken.js";

/**
 * A labelled text field with a hint, or what is wrong in its place.
 *
 * @param {{name: string, label: string, error?: string | null, hint?: string, [attribute: string]: any}} given
 */
export function field({ name, label, error = null, hint, ...attributes }) {
  const said = error ?? hint;
  const id = `field-${name}`;
  return h(
    "div",
    { class: error ? "field wrong" : "field" },
    h("label", { for: id }, label),
    h("input", {
      id,
      name,
      type: "text",
      "aria-invalid": error ? "true" : null,
      "aria-describedby": said ? `${id}-said` : null,
      ...attributes,
    }),
    said && h("small", { id: `${id}-said`, role: error ? "alert" : null }, unbroken(said)),
  );
}

/**
 * @param {(fields: {[name: string]: string}) => void} take
 */
export function submitted(take) {
  return (/** @type {SubmitEvent} */ event) => {
    event.preventDefault();
    const form = /** @type {HTMLFormElement} */ (event.target);
    take(/** @type {{[name: string]: string}} */ (Object.fromEntries(new FormData(form))));
  };
}

/**
 * One of a few things that lie side by side.
 *
 * @template {string} V
 * @param {object} given
 * @param {string} given.name
 * @param {string} given.legend
 * @param {[value: V, label: string][]} given.options
 * @param {V} given.value
 * @param {(value: V) => void} given.change
 * @param {string} [given.hint] What the choice means.
 * @param {boolean} [given.tongues] Whether each value is the language of its label.
 */
export function choice({ name, legend, options, value, change, hint, tongues = false }) {
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", null, legend),
    h(
      "div",
      null,
      options.map(([each, label]) =>
        h(
          "label",
          { key: each, lang: tongues && each },
          h("input", {
            type: "radio",
            name,
            value: each,
            checked: each === value,
            onchange: () => change(each),
          }),
          h("span", null, label),
        ),
      ),
    ),
    hint && h("p", { class: "hint" }, hint),
  );
}

/** @param {string[][]} rows The name of each key, and what it does. */
export function keyList(rows) {
  return h(
    "dl",
    { class: "keys" },
    rows.map(([key, does]) => h("div", null, h("dt", null, h("kbd", null, key)), h("dd", null, does))),
  );
}
