// @ts-check
import { codeOf } from "../net/problem.js";
import * as app from "../state/app.js";

/**
 * Does what begins a game or takes a seat, one at a time, while the buttons for it rest and the open dialog shows that
 * it runs.
 *
 * @template T
 * @param {import("../state/store.js").Store<app.State>} store
 * @param {() => Promise<T>} work
 * @param {(code: string, dialog: app.Dialog | null) => void} failed Told what went wrong, and the dialog that asked.
 * @returns {Promise<T | null>} Null if it was not done.
 */
export async function starting(store, work, failed) {
  const { dialog } = store.state;
  if (store.state.starting) return null;
  store.change(app.put, "starting", true);
  store.change(app.amend, dialog, { busy: true, error: null });
  try {
    return await work();
  } catch (error) {
    failed(codeOf(error), dialog);
    return null;
  } finally {
    store.change(app.put, "starting", false);
    store.change(app.amend, dialog, { busy: false });
  }
}
