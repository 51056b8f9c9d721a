import { describe, expect, it } from "vitest";
import { CHAIN_LIMIT, chainLength, invocationTrace } from "../../../lib/sandbox/functions/lineage.ts";

const ONE = "arn:aws:lambda:us-east-1:000000000000:function:one";
const TWO = "arn:aws:lambda:us-east-1:000000000000:function:two";
const TRACE = "Root=1-2-3;Parent=4;Sampled=0";

describe("the lineage of invocations", () => {
  it("begins at 0, behind the trace of the invocation", () => {
    expect(invocationTrace([undefined], ONE, TRACE)).toMatch(/^Root=1-2-3;Parent=4;Sampled=0;Lineage=1:[0-9a-f]{8}:0$/);
  });

  it("counts one more each time that a message leads back to the function", () => {
    let header: string | undefined;
    const lengths = Array.from({ length: CHAIN_LIMIT + 1 }, () => {
      const length = chainLength(header, ONE);
      header = invocationTrace([header], ONE, TRACE);
      return length;
    });

    expect(lengths).toEqual(Array.from({ length: CHAIN_LIMIT + 1 }, (_, index) => index));
    expect(header).toMatch(/:16$/);
  });

  it("counts the functions of one chain apart", () => {
    const afterOne = invocationTrace([undefined], ONE, TRACE);
    const afterTwo = invocationTrace([afterOne], TWO, TRACE);
    const afterOneAgain = invocationTrace([afterTwo], ONE, TRACE);

    expect([chainLength(afterOneAgain, ONE), chainLength(afterOneAgain, TWO)]).toEqual([2, 1]);
  });

  it("takes the longest chain of a batch", () => {
    const short = invocationTrace([undefined], ONE, TRACE);
    const long = invocationTrace([short], ONE, TRACE);

    expect(chainLength(invocationTrace([undefined, long, short], ONE, TRACE), ONE)).toBe(3);
  });

  it.each([
    undefined,
    "",
    "Root=1-2-3;Sampled=1",
    "Lineage=",
    "Lineage=nonsense",
    "Lineage=1:zz:3",
    `Root=1;Lineage=1:00000000:9`,
  ])("is new after a message whose header says nothing of the function: %s", (header) => {
    expect(chainLength(header, ONE)).toBe(0);
  });
});
