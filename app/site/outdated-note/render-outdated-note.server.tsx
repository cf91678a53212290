import { renderToStaticMarkup } from "react-dom/server";

import { formatShortDateTime } from "#app/site/locale/format-time.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";

/**
 * Returns the HTML of the note on a page from the cache.
 *
 * @param time when the page was rendered, in milliseconds since the Unix epoch
 */
export function renderOutdatedNote(time: number, locale: Locale): string {
  return renderToStaticMarkup(
    <MessageBanner
      severity="warn"
      hint="You can keep reading. Signing in and posting may not work yet."
    >
      We can't reach our database right now. This page is from{" "}
      <time dateTime={new Date(time).toISOString()}>
        {formatShortDateTime(time, locale, Date.now())}
      </time>
      .
    </MessageBanner>,
  );
}
