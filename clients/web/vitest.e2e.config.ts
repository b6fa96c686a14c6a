import { defineConfig } from "vitest/config";

// Tests with a real server and a real browser: one file at a time, for two cores, all in one process
// with one browser and one server. Each test has contexts of its own.
export default defineConfig({
  test: {
    include: ["tests/e2e/**/*.e2e.ts"],
    globalSetup: "tests/e2e/shared.ts",
    fileParallelism: false,
    isolate: false,
    testTimeout: 120_000,
    hookTimeout: 60_000,
    // Expected changes come later on a busy machine.
    expect: { poll: { timeout: 20_000 } },
  },
});
