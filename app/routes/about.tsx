import type { MetaFunction } from "@remix-run/cloudflare";

import { describePage } from "#app/site/page-meta.ts";

export { About as default } from "#app/home/info/about.tsx";

export const meta: MetaFunction = (args) =>
  describePage(args, {
    title: "About",
    description: "A place to read short stories, to write them, and to talk about them.",
  });
