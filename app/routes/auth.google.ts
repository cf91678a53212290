import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { refuse } from "#app/accounts/google/google-response.server.ts";
import { getGoogle, parseFlow, parseScreen } from "#app/accounts/google/google.server.ts";
import { getSignInLimits } from "#app/accounts/rate-limits.server.ts";
import { toProviderError } from "#app/firebase/auth-error.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { safePath } from "#app/http/safe-path.server.ts";
import { getVerifiedSession } from "#app/session/user.server.ts";

export { loader } from "#app/http/method-not-allowed.server.ts";

/** Sends whoever pressed a Google button to Google, in the page's window or in its pop-up. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["screen", "flow", "returnTo"]);
  const screen = parseScreen(form.get("screen"));
  const flow = parseFlow(form.get("flow"));
  const [returnTo = "/home"] = safePath(form.get("returnTo"), "/home").split("#");
  // Whoever signs in may be anybody; whoever links their account does something with it.
  const person = screen === "link" ? (await getVerifiedSession({ request, context })).user : null;
  const attempt = { screen, returnTo, uid: person?.uid ?? null };
  if (screen === "link" && !person) {
    return refuse({ request, context }, { ...attempt, flow }, toProviderError("TOKEN_EXPIRED"));
  }

  const attempts = getSignInLimits(context);
  const google = getGoogle(context);
  try {
    await attempts.admit(request, "google", "");
    const { url, headers } = await google.start(request, attempt, flow);
    return redirect(url, { headers, status: 303 });
  } catch (error) {
    return refuse({ request, context }, { ...attempt, flow }, error);
  }
}
