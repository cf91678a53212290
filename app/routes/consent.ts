import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { findConsentAnswer, setConsent } from "#app/site/consent/consent.server.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

/** Stores whether page views may be counted. Fetchers send `stay`, to get data instead of a redirect. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request, ["analytics", "returnTo", "stay"]);
  const answer = findConsentAnswer(form.get("analytics"));
  if (!answer) throw data({ message: "Answer yes or no." }, { status: 400 });

  const headers = setConsent(request, answer);
  if (form.has("stay")) return data(null, { headers });
  return redirect(toSafePath(form.get("returnTo"), "/home"), { headers, status: 303 });
}
