import figtree from "@fontsource-variable/figtree/files/figtree-latin-wght-normal.woff2?url";
import fraunces from "@fontsource-variable/fraunces/files/fraunces-latin-wght-normal.woff2?url";

/** Asks for the two fonts of every page beside the style sheet instead of after it. */
export const fontLinks = [figtree, fraunces].map((href) => ({
  rel: "preload" as const,
  as: "font" as const,
  type: "font/woff2",
  href,
  // Fonts are fetched without credentials even from our own address; otherwise the preload is wasted.
  crossOrigin: "anonymous" as const,
}));
