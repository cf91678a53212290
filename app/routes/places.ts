import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form-text.ts";
import { readForm } from "#app/http/form.server.ts";
import { MAX_CLOCK_SKEW_MS, placeSchema, storyIdSchema } from "#app/reading/position-schema.ts";
import { getPositions } from "#app/reading/positions.server.ts";
import { describeWait } from "#app/session/retry-after.server.ts";
import { isFromUser } from "#app/session/same-user.ts";
import { getSession, getVerifiedSession } from "#app/session/user.server.ts";
import { getWriteLimit, WRITE_LIMIT_WINDOW_MS } from "#app/session/write-limit.server.ts";

/** Tells a script where its person is in a story, by their account: another device may have read on. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const named = new URL(request.url).searchParams.get("story");
  if (named === null) return redirect("/home");
  const story = storyIdSchema.safeParse(named).data;
  if (story === undefined) {
    return Response.json({ message: "There is no story with this id." }, { status: 400 });
  }
  const { user, headers } = await getSession({ request, context });
  const place = await getPositions(context).find(user, story);
  if (place === "unreachable") {
    const message = "We can't load your reading position right now.";
    return Response.json({ message }, { status: 503, headers: noStore(headers) });
  }
  return Response.json({ place: place ?? null }, { headers: noStore(headers) });
}

/** Keeps a place in a person's account, as scripts send it. They have kept it on the device themselves. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["place", "uid"]);
  const place = placeSchema.safeParse(parseJson(getText(form, "place"))).data;
  if (!place) return Response.json({ message: "This isn't a reading position." }, { status: 400 });

  const { user, headers } = await getVerifiedSession({ request, context });
  if (user && !isFromUser(form, user)) {
    const message = "Someone else is signed in now.";
    return Response.json({ isKept: false, message }, { status: 401, headers: noStore(headers) });
  }
  const places = getPositions(context);
  const writeLimit = getWriteLimit(context);
  if (user && !(await writeLimit.consume(user.uid, "place"))) {
    const { retryAfter } = describeWait(WRITE_LIMIT_WINDOW_MS);
    return Response.json(
      { isKept: false },
      { status: 429, headers: { ...noStore(headers), ...retryAfter } },
    );
  }
  // A clock that runs ahead would make its places the latest for ever.
  const time = Math.min(place.time, Date.now() + MAX_CLOCK_SKEW_MS / 2);
  const isKept = await places.keep(user, { ...place, time });
  const status = user && !isKept ? 503 : 200;
  return Response.json({ isKept }, { status, headers: noStore(headers) });
}

function noStore(headers: Record<string, string>) {
  return { ...headers, "Cache-Control": "no-store" };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
