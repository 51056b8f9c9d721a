import { describe, expect, it } from "vitest";
import { parseExpression, seriesIds } from "../../../lib/sandbox/alarms/expression.ts";
import { evaluateExpression, type Series } from "../../../lib/sandbox/alarms/math.ts";

const SERIES: Readonly<Record<string, Series>> = {
  depth: [undefined, 2, 5, undefined, 4],
  reads: [1, undefined, 3, undefined, 0],
  writes: [10, 20, undefined, undefined, 0],
};

const valuesOf = (text: string) => evaluateExpression(parseExpression(text), 5, 60, (id) => SERIES[id] ?? []);

describe("metric math", () => {
  it.each<[string, Series]>([
    ["depth", [undefined, 2, 5, undefined, 4]],
    ["7", [7, 7, 7, 7, 7]],
    ["DIFF(depth)", [undefined, undefined, 3, undefined, -1]],
    ["RATE(depth)", [undefined, undefined, 3 / 60, undefined, -1 / 120]],
    ["FILL(reads, 0) + FILL(writes, 0)", [11, 20, 3, 0, 0]],
    ["reads + writes", [11, undefined, undefined, undefined, 0]],
    ["writes / reads", [10, undefined, undefined, undefined, undefined]],
    ["2 + 3 * 4", [14, 14, 14, 14, 14]],
    ["(2 + 3) * 4", [20, 20, 20, 20, 20]],
    ["10 - 4 - 3", [3, 3, 3, 3, 3]],
    ["12 / 2 / 3", [2, 2, 2, 2, 2]],
    ["-depth", [undefined, -2, -5, undefined, -4]],
    ["ABS(DIFF(depth))", [undefined, undefined, 3, undefined, 1]],
    ["DIFF(FILL(depth, 0))", [undefined, 2, 3, -5, 4]],
  ])("%s", (text, expected) => {
    expect(valuesOf(text)).toEqual(expected);
  });

  it("names the series that an expression reads", () => {
    expect(seriesIds(parseExpression("FILL(reads, 0) + 2 * DIFF(writes)"))).toEqual(["reads", "writes"]);
  });

  it.each([
    "ANOMALY_DETECTION_BAND(m1)",
    "FILL(m1, REPEAT)",
    "DIFF m1",
    "DIFF()",
    "DIFF(m1, 2)",
    "m1 +",
    "(m1",
    "m1 m2",
    "m1 ; 2",
    "",
  ])("refuses what it does not know, with what it knows: '%s'", (text) => {
    expect(() => parseExpression(text)).toThrow(`metric math '${text}' cannot be evaluated here`);
  });
});
