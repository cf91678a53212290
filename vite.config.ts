import { availableParallelism } from "node:os";
import { resolve } from "node:path";

import { cloudflareDevProxyVitePlugin, vitePlugin as remix } from "@remix-run/dev";
import type { Plugin, Rollup } from "vite";
import { defineConfig } from "vitest/config";

import { localFirebase } from "./emulator/vite-plugin.ts";
import { future } from "./future.ts";

/** Tests that replace modules or globals for their whole file, and so cannot share a worker with other files. */
const REPLACE_MODULES = [
  "tests/accounts/account.test.ts",
  "tests/accounts/reset.test.ts",
  "tests/chat/stream-faults.test.ts",
  "tests/deploy/page-cache-changes.test.ts",
  "tests/deploy/page-cache-failures.test.ts",
  "tests/deploy/page-cache-load.test.ts",
  "tests/deploy/page-cache-outage.test.ts",
  "tests/deploy/page-cache-privacy.test.ts",
  "tests/deploy/page-cache.test.ts",
  "tests/http/firebase-faults.test.ts",
  "tests/http/html-cache.test.tsx",
  "tests/http/random-requests.test.ts",
  "tests/http/request-log.test.ts",
  "tests/writing/story-markdown.test.ts",
];

export default defineConfig(({ command }) => ({
  plugins: getPlugins(command),
  // Dependencies found later would be optimized again, which gives the browser a second React.
  optimizeDeps: { entries: ["app/root.tsx", "app/entry.client.tsx", "app/routes/**/*.{ts,tsx}"] },
  // The Content-Security-Policy allows no `data:` fonts.
  build: {
    assetsInlineLimit: (path) => (/\.woff2?$/.test(path) ? false : undefined),
    modulePreload: { resolveDependencies: findScripts },
  },
  // Short class names, because the scripts contain all of them.
  ...(command === "build" && { css: { modules: { generateScopedName: "_[hash:base64:5]" } } }),
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
    maxWorkers: availableParallelism(),
    // Far more than any test needs. Tests that promise a time measure it themselves.
    testTimeout: 30_000,
    expect: { poll: { timeout: 10_000 } },
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

const MINIFIED_LIBRARIES = [
  /^(?:@conform-to|bowser|diff|jose|oauth4webapi|zod)/,
  /^(?:character-entities|hast-|mdast-|micromark|rehype-|remark-|unified|unist-|vfile)/,
];

/**
 * Terser's scripts are 4% smaller than esbuild's. The Worker's functions keep their names, which its log shows. A
 * plugin, because Remix overrides `build.minify` of the configuration.
 */
const minifyPlugin: Plugin = {
  name: "minify",
  config: (_, { isSsrBuild }) =>
    isSsrBuild
      ? {
          build: { minify: "esbuild" },
          esbuild: { keepNames: true },
          // Wrangler adds the other libraries unminified.
          ssr: { noExternal: MINIFIED_LIBRARIES },
        }
      : {
          build: {
            target: "es2022",
            minify: "terser",
            terserOptions: { ecma: 2020, compress: { passes: 2 } },
          },
        },
};

/**
 * Removes code from Remix's browser package that our settings never run: code for other values of the future flags,
 * which it reads at run time, for loading data without single fetch, and for SPA mode. Also removes `<Scripts>`, which
 * Remix's own error page renders and `PageScripts` replaces elsewhere.
 */
const unusedCodePlugin: Plugin = {
  name: "unused-code",
  apply: "build",
  transform(code, id, { ssr } = {}) {
    if (ssr || !id.includes("/@remix-run/react/dist/esm/")) return null;
    const flags = new Map(Object.entries(future));
    return code
      .replaceAll(/(?:[\w.]+\.)?\bfuture\.(v3_\w+)/g, (_, flag: string) => String(flags.get(flag)))
      .replaceAll('typeof singleFetch === "function"', String(future.v3_singleFetch))
      .replaceAll(/(?<![.\w])isSpaMode(?= (?:&&|\?))/g, "false")
      .replaceAll("if (isSpaMode)", "if (false)")
      .replaceAll("/*#__PURE__*/React.createElement(Scripts, null)", "null");
  },
};

/**
 * Puts the scripts before interaction and all styles into few files: a page waits for each of its files, and small ones
 * compress badly.
 */
const fewFilesPlugin: Plugin = {
  name: "few-files",
  enforce: "pre",
  config: (_, { isSsrBuild }) =>
    isSsrBuild ? {} : { build: { rollupOptions: { output: { manualChunks: getChunkName } } } },
  generateBundle: {
    order: "pre",
    handler(_, bundle) {
      if (!this.environment.config.build.ssr) mergeStylesheets(this, bundle);
    },
  },
};

/** The modules that Remix loads for every page, and the route modules, each with the name of its page. */
const EVERY_PAGE = /\/app\/(?:entry\.client|root)\.tsx/;
const PAGE = /\/app\/routes\/(?<page>home|read|login|register|profile|create)[^/?]*\.tsx/;

/**
 * These modules render what they import only on the server. The bundler removes the imports after the chunks are
 * chosen.
 */
const SERVER_RENDERED = /\/(?:collapsible-chat-panel|lazy-people-here)\.tsx/;

/** Modules in the app's file: what pages show of the room before it is loaded, and covers. */
const SHARED =
  /\/app\/(?:chat\/panel\/[^/]*|accounts\/google\/google-form|ui\/avatar)\.module\.css|\/stories\/dashboard\/(?:drawn-)?cover\./;

/** Modules that pages with forms share. */
const FORMS =
  /\/app\/(?:ui\/(?:text-field|link-tabs)|accounts\/(?:auth-card|still-trying|use-form-error))\.tsx?|ui\/use-focus-first-error/;

/** In characters. Shared code up to this length gets no separate file. */
const MAX_SHARED_LENGTH = 3000;

/**
 * Returns the name of the file for a module: the libraries and the app's code that every page loads are in one file
 * each.
 */
const getChunkName: Rollup.GetManualChunk = (id, { getModuleInfo }) => {
  function isOnEveryPage(module: string): boolean {
    const importers = collect(module, (from) => getModuleInfo(from)?.importers);
    return importers.some((importer) => EVERY_PAGE.test(importer));
  }

  const isLibrary = !id.includes("/app/");
  if (isOnEveryPage(id)) return isLibrary ? "libraries" : "app";
  if (isLibrary) return undefined;
  if (SHARED.test(id)) return "app";
  if (FORMS.test(id)) return "forms";
  const importers = collect(id, (from) =>
    getModuleInfo(from)?.importers.filter((importer) => !SERVER_RENDERED.test(importer)),
  );
  const pages = new Set(importers.flatMap((importer) => PAGE.exec(importer)?.groups?.page ?? []));
  const added = collect(id, (from) => getModuleInfo(from)?.importedIds).filter(
    (dependency) => !isOnEveryPage(dependency),
  );
  const length = added.reduce((sum, next) => sum + (getModuleInfo(next)?.code?.length ?? 0), 0);
  if (length > MAX_SHARED_LENGTH) return undefined;
  const isShared = pages.size > 1 && (pages.has("home") || pages.has("read"));
  return isShared ? "app" : undefined;
};

/** Returns the module and all modules that are reached from it. */
function collect(id: string, getNext: (id: string) => readonly string[] | undefined): string[] {
  const ids = new Set([id]);
  for (const from of ids) getNext(from)?.forEach((next) => ids.add(next));
  return [...ids];
}

/** Styles are in layers, so their order within one file does not matter. */
function mergeStylesheets(context: Rollup.PluginContext, bundle: Rollup.OutputBundle): void {
  const sources: string[] = [];
  for (const [fileName, file] of Object.entries(bundle)) {
    if (file.type !== "asset" || !fileName.endsWith(".css")) continue;
    sources.push(String(file.source));
    delete bundle[fileName];
  }
  const source = sources.join("\n");
  const fileName = context.getFileName(
    context.emitFile({ type: "asset", name: "styles.css", source }),
  );
  for (const chunk of Object.values(bundle)) {
    if (chunk.type !== "chunk") continue;
    const isRoot = chunk.facadeModuleId?.includes("/app/root.tsx");
    const { importedCss } = chunk.viteMetadata ?? {};
    importedCss?.clear();
    if (isRoot) importedCss?.add(fileName);
  }
}

/** Before a dynamic import, the browser runs our function instead of Vite's. */
const preloadPlugin: Plugin = {
  name: "preload",
  enforce: "pre",
  resolveId: (id) =>
    id === "\0vite/preload-helper.js" ? resolve("app/site/vite-preload.client.ts") : undefined,
};

/** Returns the scripts that a page fetches for a dynamic import: its own and those it imports, if not on every page. */
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
    return [remix({ future }), minifyPlugin, unusedCodePlugin, fewFilesPlugin, preloadPlugin];
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
