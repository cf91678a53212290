/**
 * Identifies the build, so that no cached page of an earlier build is served: it links to that build's files. Set by
 * `vite.config.ts`.
 */
export const BUILD_ID = String(import.meta.env.BUILD_ID ?? "development");
