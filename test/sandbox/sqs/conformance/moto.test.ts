import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type MotoServer, motoServerPath, startMotoServer } from "../fixtures/moto-server.ts";
import { MOTO_DIFFERENCES } from "./moto-differences.ts";
import { CONFORMANCE_CASES, sqsConformance } from "./suite.ts";

const command = motoServerPath();

it("lists no difference of moto that is not a line of the behaviour list", () => {
  const names = new Set(CONFORMANCE_CASES.map((one) => one.name));
  expect([...MOTO_DIFFERENCES.keys()].filter((name) => !names.has(name))).toEqual([]);
});

if (command === undefined) {
  const notRun = "NOT RUN: moto_server is not on PATH, so the behaviour list was not compared with moto";
  console.warn(notRun);
  describe("moto_server", () => it.skip(notRun, () => {}));
} else {
  describe("moto_server", () => {
    let moto: MotoServer;
    beforeAll(async () => {
      moto = await startMotoServer(command);
    });
    afterAll(() => moto.stop());

    sqsConformance({
      name: "moto_server",
      endpoint: () => moto.endpoint,
      credentials: { accessKeyId: "test", secretAccessKey: "test" },
      differences: MOTO_DIFFERENCES,
    });
  });
}
