import { createHash } from "node:crypto";

import { renderToString } from "react-dom/server";

import handleRequest, { Page } from "#app/entry.server.tsx";
import { getPageValues } from "#app/http/page-record.server.ts";

/** The digests of the pages, by ETag. */
const digests = new Map<string, string>();

/**
 * Handles a request as the app does, and verifies its page. A page with cached HTML must be the same as without: a
 * dependency that is missing in a `CachedHtml` would show one user what was rendered for another. Pages with the same ETag
 * must be equal: a source that is missing in the ETag would leave an old page in the browser.
 */
export const handleVerified: typeof handleRequest = async (
  request,
  status,
  headers,
  remixContext,
  context,
) => {
  const response = await handleRequest(request, status, headers, remixContext, context);
  const etag = response.headers.get("ETag");
  if (response.status !== 200 || !etag) return response;

  const { nonce = "", messageId = "", now = "" } = getPageValues(context);
  const { serverHandoffStream: _, ...pageContext } = remixContext;
  const html = await response.clone().text();
  const uncached = renderToString(
    <Page
      remixContext={pageContext}
      context={context}
      url={request.url}
      nonce={nonce}
      htmlCache={null}
    />,
  );
  if (!html.startsWith(`<!DOCTYPE html>${uncached}`)) {
    throw new Error(`Cached HTML depends on more than its key. Without it: ${uncached}`);
  }
  const changing = new RegExp(
    [nonce, messageId, now].filter((value) => value !== "").join("|"),
    "g",
  );
  const digest = createHash("sha256").update(uncached.replaceAll(changing, "")).digest("hex");
  if ((digests.get(etag) ?? digest) !== digest) {
    throw new Error(`Another page has the ETag ${etag}. This page: ${uncached}`);
  }
  digests.set(etag, digest);
  return response;
};
