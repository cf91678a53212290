import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { respondWithError } from "#app/accounts/google/google-response.server.ts";
import { getGoogle, parsePopupId, parseScreen } from "#app/accounts/google/google.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { toAuthError } from "#app/firebase/auth-error.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { setReturnTo } from "#app/session/return-to.server.ts";
import { getUser } from "#app/session/user.server.ts";

export { loader } from "#app/http/home-redirect.server.ts";

/** Redirects to Google, in the page's window or in its pop-up. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["screen", "popupId", "returnTo"]);
  const screen = parseScreen(form.get("screen"));
  const popupId = parsePopupId(form.get("popupId"));
  const [page = "/home"] = toSafePath(form.get("returnTo"), "/home").split("#");
  const roomPath = `${page}#room`;
  const { user } = screen === "link" ? await getUser({ request, context }) : { user: null };
  try {
    if (screen === "link" && !user) throw toAuthError("TOKEN_EXPIRED");
    await getSignInLimits(context).consume(request, "google", "");
    const googleRequest = { screen, uid: user?.uid ?? null };
    const { url, headers } = await getGoogle(context).start(request, googleRequest, popupId);
    // With a pop-up the page of the room stays open.
    const isLeaving = screen === "room" && popupId === null;
    return redirect(url, {
      headers: joinHeaders(headers, isLeaving ? setReturnTo(request, roomPath) : {}),
      status: 303,
    });
  } catch (error) {
    return respondWithError({ request, context }, { screen, popupId }, error, { roomPath });
  }
}
