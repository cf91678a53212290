import { redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { setReadingSettings } from "#app/reading/settings.server.ts";
import { readSettings, SETTING_NAMES } from "#app/reading/settings.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

/** Saves the settings of the reading page. For pages without scripts. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request, [...SETTING_NAMES, "returnTo"]);
  const headers = { "Set-Cookie": setReadingSettings(request, readSettings(form)) };
  return redirect(toSafePath(form.get("returnTo"), "/home"), { headers, status: 303 });
}
