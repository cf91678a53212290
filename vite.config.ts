import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { localFirebase } from "./emulator/vite-plugin.ts";
import { future } from "./future.ts";

export default defineConfig(({ command }) => ({
  plugins: getPlugins(command),
  // Found at the start rather than page by page: each late find would give the browser a second React.
  optimizeDeps: { entries: ["app/root.tsx", "app/entry.client.tsx", "app/routes/**/*.{ts,tsx}"] },
  // The Content-Security-Policy lets fonts come from files only.
  build: { assetsInlineLimit: (path) => (/\.woff2?$/.test(path) ? false : undefined) },
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/support/console.ts"],
    // A Firestore that is shared is used by one file after the other, and may be Google's, which takes its time.
    ...(process.env.TEST_FIRESTORE_HOST && { fileParallelism: false, testTimeout: 120_000 }),
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
