import { redirect, type ActionFunctionArgs, type LoaderFunctionArgs } from "@remix-run/cloudflare";

import { getText } from "#app/http/form.ts";
import { readForm } from "#app/http/form.server.ts";
import { respondWithJson } from "#app/http/headers.ts";
import { catchUnavailable, UnavailableError } from "#app/http/unavailable-error.server.ts";
import { runAction, toJsonResponse } from "#app/session/run-action.server.ts";
import { getUser } from "#app/session/user.server.ts";
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
    return respondWithJson({ message }, { status: 503, headers });
  }
  return respondWithJson({ position: position ?? null }, { headers });
}

/** Saves a position in the user's account. The script that sends it has saved it in the browser. */
export async function action(args: ActionFunctionArgs) {
  const form = await readForm(args.request, ["position", "uid"]);
  const position = readPosition(getText(form, "position"));
  if (!position) {
    return Response.json({ message: "This isn't a reading position." }, { status: 400 });
  }
  const options = { uid: form.get("uid"), limit: "position" } as const;
  const run = await runAction(args, options, async (user) => {
    await getPositions(args.context).set(user, position);
    countReaderLater(args.context, user, position);
  });
  return toJsonResponse(run);
}
