import type { Random } from "./random.ts";

/** Thrown into every call of a handler after it was killed: nothing that it does takes effect any more. */
class Killed extends Error {
  override readonly name = "Killed";
}

/** One invocation of a handler: it may be killed before or after any of its calls. */
export class Life {
  killed = false;
  readonly #random: Random;
  #callsLeft: number;

  /** @param callsLeft calls after which it is killed */
  constructor(random: Random, callsLeft: number) {
    this.#random = random;
    this.#callsLeft = callsLeft;
  }

  /** Lets concurrent handlers interleave, each time in another way. */
  async beforeCall(): Promise<void> {
    for (let turns = this.#random.between(0, 3); turns > 0; turns--) await Promise.resolve();
    if (this.#callsLeft <= 0) this.killed = true;
    if (this.killed) throw new Killed();
  }

  afterCall(): void {
    this.#callsLeft -= 1;
    if (this.#callsLeft <= 0 && this.#random.chance(0.5)) {
      this.killed = true;
      throw new Killed();
    }
  }
}
