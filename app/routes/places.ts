import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { MAX_CLOCK_SKEW_MS, placeSchema, storyIdSchema } from "#app/schemas/place-schema.ts";
import { readForm } from "#app/services/form.server.ts";
import { getActor, getServices, getVisitor } from "#app/services/services.server.ts";
import { WRITE_LIMIT_WINDOW_MS } from "#app/services/write-limit.server.ts";
import { getText, isFrom } from "./form-text.ts";
import { describeWait } from "./wait.server.ts";

/** Tells a script where its person is in a story, by their account: another device may have read on. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const named = new URL(request.url).searchParams.get("story");
  if (named === null) return redirect("/home");
  const story = storyIdSchema.safeParse(named).data;
  if (story === undefined) {
    return Response.json({ message: "There is no story with this id." }, { status: 400 });
  }
  const visitor = await getVisitor({ request, context });
  const place = await getServices(context).places.find(visitor, story);
  if (place === "unreachable") {
    const message = "We can't load your reading position right now.";
    return Response.json({ message }, { status: 503, headers: noStore(visitor.headers) });
  }
  return Response.json({ place: place ?? null }, { headers: noStore(visitor.headers) });
}

/** Keeps a place in a person's account, as scripts send it. They have kept it on the device themselves. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["place", "uid"]);
  const place = placeSchema.safeParse(parseJson(getText(form, "place"))).data;
  if (!place) return Response.json({ message: "This isn't a reading position." }, { status: 400 });

  const visitor = await getActor({ request, context });
  if (visitor.account && !isFrom(form, visitor.account)) {
    const message = "Someone else is signed in now.";
    const headers = noStore(visitor.headers);
    return Response.json({ isKept: false, message }, { status: 401, headers });
  }
  const { places, writeLimit } = getServices(context);
  if (visitor.account && !(await writeLimit.admit(visitor.account.uid, "place"))) {
    const { retryAfter } = describeWait(WRITE_LIMIT_WINDOW_MS);
    const headers = { ...noStore(visitor.headers), ...retryAfter };
    return Response.json({ isKept: false }, { status: 429, headers });
  }
  // A clock that runs ahead would make its places the latest for ever.
  const time = Math.min(place.time, Date.now() + MAX_CLOCK_SKEW_MS / 2);
  const isKept = await places.keep(visitor, { ...place, time });
  const status = visitor.account && !isKept ? 503 : 200;
  return Response.json({ isKept }, { status, headers: noStore(visitor.headers) });
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
