import { availableParallelism } from "node:os";

import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { localFirebase } from "./emulator/vite-plugin.ts";
import { future } from "./future.ts";

/** Tests that replace modules or globals for their whole file, and so cannot share a worker with other files. */
const REPLACE_MODULES = [
  "tests/accounts/account.test.ts",
  "tests/accounts/reset.test.ts",
  "tests/http/random-requests.test.ts",
  "tests/writing/story-markdown.test.ts",
];

export default defineConfig(({ command }) => ({
  plugins: getPlugins(command),
  // Found at the start rather than page by page: each late find would give the browser a second React.
  optimizeDeps: { entries: ["app/root.tsx", "app/entry.client.tsx", "app/routes/**/*.{ts,tsx}"] },
  // The Content-Security-Policy lets fonts come from files only.
  build: { assetsInlineLimit: (path) => (/\.woff2?$/.test(path) ? false : undefined) },
  test: {
    setupFiles: ["tests/support/console.ts"],
    maxWorkers: availableParallelism(),
    // Far more than any test needs. Tests that promise a time measure it themselves.
    testTimeout: 30_000,
    // A shared Firestore serves one file after the other, and Google's emulator is slow.
    ...(process.env.TEST_FIRESTORE_HOST && { maxWorkers: 1, testTimeout: 120_000 }),
    projects: [
      { extends: true, test: { name: "isolated", include: REPLACE_MODULES } },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["tests/**/*.test.{ts,tsx}"],
          exclude: REPLACE_MODULES,
          // A worker imports React, Firebase and the app once, and not for each of a hundred files.
          isolate: false,
        },
      },
    ],
  },
}));

/**
 * Browsers get 4 % less to fetch than from the default minifier, which is what the budgets leave for features. A plugin,
 * because Remix overrides what the configuration itself says of it.
 */
const smallScripts: Plugin = {
  name: "small-scripts",
  config: (_, { isSsrBuild }) =>
    isSsrBuild
      ? {}
      : { build: { minify: "terser", terserOptions: { ecma: 2020, compress: { passes: 2 } } } },
};

function getPlugins(command: "build" | "serve") {
  // Vitest imports route modules directly: it wants neither a route manifest nor a running workerd.
  if (process.env.VITEST) return [];
  // Remix runs a development server inside the build, which would start what only development needs.
  if (command === "build") return [remix({ future }), smallScripts];

  const firebase = localFirebase();
  const proxy = cloudflareDevProxyVitePlugin({
    async getLoadContext({ request, context: { cloudflare } }) {
      const env = Object.assign({}, cloudflare.env, await firebase.variables());
      return { cloudflare: { ...cloudflare, env, request } };
    },
  });
  return [firebase.plugin, proxy, remix({ future })];
}
