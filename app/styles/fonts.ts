import figtree from "./subsets/figtree.woff2?url";
import fraunces from "./subsets/fraunces-600.woff2?url";

/** Preloads the two fonts that every page uses, so that they load in parallel with the style sheet. */
export const fontLinks = [figtree, fraunces].map((href) => ({
  rel: "preload" as const,
  as: "font" as const,
  type: "font/woff2",
  href,
  // Fonts are always fetched in CORS mode. Without this the preload would not match the request.
  crossOrigin: "anonymous" as const,
}));
