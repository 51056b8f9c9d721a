/** Something that speaks SQS and is held to the behaviour list. */
export interface ConformanceTarget {
  readonly name: string;
  /** Read when the cases run, so that a server may be started in `beforeAll`. */
  endpoint(): string;
  /** Static credentials; absent: whatever the environment has. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
  /** Lets time pass at once. Cases that need minutes are skipped without it. */
  readonly advance?: (ms: number) => void;
  /** Cases that this target is known to fail: asserted to fail, so that the list stays true. Name → what differs. */
  readonly differences?: ReadonlyMap<string, string>;
}

/** One line of the behaviour list. */
export interface ConformanceCase {
  /** Starts with the number of the line. */
  readonly name: string;
  /** Whether the case needs minutes to pass. */
  readonly needsAdvance?: true;
  readonly run: (bench: import("./bench.ts").Bench) => Promise<void>;
}
