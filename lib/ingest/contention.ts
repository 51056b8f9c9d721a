/** So often a lost swap is decided again. */
export const MAX_SWAPS = 5;

/** Thrown when other handlers changed a row each time that this one came to write it. */
export class Contended extends Error {
  override readonly name = "Contended";

  constructor() {
    super(`other handlers changed the row ${MAX_SWAPS} times in a row`);
  }
}
