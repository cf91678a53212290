/** Names the build: cached pages of an earlier one contain the names of its files. `vite.config.ts` sets it. */
export const BUILD_ID = String(import.meta.env.BUILD_ID ?? "development");
