import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { setTheme } from "#app/site/theme/theme.server.ts";
import { findTheme } from "#app/site/theme/theme.tsx";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";
export { clientAction } from "#app/site/offline.ts";

/** Stores the theme. Fetchers send `stay`, to get data instead of a redirect. */
export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request, ["theme", "returnTo", "stay"]);
  const theme = findTheme(form.get("theme"));
  if (!theme) throw data({ message: "Choose light, dark or system." }, { status: 400 });

  const headers = { "Set-Cookie": setTheme(request, theme) };
  if (form.has("stay")) return data(null, { headers });
  return redirect(toSafePath(form.get("returnTo"), "/home"), { headers, status: 303 });
}
