// @ts-check
/** The height of a card by its width. */
export const RATIO = 1.4;

/** Between the boxes on a table, in pixels. */
export const GAP = 6;
