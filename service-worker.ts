import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

import { build, type Plugin } from "vite";

const CLIENT = "build/client";

/** Registers the service worker, and keeps pages. */
const KEEP = "app/site/kept/keep.client.ts";

/** The script chunks that a kept page needs although it may not have loaded them: for the reading position and the room. */
const ALSO_KEPT = ["reader", "room"];

/** Whether this build removes the service worker from browsers: see docs/deploy.md. */
const isOff = process.env.SERVICE_WORKER === "off";

/**
 * Builds the service worker into one script at the site's root, and what registers it into a file of its own, whose path
 * the server's build knows. Development has neither.
 */
export const serviceWorkerPlugin: Plugin = {
  name: "service-worker",
  apply: "build",
  config: (_, { isSsrBuild }) =>
    isSsrBuild
      ? { define: { "import.meta.env.KEPT_SCRIPTS": JSON.stringify(isOff ? [] : listScripts()) } }
      : {},
  buildStart() {
    if (this.environment.config.build.ssr) return;
    this.emitFile({ type: "chunk", id: resolve(KEEP), name: "keep" });
  },
  async writeBundle() {
    if (!this.environment.config.build.ssr) await buildServiceWorker();
  },
};

/** Vite's. The chunks of `script-chunks.ts` have keys that begin with "_", because no single module is their entry. */
type Manifest = Record<string, { file: string; name?: string; imports?: string[] }>;

/**
 * Returns the path of the script that keeps pages, and of those that are also kept. Remix builds the server after the
 * browser's files.
 */
function listScripts(): string[] {
  const manifest = JSON.parse(
    readFileSync(join(CLIENT, ".vite/manifest.json"), "utf8"),
  ) as Manifest;
  const chunks = ALSO_KEPT.map((name) =>
    Object.keys(manifest).find((key) => key.startsWith("_") && manifest[key]?.name === name),
  );
  const keys = new Set([KEEP, ...chunks]);
  for (const key of keys) {
    for (const imported of manifest[key ?? ""]?.imports ?? []) keys.add(imported);
  }
  return [...keys].map((key) => {
    const file = manifest[key ?? ""]?.file;
    if (file === undefined) throw new Error(`The build lacks ${key ?? "a chunk that is kept"}`);
    return `/${file}`;
  });
}

/** As a classic script, because not all browsers run modules as service workers. */
async function buildServiceWorker(): Promise<void> {
  await build({
    configFile: false,
    logLevel: "warn",
    publicDir: false,
    build: {
      outDir: CLIENT,
      emptyOutDir: false,
      copyPublicDir: false,
      reportCompressedSize: false,
      target: "es2022",
      modulePreload: false,
      rollupOptions: {
        input: resolve(`app/site/kept/service-worker${isOff ? "-off" : ""}.ts`),
        output: { format: "iife", entryFileNames: "service-worker.js" },
      },
    },
  });
}
