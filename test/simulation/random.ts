import { unitInterval } from "../../lib/core/hash.ts";

/** A stream of uniform draws that a seed decides: the same seed, the same history. */
export class Random {
  readonly #seed: number;
  #draws = 0;

  constructor(seed: number) {
    this.#seed = seed;
  }

  /** In [0, 1). */
  next = (): number => unitInterval(`draw ${this.#draws++}`, this.#seed);

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number from `least` to `most`. */
  between(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(choices: readonly [T, ...T[]]): T {
    return choices[Math.floor(this.next() * choices.length)] ?? choices[0];
  }
}
