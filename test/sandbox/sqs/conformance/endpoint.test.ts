import { describe, it } from "vitest";
import { sqsConformance } from "./suite.ts";

const endpoint = process.env.SQS_CONFORMANCE_ENDPOINT;

// Credentials and Region come from the environment, so that real AWS can be held to the list as well.
if (endpoint === undefined || endpoint === "") {
  describe("an endpoint of your choice", () => {
    it.skip("set SQS_CONFORMANCE_ENDPOINT to hold it to the behaviour list", () => {});
  });
} else {
  sqsConformance({ name: endpoint, endpoint: () => endpoint });
}
