import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { readAssembly } from "../../../lib/sandbox/assembly/read-assembly.ts";
import { anAssembly, aQueue, HANDLER_KEY } from "../fixtures/assembly.ts";

async function aDirectory(files: Readonly<Record<string, string>>): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "assembly-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) await writeFile(join(directory, name), text);
  return directory;
}

describe("reading a cloud assembly", () => {
  it("gives every stack with its resources, outputs, and the directories of its assets", async () => {
    const directory = await anAssembly({
      One: { resources: { Queue: aQueue() }, outputs: { Url: { Value: { Ref: "Queue" } } } },
      Two: { resources: {} },
    });

    const [one, two] = await readAssembly(directory);

    expect(one).toMatchObject({
      name: "One",
      resources: [{ logicalId: "Queue", type: "AWS::SQS::Queue", properties: { VisibilityTimeout: 30 } }],
      outputs: { Url: { Value: { Ref: "Queue" } } },
    });
    expect(one?.assets.get(HANDLER_KEY)).toMatch(/fixtures\/handler$/);
    expect(two?.name).toBe("Two");
  });

  it("knows account and Region of a stack that names them, and of no other", async () => {
    const directory = await anAssembly({
      Fixed: { resources: {}, environment: "aws://123456789012/eu-west-1" },
      Free: { resources: {} },
    });

    const [fixed, free] = await readAssembly(directory);

    expect(fixed).toMatchObject({ accountId: "123456789012", region: "eu-west-1" });
    expect(free).not.toHaveProperty("region");
  });

  it.each([
    ["has no manifest", {}, /cannot read .*manifest\.json: a cloud assembly has it/],
    ["has a manifest that is no JSON", { "manifest.json": "{" }, /manifest\.json must hold a JSON object/],
    ["has no stack", { "manifest.json": '{"artifacts":{}}' }, /has no stack/],
  ])("refuses a directory that %s", async (_, files, message) => {
    await expect(readAssembly(await aDirectory(files))).rejects.toThrow(message);
  });

  it("refuses a condition on what runs here, rather than guess", async () => {
    const directory = await anAssembly({ One: { resources: { Queue: { ...aQueue(), Condition: "IsProd" } } } });

    await expect(readAssembly(directory)).rejects.toThrow("'Resources.Queue' of One.template.json has a Condition");
  });
});
