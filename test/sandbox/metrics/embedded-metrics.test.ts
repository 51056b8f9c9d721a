import { describe, expect, it } from "vitest";
import { embeddedMetrics } from "../../../lib/sandbox/metrics/embedded-metrics.ts";

const aDocument = (more: object = {}) => ({
  _aws: {
    Timestamp: 1,
    CloudWatchMetrics: [
      { Namespace: "Retry", Dimensions: [["IngestQueue"]], Metrics: [{ Name: "Retried", Unit: "Count" }] },
    ],
  },
  IngestQueue: "ingest",
  Retried: 3,
  ...more,
});

const KEY = { namespace: "Retry", name: "Retried", dimensions: { IngestQueue: "ingest" } };

describe("metrics in log lines", () => {
  it("are read with namespace, name and dimensions", () => {
    expect(embeddedMetrics(aDocument())).toEqual([{ key: KEY, value: 3 }]);
  });

  it("may have several values", () => {
    expect(embeddedMetrics(aDocument({ Retried: [1, 2] }))).toEqual([
      { key: KEY, value: 1 },
      { key: KEY, value: 2 },
    ]);
  });

  it("count once for each set of dimensions", () => {
    const document = aDocument();
    document._aws.CloudWatchMetrics[0]?.Dimensions.push([]);

    expect(embeddedMetrics(document)?.map(({ key }) => key.dimensions)).toEqual([{ IngestQueue: "ingest" }, {}]);
  });

  it("are left out when their value is no number", () => {
    expect(embeddedMetrics(aDocument({ Retried: "3" }))).toEqual([]);
  });

  it.each([{ message: "retry" }, { _aws: 1 }, { _aws: { CloudWatchMetrics: {} } }])(
    "are none in other lines: %j",
    (line) => {
      expect(embeddedMetrics(line)).toBeUndefined();
    },
  );
});
