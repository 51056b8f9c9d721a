import { describe, expect, it } from "vitest";
import { durationText } from "../../../lib/core/backoff/duration-text.ts";

describe("a duration in words", () => {
  it.each([
    [0, "0 s"],
    [0.4, "0 s"],
    [10, "10 ms"],
    [999.6, "1 s"],
    [1_000, "1 s"],
    [5_500, "5.5 s"],
    [59_940, "59.9 s"],
    [59_960, "1 min"],
    [80_000, "1 min 20 s"],
    [450_500, "7 min 31 s"],
    [900_000, "15 min"],
    [3_600_000, "1 h"],
    [93_784_000, "1 d 2 h 3 min 4 s"],
  ])("of %s ms is '%s'", (ms, text) => {
    expect(durationText(ms)).toBe(text);
  });
});
