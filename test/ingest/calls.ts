import type { SQSClient } from "@aws-sdk/client-sqs";

/** Stands in for a call: may throw, answer by itself, or proceed to the real one, with other input if need be. */
export type Fault = (input: Record<string, unknown>, proceed: (other?: object) => Promise<object>) => Promise<object>;

export interface Call {
  readonly command: string;
  readonly input: Record<string, unknown>;
}

/** Every call that the watched clients make, in their order, and faults put in their way. */
export class Calls {
  readonly made: Call[] = [];
  readonly #faults = new Map<string, Fault>();

  /** Puts `fault` before every call of this command (`PutItem`, `SendMessageBatch`); undefined takes it away. */
  fault(command: string, fault: Fault | undefined): void {
    if (fault) this.#faults.set(command, fault);
    else this.#faults.delete(command);
  }

  /** How many calls were made, by command. */
  counts(): Record<string, number> {
    const counts: Record<string, number> = {};
    for (const { command } of this.made) counts[command] = (counts[command] ?? 0) + 1;
    return counts;
  }

  of(command: string): readonly Call[] {
    return this.made.filter((call) => call.command === command);
  }

  forget(): void {
    this.made.length = 0;
  }

  /** Watches a client from the outermost step: one call is one call, however often the SDK tries. */
  watch(client: { readonly middlewareStack: unknown }): void {
    const stack = client.middlewareStack as SQSClient["middlewareStack"];
    stack.add(
      (next, context) => async (args) => {
        const command = String(context.commandName).replace(/Command$/, "");
        const input: Record<string, unknown> = { ...args.input };
        this.made.push({ command, input });
        const fault = this.#faults.get(command);
        if (!fault) return next(args);
        const proceed = async (other?: object) =>
          (await next(other ? { ...args, input: other as never } : args)).output;
        const output = await fault(input, proceed);
        return { output: { $metadata: {}, ...output }, response: {} };
      },
      { step: "initialize", name: "watchCalls", priority: "high" },
    );
  }
}

/** An error as the SDK throws it once its own retries are used up. */
export function awsError(name: string, message = `${name} (injected)`): Error {
  return Object.assign(new Error(message), { name });
}
