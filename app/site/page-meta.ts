import type { MetaDescriptor } from "@remix-run/cloudflare";

export interface PageMeta {
  /** What the page is called, without the name of the site. @default the site itself */
  title?: string | undefined;
  description?: string;
  /** In Open Graph's words. @default 'website' */
  type?: "website" | "article";
}

const SITE = "Inkglade";
const TAGLINE = "Stories, in good company.";

/**
 * Describes a page to its visitors, to search engines and to other sites that show a link to it. The only place that
 * does: two values of one property would contradict each other.
 */
export function describePage({ title, description, type = "website" }: PageMeta): MetaDescriptor[] {
  return [
    { title: title ? `${title} · ${SITE}` : `${SITE} · ${TAGLINE}` },
    ...(description ? [{ name: "description", content: description }] : []),
    { property: "og:title", content: title ?? SITE },
    { property: "og:description", content: description ?? TAGLINE },
    { property: "og:type", content: type },
  ];
}
