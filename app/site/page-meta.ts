import type { MetaDescriptor } from "@remix-run/cloudflare";

import { removeBidiControls } from "#app/ui/bidi-controls.ts";

export interface PageMeta {
  /** The title without the name of the site. @default the name of the site */
  title?: string | undefined;
  description?: string;
  /** The Open Graph type. @default 'website' */
  type?: "website" | "article";
}

const SITE = "Inkglade";
const TAGLINE = "Stories, in good company.";

/** Returns a page's `meta`, including Open Graph. Routes must not add to it, so that each property occurs once. */
export function describePage({ title, description, type = "website" }: PageMeta): MetaDescriptor[] {
  return [
    { title: title ? `${removeBidiControls(title)} · ${SITE}` : `${SITE} · ${TAGLINE}` },
    ...(description ? [{ name: "description", content: description }] : []),
    { property: "og:title", content: title ?? SITE },
    { property: "og:description", content: description ?? TAGLINE },
    { property: "og:type", content: type },
  ];
}
