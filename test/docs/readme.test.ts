import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_POLICY } from "../../lib/core/backoff/policy.ts";
import { formatSchedule, schedule } from "../../lib/core/backoff/schedule.ts";
import { readContext } from "../../lib/core/item/read-context.ts";

const root = new URL("../../", import.meta.url);
const readme = readFileSync(new URL("README.md", root), "utf8");
const scripts: Record<string, string> = JSON.parse(readFileSync(new URL("package.json", root), "utf8")).scripts;

describe("the README", () => {
  it("prints the schedule that the default policy gives", () => {
    const printed = /<!-- schedule[^>]*-->\n([\s\S]*?)\n<!-- end of schedule -->/.exec(readme)?.[1];

    expect(printed).toBe(formatSchedule(schedule(DEFAULT_POLICY)));
  });

  it("shows contexts that the reader takes as they stand", () => {
    const contexts = [...readme.matchAll(/^```json\n(\{"v":1.*)\n```$/gm)].map(([, json = ""]) => json);

    expect(contexts).toHaveLength(2);
    for (const context of contexts) expect(readContext(context)).toMatchObject({ kind: "readable" });
  });

  it("names only scripts that there are, and the two commands that do everything", () => {
    const named = [...readme.matchAll(/npm (?:run )?(demo|start|test|synth|lint|types|dead-code)\b/g)].map(
      ([, name = ""]) => name,
    );

    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(scripts).toHaveProperty([name]);
    expect(readme).toContain("npm ci && npm run demo");
    expect(readme).toContain("npm ci && npm test");
  });

  it("links only to files that there are", () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, path = ""]) => path);

    for (const link of links) expect(() => readFileSync(new URL(link, root)), link).not.toThrow();
  });
});
