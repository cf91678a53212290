import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { isDocumentRequest } from "#app/http/page-request.server.ts";
import { loadReaders } from "#app/stories/readers/readers.server.ts";

/** Responds to scripts with how many people have each story open now. */
export function loader({ request, context }: LoaderFunctionArgs) {
  if (isDocumentRequest(request)) return redirect("/home");
  return loadReaders(context);
}
