import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import { defineConfig } from "vitest/config";

const future = {
  v3_fetcherPersist: true,
  v3_lazyRouteDiscovery: true,
  v3_relativeSplatPath: true,
  v3_routeConfig: true,
  v3_singleFetch: true,
  v3_throwAbortReason: true,
};

export default defineConfig({
  // Vitest imports route modules directly: it wants neither a route manifest nor a running workerd.
  plugins: process.env.VITEST ? [] : [cloudflareDevProxyVitePlugin(), remix({ future })],
  test: {
    include: ["tests/**/*.test.{ts,tsx}"],
    setupFiles: ["tests/support/console.ts"],
  },
});
