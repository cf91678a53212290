import { redirectDocument, type LoaderFunctionArgs } from "@remix-run/cloudflare";
import { renderToStaticMarkup } from "react-dom/server";

import type { PageFailure } from "#app/load-context.ts";
import { formatShortDateTime, type Locale } from "#app/site/locale/locale.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";

/**
 * Returns the HTML of the note on a page from the cache.
 *
 * @param time when the page was rendered, in milliseconds since the Unix epoch
 * @param failure why there is no newer page
 */
export function renderOutdatedNote(time: number, locale: Locale, failure: PageFailure): string {
  const isUnavailable = failure === "unavailable";
  return renderToStaticMarkup(
    <MessageBanner
      severity="warn"
      hint={
        isUnavailable
          ? "You can keep reading. Signing in and posting may not work yet."
          : "You can keep reading."
      }
    >
      {isUnavailable
        ? "We can't reach our database right now."
        : "We can't show the newest version of this page right now."}{" "}
      This page is from{" "}
      <time dateTime={new Date(time).toISOString()}>
        {formatShortDateTime(time, locale, Date.now())}
      </time>
      .
    </MessageBanner>,
  );
}

/** @throws a redirect that loads the document, if only the cached document can be served */
export function redirectToCachedDocument({
  request,
  context: { cloudflare },
}: Pick<LoaderFunctionArgs, "request" | "context">): void {
  if (cloudflare.data?.isDocumentCached !== true) return;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(pathname + search);
}
