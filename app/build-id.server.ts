/**
 * Identifies the build, so that no page of an earlier build, which links its files, is served. Set by `vite.config.ts`.
 */
export const BUILD_ID = String(import.meta.env.BUILD_ID ?? "development");
