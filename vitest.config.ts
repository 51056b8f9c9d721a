import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // The machine that runs this has two cores; the slowest single step is a first synth.
    testTimeout: 60_000,
    hookTimeout: 120_000,
    restoreMocks: true,
    // What the SDK says about this machine's Node is no matter of the tests.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
  },
});
