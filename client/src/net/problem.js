// @ts-check
/** An answer of the server that says no, by the contract's stable code. */
export class Problem extends Error {
  /**
   * @param {string} code
   * @param {{reason?: string | undefined, view?: import("../state/wire.js").View | undefined, detail?: string}} [more]
   */
  constructor(code, more = {}) {
    super(more.detail ?? code);
    this.code = code;
    this.reason = more.reason;
    this.view = more.view;
  }
}

/** The code of our own for a server that can't be reached. */
export const OFFLINE = "offline";

/**
 * @param {unknown} error
 * @returns {string} Its code; anything else is thrown on.
 */
export function codeOf(error) {
  if (error instanceof Problem) return error.code;
  throw error;
}
