import { redirectDocument, type LoaderFunctionArgs } from "@remix-run/cloudflare";

/** @throws the redirect that loads a document from the cache, where data cannot be loaded */
export function redirectToCachedDocument({
  request,
  context: { cloudflare },
}: Pick<LoaderFunctionArgs, "request" | "context">): void {
  if (cloudflare.data?.isDocumentCached !== true) return;
  const { pathname, search } = new URL(request.url);
  throw redirectDocument(pathname + search);
}
