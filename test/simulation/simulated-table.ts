import {
  type AttributeValue,
  BatchGetItemCommand,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  ProvisionedThroughputExceededException,
  PutItemCommand,
} from "@aws-sdk/client-dynamodb";
import { fulfils } from "./condition.ts";
import type { Life } from "./life.ts";
import type { Random } from "./random.ts";

type Row = Record<string, AttributeValue>;

/** How often the table misbehaves, as probabilities. */
export interface TableFaults {
  readonly throttle: number;
  /** The call takes effect, and the caller never hears of it. */
  readonly lostAnswer: number;
  /** The SDK tried again after a first try that had taken effect. */
  readonly repeatedCall: number;
  /** A read that is not consistent shows the row before last. */
  readonly staleRead: number;
}

/** The state table in memory: conditional writes, and the faults that AWS documents. */
export class SimulatedTable {
  readonly #rows = new Map<string, Row>();
  readonly #before = new Map<string, Row | undefined>();
  readonly #random: Random;
  faults: TableFaults;
  /** A planted bug: every write goes through. */
  ignoresConditions = false;
  onWrite: (row: Row) => void = () => {};

  constructor(random: Random, faults: TableFaults) {
    this.#random = random;
    this.faults = faults;
  }

  rows(): readonly Row[] {
    return [...this.#rows.values()];
  }

  /** A row vanishes, as by an operator or an early time to live. */
  drop(key: string): void {
    this.#rows.delete(key);
    this.#before.delete(key);
  }

  /** A client of one invocation: what stands above `send` is the real store. */
  client(life: Life): DynamoDBClient {
    const send = async (command: object) => {
      await life.beforeCall();
      if (this.#random.chance(this.faults.throttle)) {
        throw new ProvisionedThroughputExceededException({ message: "simulated", $metadata: {} });
      }
      let answer = this.#attempt(command);
      if (this.#random.chance(this.faults.repeatedCall)) answer = this.#attempt(command);
      life.afterCall();
      if (this.#random.chance(this.faults.lostAnswer)) throw timeout();
      return answer();
    };
    return { send } as unknown as DynamoDBClient;
  }

  /** Carries a command out; the answer (or refusal) is given when it is called. */
  #attempt(command: object): () => object {
    if (command instanceof PutItemCommand) return this.#put(command);
    if (command instanceof GetItemCommand) {
      const Item = this.#rows.get(command.input.Key?.pk?.S ?? "");
      return () => (Item ? { Item } : {});
    }
    if (command instanceof BatchGetItemCommand) {
      const [[table, { Keys = [] }] = ["", {}]] = Object.entries(command.input.RequestItems ?? {});
      const found = Keys.map(({ pk }) => this.#read(pk?.S ?? "")).filter((row) => row !== undefined);
      return () => ({ Responses: { [table]: found }, UnprocessedKeys: {} });
    }
    throw new Error("the simulated table does not know this command");
  }

  #put({ input }: PutItemCommand): () => object {
    const row = input.Item ?? {};
    const key = row.pk?.S ?? "";
    const old = this.#rows.get(key);
    const conditional = input.ConditionExpression !== undefined && !this.ignoresConditions;
    if (conditional && !fulfils(old, input.ConditionExpression ?? "", input.ExpressionAttributeValues)) {
      return () => {
        throw new ConditionalCheckFailedException({ message: "simulated", $metadata: {}, ...(old && { Item: old }) });
      };
    }
    this.#before.set(key, old);
    this.#rows.set(key, row);
    this.onWrite(row);
    return () => ({});
  }

  #read(key: string): Row | undefined {
    const stale = this.#before.has(key) && this.#random.chance(this.faults.staleRead);
    return stale ? this.#before.get(key) : this.#rows.get(key);
  }
}

export function timeout(): Error {
  return Object.assign(new Error("simulated"), { name: "TimeoutError" });
}
