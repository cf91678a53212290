import type { MetaDescriptor } from "@remix-run/cloudflare";

import { removeBidiControls } from "#app/ui/bdi.tsx";

/** What `meta` receives, as far as it is used here. */
export interface PageMetaArgs {
  location: { pathname: string };
  /** The root's comes first. */
  matches: readonly { data: unknown }[];
}

export interface PageMeta {
  /** The title without the name of the site. @default the name of the site */
  title?: string | undefined;
  description?: string;
  /** The Open Graph type. @default 'website' */
  type?: "website" | "article";
  /**
   * The path, with its query, that search engines list the page with; `null` for a page that they must not list.
   *
   * @default the page's, without a query
   */
  canonical?: string | null;
  /** A picture of 1200 by 630 pixels for link previews. @default the site's */
  picture?: { path: string; alt: string } | undefined;
}

const SITE = "Inkglade";
const TAGLINE = "Stories, in good company.";
const SITE_PICTURE = { path: "/social.png", alt: `${SITE}: stories, in good company.` };

/**
 * Returns a page's `meta`, including Open Graph. Routes must not add to it, so that each property occurs once. Those that
 * are the same on all pages are in root.tsx.
 */
export function describePage(
  { location, matches }: PageMetaArgs,
  {
    title,
    description,
    type = "website",
    canonical = location.pathname,
    picture = SITE_PICTURE,
  }: PageMeta,
): MetaDescriptor[] {
  // The root's loader returns it. On some error pages its data are missing.
  const { origin } = Object(matches[0]?.data) as { origin?: string };
  const toUrl = (path: string | null) => path !== null && origin && origin + path;
  const href = toUrl(canonical);
  const contents = {
    description,
    robots: canonical === null && "noindex",
    "og:title": title ?? SITE,
    "og:description": description ?? TAGLINE,
    "og:type": type,
    "og:url": href,
    "og:image": toUrl(picture.path),
    "og:image:alt": picture.alt,
  };
  return [
    { title: title ? `${removeBidiControls(title)} · ${SITE}` : `${SITE} · ${TAGLINE}` },
    ...(href ? [{ tagName: "link", rel: "canonical", href }] : []),
    ...Object.entries(contents).flatMap(([name, content]) =>
      content ? [{ [name.startsWith("og:") ? "property" : "name"]: name, content }] : [],
    ),
  ];
}
