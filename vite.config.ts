import { availableParallelism } from "node:os";
import { resolve as resolvePath } from "node:path";

import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import { normalizePath, type Plugin } from "vite";
import { defineConfig } from "vitest/config";

import { localFirebase } from "./emulator/vite-plugin.ts";
import { scriptChunksPlugin } from "./script-chunks.ts";
import { serviceWorkerPlugin } from "./service-worker.ts";
import { stylesheetPlugin } from "./stylesheet.ts";
import { future } from "./future.ts";

/** Tests that replace modules or globals for their whole file, and so cannot share a worker with other files. */
const REPLACE_MODULES = [
  "tests/accounts/account.test.ts",
  "tests/accounts/reset.test.ts",
  "tests/chat/stream-faults.test.ts",
  "tests/http/firebase-faults.test.ts",
  "tests/http/random-requests.test.ts",
  "tests/writing/story-markdown.test.ts",
];

export default defineConfig(({ command }) => ({
  plugins: getPlugins(command),
  // Dependencies found later would be optimized again, which gives the browser a second React.
  optimizeDeps: { entries: ["app/root.tsx", "app/entry.client.tsx", "app/routes/**/*.{ts,tsx}"] },
  build: {
    // `npm run check:budgets` measures what matters.
    reportCompressedSize: false,
    // The Content-Security-Policy allows no `data:` fonts.
    assetsInlineLimit: (path) => (/\.woff2?$/.test(path) ? false : undefined),
    modulePreload: { resolveDependencies: findScripts },
  },
  ...(command === "build" && {
    define: { "import.meta.env.BUILD_ID": JSON.stringify(Date.now().toString(36)) },
  }),
  test: {
    setupFiles: [
      "tests/support/circuit-breakers.ts",
      "tests/support/console.ts",
      "tests/support/property-seed.ts",
      "tests/support/reuse-servers.ts",
    ],
    // Tests often wait for time to pass or for servers to start, so there is one worker more than processors.
    maxWorkers: availableParallelism() + 1,
    // Far more than any test needs. Tests that promise a time measure it themselves.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
    // A shared Firestore serves one file after the other, and Google's emulator is slow.
    ...(process.env.TEST_FIRESTORE_HOST && { maxWorkers: 1, testTimeout: 120_000 }),
    projects: [
      {
        extends: true,
        // React's production build, as deployed. The development build takes three times as long to render.
        esbuild: { jsxDev: false },
        test: { name: "isolated", include: REPLACE_MODULES, env: { NODE_ENV: "production" } },
      },
      {
        extends: true,
        test: {
          name: "shared",
          include: ["tests/**/*.test.{ts,tsx}"],
          // Those of the local Firebase start their own servers.
          exclude: [
            ...REPLACE_MODULES,
            ...(process.env.TEST_FIRESTORE_HOST ? ["tests/emulator/**"] : []),
          ],
          // A worker imports React, Firebase and the app once, and not for each of a hundred files.
          isolate: false,
        },
      },
    ],
  },
}));

/** Returns the id of a module, which has slashes on Windows, too. */
const resolve = (path: string) => normalizePath(resolvePath(path));

const MINIFIED_LIBRARIES = [
  /^(?:@conform-to|bowser|diff|embla-carousel|fflate|firebase-rest-firestore|jose|oauth4webapi|zod)/,
  /^(?:@react-aria|@react-stately|react-aria|react-stately|remix-auth)/,
  /^(?:character-entities|decode-named|hast-|mdast-|micromark|rehype-|remark-|unified|unist-|vfile)/,
  /^(?:@remix-run\/react$|react-router)/,
  /^(?:fflate|property-information|stringify-entities|trough|zwitch)/,
];

/**
 * Terser's scripts are 4% smaller than esbuild's. This is a plugin, because Remix overrides `build.minify` of the
 * configuration.
 */
const minifyPlugin: Plugin = {
  name: "minify",
  config: (_, { isSsrBuild }) =>
    isSsrBuild
      ? {
          build: { minify: "esbuild" },
          // Only libraries that Vite bundles are minified: wrangler adds the others as they are.
          ssr: { noExternal: MINIFIED_LIBRARIES },
          resolve: {
            alias: [{ find: /^react-dom$/, replacement: resolve("app/site/react-dom.server.ts") }],
          },
        }
      : {
          build: {
            target: "es2022",
            // Older browsers than those that run the scripts show the page without them: see README.md.
            cssTarget: ["safari16.4", "ios16.4", "chrome120", "firefox121"],
            cssMinify: "lightningcss",
            minify: "terser",
            terserOptions: { ecma: 2020, compress: { passes: 2 } },
          },
        },
};

/** Replaces Vite's preload function, which runs before each dynamic import, with our own. */
const preloadPlugin: Plugin = {
  name: "preload",
  enforce: "pre",
  resolveId: (id) =>
    id === "\0vite/preload-helper.js" ? resolve("app/site/vite-preload.client.ts") : undefined,
};

/** Replaces Remix's function that loads the script of a route, which reloads the page when there is no script. */
const routeModulesPlugin: Plugin = {
  name: "route-modules",
  apply: "build",
  enforce: "pre",
  resolveId: (id, importer, { ssr }) =>
    !ssr && id === "./routeModules.js" && importer?.includes("/@remix-run/react/dist/esm/")
      ? resolve("app/site/route-modules.client.ts")
      : undefined,
};

/**
 * Returns the scripts that a page fetches for a dynamic import: the module's own and those it imports, without those of
 * every page.
 */
function findScripts(file: string, imports: string[]): string[] {
  return [...new Set([file, ...imports])].filter(
    (path) => !/\/(?:entry\.client|libraries)-/.test(path),
  );
}

function getPlugins(command: "build" | "serve") {
  // Vitest imports route modules directly and needs neither a route manifest nor workerd.
  if (process.env.VITEST) return [];
  // Remix runs a Vite server during the build, which must not start the emulators.
  if (command === "build") {
    return [
      remix({ future }),
      minifyPlugin,
      routeModulesPlugin,
      scriptChunksPlugin,
      stylesheetPlugin,
      preloadPlugin,
      serviceWorkerPlugin,
    ];
  }

  const firebase = localFirebase();
  const proxy = cloudflareDevProxyVitePlugin({
    async getLoadContext({ request, context: { cloudflare } }) {
      const env = Object.assign({}, cloudflare.env, await firebase.variables());
      return { cloudflare: { ...cloudflare, env, request } };
    },
  });
  return [firebase.plugin, proxy, remix({ future })];
}
