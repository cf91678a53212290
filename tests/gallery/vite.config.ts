import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root: here,
  publicDir: `${repository}public`,
  // With a shared cache directory, each Vite configuration would delete the other's cache.
  cacheDir: `${repository}node_modules/.vite-gallery`,
  // Vite's dependency scan misses imports that the JSX transform adds.
  optimizeDeps: { include: ["react/jsx-dev-runtime"] },
  server: {
    host: "127.0.0.1",
    port: 6180,
    fs: { allow: [repository] },
  },
});
