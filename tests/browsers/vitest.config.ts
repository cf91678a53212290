import { defineConfig } from "vitest/config";

export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["tests/browsers/journey.ts"],
    reporters: ["verbose"],
    // Far more than any promise needs, because a busy machine responds late.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000, interval: 100 } },
    projects: [
      { extends: true, test: { name: "chromium", provide: { browser: "chromium" } } },
      { extends: true, test: { name: "firefox", provide: { browser: "firefox" } } },
      { extends: true, test: { name: "webkit", provide: { browser: "webkit" } } },
    ],
  },
});
