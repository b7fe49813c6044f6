// @ts-check
/**
 * A whole game to step through. Its positions were dealt and played by the server's own engine; here they
 * are only put together again from what each move changed.
 *
 * @typedef {import("../state/wire.js").View} View
 * @typedef {[move: string, gone: number[], free: number[], stock: number, waste: number, top: string | null, score: number]} Step
 * @typedef {{first: View, steps: Step[]}} Example
 */

/** @returns {Promise<View[]>} The position before each move, and the last. */
export async function load() {
  const response = await fetch("/client/data/example.json");
  const { first, steps } = /** @type {Example} */ (await response.json());
  const views = [complete(first)];
  for (const step of steps) views.push(after(/** @type {View} */ (views.at(-1)), step));
  /** @type {View} */ (views.at(-1)).status = "won";
  return views;
}

/**
 * @param {View} view
 * @param {Step} step
 * @returns {View}
 */
function after(view, [move, gone, free, stock, count, top, score]) {
  const heart = view.heart.map((card, i) => (gone.includes(i + 1) ? null : card));
  const ply = view.ply + 1;
  return {
    ...view,
    heart,
    free,
    stock,
    waste: { count, top },
    score,
    ply,
    revision: ply,
    last: { seat: 0, move },
  };
}

/**
 * @param {Partial<View>} first
 * @returns {View}
 */
function complete(first) {
  const rest = { id: "example", ply: 0, revision: 0, you: null, legal: [], last: null, players: [] };
  return /** @type {View} */ ({ ...rest, ...first });
}
