import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";
import type { ClientActionFunctionArgs } from "@remix-run/react";

import { signOut } from "#app/accounts/complete-sign-in.server.ts";
import { readForm } from "#app/http/form.server.ts";
import { toSafePath } from "#app/http/safe-path.ts";
import { runSignOutTasks } from "#app/session/sign-out-tasks.ts";
import { withOfflineFallback } from "#app/site/offline.ts";

export { default } from "#app/http/empty-page.ts";
export { loader } from "#app/http/home-redirect.server.ts";

/** Signs the user out. With `stay`, which only scripts send, the page stays; otherwise redirects to `returnTo`. */
export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request, ["returnTo", "stay"]);
  const headers = await signOut({ request, context });
  if (form.has("stay")) return data(null, { headers });
  return redirect(toSafePath(form.get("returnTo"), "/home"), { headers, status: 303 });
}

/** Finishes what needs the session, and then ends it. */
export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  await runSignOutTasks();
  const form = await request.clone().formData();
  // Any result would lead to /home, as if the user were signed out. A page that stays shows the error itself.
  return form.has("stay") ? withOfflineFallback(() => serverAction()) : serverAction();
}
