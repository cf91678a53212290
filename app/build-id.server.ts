/**
 * Identifies the build. Cached pages of an earlier build are not served, because they link to files of that build. Set
 * by `vite.config.ts`.
 */
export const BUILD_ID = String(import.meta.env.BUILD_ID ?? "development");
