import { redirectDocument, type LoaderFunctionArgs } from "@remix-run/cloudflare";

/** @throws a redirect that loads the document, if only the cached document can be served */
export function redirectToCachedDocument({
  request,
  context: { cloudflare },
}: Pick<LoaderFunctionArgs, "request" | "context">): void {
  if (cloudflare.data?.isDocumentCached !== true) return;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(pathname + search);
}
