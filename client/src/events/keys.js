// @ts-check
/**
 * The keys of the table. By their place on the keyboard, so that a Thai layout has them too.
 *
 * @typedef {import("../actions/actions.js").Actions} Actions
 * @typedef {import("../state/app.js").State} State
 */

/** @type {Record<string, [number, number]>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** Those that can be turned off: who dictates to the page would press them unawares. @type {Record<string, (act: Actions) => void>} */
const LETTERS = {
  KeyD: act => act.tap("stock"),
  KeyU: act => act.undo(),
  KeyN: act => act.open("new"),
};

/**
 * @param {() => State} state
 * @param {Actions} act
 */
export function listen(state, act) {
  document.addEventListener("keydown", event => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
    if (document.querySelector("dialog[open]")) return;
    if (pressed(event, state(), act)) event.preventDefault();
  });
}

/**
 * @param {KeyboardEvent} event
 * @param {State} state
 * @param {Actions} act
 * @returns {boolean} Whether the key meant something.
 */
function pressed(event, state, act) {
  if (event.key === "?" && act.lettersAct()) {
    act.open("help");
    return true;
  }
  if (state.replay) return lookedBack(event, state.replay, act);
  if (state.route.page !== "game" || state.table?.view?.game === "hearts") return false;
  const arrow = ARROWS[event.key];
  if (arrow) {
    const board = /** @type {import("../render/board.js").HeartBoard | null} */ (
      document.querySelector("main > heart-board")
    );
    board?.step(...arrow);
    return board !== null;
  }
  if (event.key === "Escape") {
    act.deselect();
    return true;
  }
  const letter = act.lettersAct() ? LETTERS[event.code] : undefined;
  if (letter && !event.repeat) letter(act);
  return letter !== undefined;
}

/**
 * The keys of a replay.
 *
 * @param {KeyboardEvent} event
 * @param {import("../state/replay.js").Replay} replay
 * @param {Actions} act
 */
function lookedBack(event, { at, length }, act) {
  if (event.key === " ") {
    if (event.target instanceof HTMLButtonElement || event.target instanceof HTMLAnchorElement) return false;
    act.playOrPause();
    return true;
  }
  const to = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    PageUp: at - 10,
    PageDown: at + 10,
    Home: 0,
    End: length,
  }[event.key];
  if (typeof to === "number") act.turn(to);
  return typeof to === "number";
}

/** @param {EventTarget | null} target */
function typing(target) {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  );
}
