import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { catchUnavailable } from "#app/http/catch-unavailable.server.ts";
import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getUser } from "#app/session/user.server.ts";
import { getRateLimits, RATE_LIMIT_WINDOW_MS } from "#app/session/rate-limit.server.ts";
import { countReaderLater } from "#app/stories/counts/counts.server.ts";
import { readPosition, storyIdSchema } from "#app/stories/positions/position-schema.ts";
import { getPositions } from "#app/stories/positions/positions.server.ts";

/** Responds to scripts with the position in the user's account, which another device may have moved. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const id = new URL(request.url).searchParams.get("story");
  if (id === null) return redirect("/home");
  const story = storyIdSchema.safeParse(id).data;
  if (story === undefined) {
    return Response.json({ message: "There is no story with this id." }, { status: 400 });
  }
  const { user, headers } = await getUser({ request, context });
  const position = user && (await catchUnavailable(getPositions(context).find(user, story)));
  if (position instanceof UnavailableError) {
    const message = "We can't load your reading position right now.";
    return Response.json({ message }, { status: 503, headers: withNoStore(headers) });
  }
  return Response.json({ position: position ?? null }, { headers: withNoStore(headers) });
}

/** Saves a position in the user's account. The script that sends it has saved it in the browser. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["position", "uid"]);
  const position = readPosition(getText(form, "position"));
  if (!position) {
    return Response.json({ message: "This isn't a reading position." }, { status: 400 });
  }
  const { user, headers: sessionHeaders } = await getUser({ request, context });
  const headers = withNoStore(sessionHeaders);
  if (!user) return Response.json({ isSaved: false }, { headers });
  if (!isFromUser(form, user)) {
    const message = "Someone else is signed in now.";
    return Response.json({ isSaved: false, message }, { status: 401, headers });
  }
  if (!(await getRateLimits(context).consume("position", user.uid))) {
    const { retryAfter } = describeWait(RATE_LIMIT_WINDOW_MS);
    const limitHeaders = { ...headers, ...retryAfter };
    return Response.json({ isSaved: false }, { status: 429, headers: limitHeaders });
  }
  const result = await catchUnavailable(getPositions(context).set(user, position));
  const isSaved = !(result instanceof UnavailableError);
  if (isSaved) countReaderLater(context, user, position);
  return Response.json({ isSaved }, { status: isSaved ? 200 : 503, headers });
}

function withNoStore(headers: Record<string, string>) {
  return { ...headers, "Cache-Control": "no-store" };
}
