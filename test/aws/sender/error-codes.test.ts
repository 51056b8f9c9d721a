import { describe, expect, it } from "vitest";
import { codeOf, isTransient } from "../../../lib/aws/sender/error-codes.ts";

describe("error codes", () => {
  it.each([
    "RequestThrottled",
    "ThrottlingException",
    "Throttling",
    "OverLimit",
    "KMS.ThrottlingException",
    "KmsThrottled",
    "ServiceUnavailable",
    "InternalError",
    "InternalFailure",
    "AWS.SimpleQueueService.InternalError",
  ])("%s may go through a moment later", (code) => expect(isTransient(code)).toBe(true));

  it.each([
    "AccessDenied",
    "KMS.AccessDeniedException",
    "KmsAccessDenied",
    "InvalidMessageContents",
    "InvalidParameterValue",
    "QueueDoesNotExist",
    "AWS.SimpleQueueService.NonExistentQueue",
    "NotAnswered",
    "",
  ])("'%s' will not", (code) => expect(isTransient(code)).toBe(false));

  it("are the name of an error, and the text of anything else that was thrown", () => {
    expect(codeOf(Object.assign(new Error("slow down"), { name: "RequestThrottled" }))).toBe("RequestThrottled");
    expect(codeOf("x")).toBe("x");
    expect(codeOf(undefined)).toBe("undefined");
  });
});
