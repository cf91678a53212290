import { redirect, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { respondWithJson } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { findUpdateTime } from "#app/stories/stories.server.ts";

/** Responds to scripts with the time of a story's last change, so that an open page can show it. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("story");
  if (id === null) return redirect("/home");
  const updatedAt = await catchUnavailable(findUpdateTime({ context }, id));
  if (updatedAt instanceof UnavailableError) {
    const message = "We can't load this story right now.";
    return respondWithJson({ message }, { status: 503 });
  }
  return respondWithJson({ updatedAt });
}
