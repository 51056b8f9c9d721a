import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createTelemetry } from "../../../lib/aws/telemetry/telemetry.ts";

type Json = Readonly<Record<string, unknown>>;

/** What is written to standard output and error, a line each. */
let lines: string[] = [];

beforeEach(() => {
  lines = [];
  const keep = (chunk: unknown): boolean => {
    lines.push(...String(chunk).split("\n").filter(Boolean));
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(keep);
  vi.spyOn(process.stderr, "write").mockImplementation(keep);
});

afterEach(() => vi.restoreAllMocks());

function written(): Json[] {
  return lines.map((line) => JSON.parse(line) as Json);
}

/** The embedded metric documents among the lines. */
function metrics(): Json[] {
  return written().filter((line) => "_aws" in line);
}

function declared(document: Json | undefined): unknown {
  return (document?._aws as Json | undefined)?.CloudWatchMetrics;
}

describe("telemetry", () => {
  it("counts under one namespace and one dimension, the name of the ingest queue", () => {
    const telemetry = createTelemetry("my-ingest");
    telemetry.count("Exhausted", 3);
    telemetry.count("Retried");
    telemetry.flush();

    const [document, ...others] = metrics();
    expect(others).toEqual([]);
    expect(document).toMatchObject({ IngestQueue: "my-ingest", Exhausted: 3, Retried: 1 });
    expect(declared(document)).toMatchObject([{ Namespace: "RetryOrchestrator", Dimensions: [["IngestQueue"]] }]);
  });

  it("keeps its dimension from one event to the next, and nothing else", () => {
    const telemetry = createTelemetry("my-ingest");
    telemetry.count("Retried", 2);
    telemetry.flush();
    telemetry.count("Stale");
    telemetry.flush();

    const [, second] = metrics();
    expect(second).toMatchObject({ IngestQueue: "my-ingest", Stale: 1 });
    expect(second).not.toHaveProperty("Retried");
    expect(declared(second)).toMatchObject([{ Dimensions: [["IngestQueue"]] }]);
  });

  it("writes every delay, however many an event has", () => {
    const telemetry = createTelemetry("my-ingest");
    for (let index = 0; index < 250; index++) telemetry.delay(index);
    telemetry.flush();
    const delays = metrics().flatMap(({ DelaySeconds }) => DelaySeconds);
    expect(delays).toEqual(Array.from({ length: 250 }, (_, index) => index));
  });

  it("writes one structured line per decision, at level INFO, and per problem, at level WARN", () => {
    const telemetry = createTelemetry("my-ingest");
    telemetry.decision("retry", { itemId: "item", attempt: 1, delaySeconds: 7 });
    telemetry.problem("handed back", { messageId: "m", why: "Contended" });
    expect(written()).toMatchObject([
      { level: "INFO", message: "retry", itemId: "item", attempt: 1, delaySeconds: 7 },
      { level: "WARN", message: "handed back", messageId: "m", why: "Contended" },
    ]);
  });

  it("says nothing at all of an event without counts", () => {
    const telemetry = createTelemetry("my-ingest");
    telemetry.flush();
    expect(lines).toEqual([]);
  });
});
