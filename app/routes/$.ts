import { data, redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { isPageRequest } from "#app/http/page-request.server.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";

export { default } from "#app/http/empty-page.ts";

/** Redirects unknown pages to /home, as the specification says. Unknown files are a 404. */
export function loader({ request, context }: LoaderFunctionArgs) {
  if (!isPageRequest(request, context.cloudflare.request)) {
    throw data({ message: "This file doesn't exist." }, { status: 404 });
  }
  if (!isQuest(request)) return redirect("/home");
  return redirect("/home", { headers: setFlash(request, "quest-not-open") });
}

export function action() {
  throw data({ message: "This address doesn't accept forms." }, { status: 404 });
}

function isQuest({ url }: Request): boolean {
  return /^\/quest\/[^/]+$/.test(new URL(url).pathname);
}
