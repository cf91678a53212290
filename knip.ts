import type { KnipConfig } from "knip";

/** `npm run check` looks at everything, and then only at what is deployed, which must contain nothing for tests alone. */
const isProduction = process.argv.includes("--production");

export default {
  workspaces: {
    ".": {
      // Those with "!" are deployed.
      entry: [
        "app/routes.ts!",
        "app/site/kept/keep.client.ts!",
        "app/site/kept/service-worker{,-off}.ts!",
        "app/site/react-dom.server.ts!",
        "app/site/route-modules.client.ts!",
        "app/site/vite-preload.client.ts!",
        "functions/**/*.ts!",
        "worker/index.ts!",
        "tests/bench/ssr-worker.ts",
        "tests/browsers/journey.ts",
        "tests/browsers/vitest.config.ts",
      ],
      project: [
        "{app,functions,worker}/**/*.{ts,tsx,css}!",
        "{deploy,emulator,tests}/**/*.{ts,tsx,css}",
        "*.ts",
      ],
      // With it, the gallery's page would count as deployed. Remix's entries are known without it.
      vite: !isProduction,
      playwright: {
        config: "tests/browser/playwright.config.ts",
        entry: "tests/browser/*.spec.ts",
      },
      ignoreDependencies: ["react-router-dom"],
    },
    "emulator/database": {
      entry: "command.ts!",
      project: "**/*.{css,ts}!",
    },
  },
  // Finds the style sheets and fonts that style sheets import.
  compilers: {
    css: (text: string) =>
      [...text.matchAll(/@import ("[^"]+")/g)].map(([, name]) => `import ${name};`).join("\n"),
  },
  ignoreBinaries: ["apt-get"],
  // Tests may import exports that otherwise only their own file uses.
  ignoreExportsUsedInFile: isProduction || { interface: true, type: true },
} satisfies KnipConfig;
