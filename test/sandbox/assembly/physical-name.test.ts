import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { physicalName } from "../../../lib/sandbox/assembly/physical-name.ts";

describe("the name of a resource that the template does not name", () => {
  it("is stack and logical id", () => {
    expect(physicalName("Retry", "IngestQueue4FD38B76", 80)).toBe("Retry-IngestQueue4FD38B76");
  });

  it("ends as the service wants it", () => {
    expect(physicalName("Retry", "Queue", 80, ".fifo")).toBe("Retry-Queue.fifo");
  });

  it("is never too long, keeps its ending, and is another for another id", () => {
    const id = fc.stringMatching(/^[A-Za-z0-9]{1,255}$/);
    fc.assert(
      fc.property(id, id, fc.constantFrom("", ".fifo"), (one, other, suffix) => {
        const name = physicalName("Stack", one, 80, suffix);
        expect(name.length).toBeLessThanOrEqual(80);
        expect(name.endsWith(suffix)).toBe(true);
        if (one !== other) expect(physicalName("Stack", other, 80, suffix)).not.toBe(name);
      }),
    );
  });
});
