import { describe, expect, it } from "vitest";
import { limits } from "../../../../lib/sandbox/sqs/index.ts";
import { refusalName } from "../fixtures/setup.ts";

const map = (attributes: Record<string, string>): ReadonlyMap<string, string> => new Map(Object.entries(attributes));

describe("batches", () => {
  const refused = (...ids: unknown[]): string | undefined =>
    refusalName(() => limits.checkedEntries({ Entries: ids.map((Id) => ({ Id, MessageBody: "x" })) }));

  it("takes one to ten entries with distinct ids of 80 letters, digits, '-' and '_'", () => {
    expect(refused("a")).toBeUndefined();
    expect(refused(..."abcdefghij")).toBeUndefined();
    expect(refused("A-z_0".padEnd(80, "x"))).toBeUndefined();
  });

  it.each([
    [[], "EmptyBatchRequest"],
    [[..."abcdefghijk"], "TooManyEntriesInBatchRequest"],
    [["a", "a"], "BatchEntryIdsNotDistinct"],
    [["a.b"], "InvalidBatchEntryId"],
    [["x".repeat(81)], "InvalidBatchEntryId"],
    [[""], "InvalidBatchEntryId"],
    [[undefined], "MissingParameter"],
  ])("FC-10: ids %j are refused as %s", (ids, name) => {
    expect(refused(...ids)).toBe(name);
  });

  it("a batch is refused above 1,048,576 bytes", () => {
    expect(refusalName(() => limits.checkBatchSize(1_048_576))).toBeUndefined();
    expect(refusalName(() => limits.checkBatchSize(1_048_577))).toBe("BatchRequestTooLong");
  });

  it("counts the bytes of entries that are not checked yet", () => {
    const MessageAttributes = { ab: { DataType: "Binary", BinaryValue: Uint8Array.of(1, 2) }, c: 7 };
    expect(limits.requestBytes({ MessageBody: "é", MessageAttributes })).toBe(2 + (2 + 6 + 2) + 1);
  });
});

describe("queue attributes", () => {
  const refused = (attributes: Record<string, string>, fifo = false): string | undefined =>
    refusalName(() => limits.checkQueueAttributes(map(attributes), fifo));

  it.each([
    ["DelaySeconds", "0", "900"],
    ["VisibilityTimeout", "0", "43200"],
    ["MessageRetentionPeriod", "60", "1209600"],
    ["MaximumMessageSize", "1024", "1048576"],
    ["ReceiveMessageWaitTimeSeconds", "0", "20"],
    ["KmsDataKeyReusePeriodSeconds", "60", "86400"],
  ])("%s is an integer from %s to %s", (name, low, high) => {
    expect([low, high].map((value) => refused({ [name]: value }))).toEqual([undefined, undefined]);
    const outside = [String(Number(low) - 1), String(Number(high) + 1), "1.5", "", " 60", "NaN", "1e3"];
    expect(outside.map((value) => refused({ [name]: value }))).toEqual(outside.map(() => "InvalidAttributeValue"));
  });

  it("refuses unknown, computed and FIFO-only attributes", () => {
    for (const name of ["Nonsense", "QueueArn", "ApproximateNumberOfMessages", "ContentBasedDeduplication"]) {
      expect(refused({ [name]: "true" })).toBe("InvalidAttributeName");
    }
    expect(refused({ ContentBasedDeduplication: "true" }, true)).toBeUndefined();
  });

  it("refuses two kinds of encryption at once, and a policy that is no JSON object", () => {
    expect(refused({ SqsManagedSseEnabled: "true", KmsMasterKeyId: "alias/k" })).toBe("InvalidAttributeValue");
    expect(refused({ Policy: "[]" })).toBe("InvalidAttributeValue");
    expect(refused({ Policy: '{"Statement":[]}' })).toBeUndefined();
  });
});

describe("redrive policies", () => {
  const target = "arn:aws:sqs:us-east-1:000000000000:dead";

  it.each([1, 1_000, "1", "1000"])("maxReceiveCount %j is accepted", (maxReceiveCount) => {
    const policy = JSON.stringify({ deadLetterTargetArn: target, maxReceiveCount });
    expect(limits.checkedRedrivePolicy(policy)).toEqual({
      targetArn: target,
      maxReceiveCount: Number(maxReceiveCount),
    });
  });

  it.each([0, 1_001, 1.5, "1.5", "", "x", null, true])("maxReceiveCount %j is refused", (maxReceiveCount) => {
    const policy = JSON.stringify({ deadLetterTargetArn: target, maxReceiveCount });
    expect(refusalName(() => limits.checkedRedrivePolicy(policy))).toBe("InvalidParameterValue");
  });

  it.each(["{", "[]", "{}", `{"deadLetterTargetArn":"${target}"}`, '{"maxReceiveCount":2}'])(
    "%s is refused",
    (policy) => {
      expect(refusalName(() => limits.checkedRedrivePolicy(policy))).toBe("InvalidParameterValue");
    },
  );

  it("a RedriveAllowPolicy by queue lists one to ten queues, others list none", () => {
    const allow = (policy: object): string | undefined =>
      refusalName(() => limits.checkedRedriveAllowPolicy(JSON.stringify(policy)));
    expect(allow({ redrivePermission: "allowAll" })).toBeUndefined();
    expect(allow({ redrivePermission: "byQueue", sourceQueueArns: [target] })).toBeUndefined();
    expect(allow({ redrivePermission: "byQueue" })).toBe("InvalidParameterValue");
    expect(allow({ redrivePermission: "byQueue", sourceQueueArns: Array(11).fill(target) })).toBe(
      "InvalidParameterValue",
    );
    expect(allow({ redrivePermission: "denyAll", sourceQueueArns: [target] })).toBe("InvalidParameterValue");
    expect(allow({ redrivePermission: "some" })).toBe("InvalidParameterValue");
  });
});

describe("receives", () => {
  const refused = (input: object, fifo = false): string | undefined =>
    refusalName(() => limits.checkedReceive({ ...input }, fifo));

  it.each([
    [{ MaxNumberOfMessages: 0 }, "InvalidParameterValue"],
    [{ MaxNumberOfMessages: 11 }, "InvalidParameterValue"],
    [{ WaitTimeSeconds: 21 }, "InvalidParameterValue"],
    [{ VisibilityTimeout: 43_201 }, "InvalidParameterValue"],
    [{ ReceiveRequestAttemptId: "a" }, "InvalidParameterValue"],
    [{ MessageSystemAttributeNames: ["Nonsense"] }, "InvalidAttributeName"],
    [{ AttributeNames: ["Nonsense"] }, "InvalidAttributeName"],
    [{ MessageAttributeNames: "All" }, "InvalidParameterValue"],
  ])("%j is refused as %s", (input, name) => {
    expect(refused(input)).toBe(name);
  });

  it("selects message attributes by name, by prefix, or all", () => {
    const wants = (...MessageAttributeNames: string[]) => {
      const { wantsAttribute } = limits.checkedReceive({ MessageAttributeNames }, false);
      return ["a", "b.c", "b.d", "bar"].filter(wantsAttribute);
    };
    expect(wants()).toEqual([]);
    expect(wants("a", "b.*")).toEqual(["a", "b.c", "b.d"]);
    expect(wants("All")).toEqual(wants(".*"));
  });
});
