import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

function demo(...options: readonly string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const args = ["run", "--silent", "demo", "--", ...options];
    execFile("npm", args, { cwd: root, env: { ...process.env, NO_COLOR: "1" } }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === "number" ? error.code : error ? 1 : 0, stdout, stderr });
    });
  });
}

describe("npm run demo", () => {
  it("ends with its tables and exit code 0", async () => {
    const { code, stdout, stderr } = await demo("--items", "40", "--speed", "400");

    expect(stderr).toMatch(/^40\/40 {2}\d+ done, \d+ dead-lettered, 0 waiting$/m);
    for (const heading of [
      "Recovered, by the attempt",
      "Dead-lettered, by reason",
      "Delays against their windows",
      "Alarms",
    ]) {
      expect(stdout).toContain(heading);
    }
    expect(stdout).toContain("Nothing lost");
    expect(code).toBe(0);
  });

  it("prints one JSON document for scripts", async () => {
    const { code, stdout } = await demo("--items", "40", "--speed", "400", "--json");
    const result = JSON.parse(stdout);

    expect(result).toMatchObject({ items: 40, ok: true, unaccounted: [], miscounted: [] });
    expect(result.succeededAtOnce + result.recovered + result.exhausted).toBe(40);
    expect(code).toBe(0);
  });

  it("ends with another exit code where an item is unaccounted for, and names it", async () => {
    const { code, stdout } = await demo("--items", "20", "--speed", "1", "--time-limit", "1");

    expect(stdout).toMatch(/Time is up, and \d+ items are neither done nor dead-lettered: order-\d+/);
    expect(code).toBe(1);
  });

  it("says what an option may be", async () => {
    const { code, stderr } = await demo("--items", "none");

    expect(stderr).toContain("It must be a whole number between 1 and 5000.");
    expect(code).toBe(1);
  });
});

describe("npm run demo, interrupted", () => {
  it("ends with exit code 130, and leaves no file and no process behind", async () => {
    const temporary = await mkdtemp(join(tmpdir(), "retry-interrupted-"));
    const child = spawn(process.execPath, ["--import", "tsx", "bin/demo.ts", "--speed", "1"], {
      cwd: root,
      env: { ...process.env, TMPDIR: temporary },
      stdio: ["ignore", "ignore", "pipe"],
    });
    const exited = once(child, "exit");
    for await (const chunk of child.stderr) if (String(chunk).includes("0 dead-lettered")) child.kill("SIGINT");

    expect(await exited).toEqual([130, null]);
    expect((await readdir(temporary)).filter((name) => /^(retry-assembly|sandbox)-/.test(name))).toEqual([]);
    await rm(temporary, { recursive: true });
  });
});
