/** A server on this machine that speaks DynamoDB's protocol, in memory. */
export interface TableEngine {
  readonly name: "dynoxide" | "dynalite";
  readonly endpoint: string;
  /** Ends connections and process; nothing is kept. */
  stop(): Promise<void>;
}
