import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

import { plainForm } from "./plain-form-plugin.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));

export default defineConfig({
  root: here,
  publicDir: `${repository}public`,
  // Not beside the app's: each would throw the other's away.
  cacheDir: `${repository}node_modules/.vite-gallery`,
  plugins: [plainForm(repository)],
  // Its scan of the sources cannot see what their JSX becomes.
  optimizeDeps: { include: ["react/jsx-dev-runtime"] },
  server: {
    host: "127.0.0.1",
    port: 6180,
    fs: { allow: [repository] },
  },
});
