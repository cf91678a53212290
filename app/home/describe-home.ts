import type { MetaDescriptor } from "@remix-run/cloudflare";

import { describePage, type PageMetaArgs } from "#app/site/page-meta.ts";
import { findFeedPath, findListPath } from "#app/stories/list-paths.ts";
import type { SearchPage } from "#app/stories/search-results.ts";

const DESCRIPTION = "Read short stories and talk about them in one shared room.";

interface HomePage {
  title?: string | undefined;
  page: SearchPage;
  writer: { name: string | null; about: string } | null;
}

/** Returns the `meta` of /home. Search engines list it without a search, and the pages of writers and of single tags. */
export function describeHome(args: PageMetaArgs, home: HomePage | undefined): MetaDescriptor[] {
  const feed = home && findFeedPath(home.page);
  const isListed = home?.page.after === null && home.writer?.name !== null;
  return [
    ...describePage(args, {
      title: home?.title,
      description: home?.writer?.about || DESCRIPTION,
      canonical: isListed ? findListPath(home.page) : null,
    }),
    ...(feed
      ? [
          {
            tagName: "link",
            rel: "alternate",
            type: "application/atom+xml",
            title: home.title ?? "New stories",
            href: feed,
          },
        ]
      : []),
  ];
}
