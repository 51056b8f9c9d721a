import { describe, expect, it } from "vitest";
import { MetricStore, STATISTICS } from "../../../lib/sandbox/metrics/metric-store.ts";

const KEY = { namespace: "N", name: "M", dimensions: { a: "1", b: "2" } };
const MINUTE = 60_000;

function aStore(values: readonly (readonly [at: number, value: number])[]): MetricStore {
  const store = new MetricStore();
  for (const [at, value] of values) store.record(KEY, value, at);
  return store;
}

describe("the metric store", () => {
  it("gives the statistics of a period", () => {
    const store = aStore([
      [0, 1],
      [59_999, 5],
      [MINUTE, 100],
    ]);

    const found = STATISTICS.map((statistic) => [statistic, store.statistic(KEY, statistic, 0, MINUTE)]);

    expect(Object.fromEntries(found)).toEqual({ Sum: 6, Average: 3, Minimum: 1, Maximum: 5, SampleCount: 2 });
  });

  it("adds up minutes to longer periods", () => {
    const store = aStore([
      [0, 1],
      [MINUTE, 2],
      [5 * MINUTE, 4],
    ]);

    expect(store.statistic(KEY, "Sum", 0, 5 * MINUTE)).toBe(3);
    expect(store.total(KEY)).toBe(7);
  });

  it("has no value where nothing was recorded", () => {
    expect(aStore([[0, 1]]).statistic(KEY, "Sum", MINUTE, 2 * MINUTE)).toBeUndefined();
    expect(new MetricStore().statistic(KEY, "Sum", 0, MINUTE)).toBeUndefined();
  });

  it("tells series apart by their dimensions, in whatever order these come", () => {
    const store = aStore([[0, 1]]);

    expect(store.total({ ...KEY, dimensions: { b: "2", a: "1" } })).toBe(1);
    expect(store.total({ ...KEY, dimensions: { a: "1" } })).toBe(0);
  });

  it("keeps two days of minutes, so that a sandbox may run for weeks", () => {
    const store = new MetricStore();
    for (let minute = 0; minute < 3000; minute++) store.record(KEY, 1, minute * MINUTE);

    expect(store.total(KEY)).toBe(2880);
    expect(store.statistic(KEY, "Sum", 2999 * MINUTE, 3000 * MINUTE)).toBe(1);
  });
});
