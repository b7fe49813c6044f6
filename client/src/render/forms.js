// @ts-check
import { h } from "./dom.js";

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
    said && h("small", { id: `${id}-said`, role: error ? "alert" : null }, said),
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
