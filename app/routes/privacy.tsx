import type { MetaFunction } from "@remix-run/cloudflare";

import { describePage } from "#app/site/page-meta.ts";

export { Privacy as default } from "#app/home/info/privacy.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "Privacy",
    description: "What Inkglade stores, who sees it, and what deleting does.",
  });
