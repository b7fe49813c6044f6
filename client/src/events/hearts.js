// @ts-check
/**
 * The keys of a table of Hearts. By their place on the keyboard, so that a Thai layout has them too.
 *
 * @typedef {import("../actions/hearts.js").HeartsActions} HeartsActions
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("../render/hearts/table.js").HeartsTable} HeartsTable
 */

/** @type {Record<string, (actions: HeartsActions, act: Actions) => void>} */
const LETTERS = {
  KeyP: actions => actions.pass(),
  KeyU: actions => actions.undo(),
  KeyL: (_, act) => act.open("trick"),
  KeyS: (_, act) => act.open("score"),
  Escape: actions => actions.letGo(),
};

/** Cards to the right. @type {Record<string, number>} */
const ARROWS = { ArrowLeft: -1, ArrowRight: 1 };

/**
 * @param {HeartsTable} table
 * @param {HeartsActions} actions
 * @param {Actions} act
 * @returns {() => void} Stops listening.
 */
export function listen(table, actions, act) {
  const onKey = (/** @type {KeyboardEvent} */ event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (document.querySelector("dialog[open]")) return;
    const by = ARROWS[event.key];
    const letter = event.key === "Escape" || act.lettersAct() ? LETTERS[event.code] : undefined;
    if (by) table.hand.step(by);
    else if (letter && !event.repeat) letter(actions, act);
    if (by || letter) event.preventDefault();
  };
  document.addEventListener("keydown", onKey);
  return () => document.removeEventListener("keydown", onKey);
}
