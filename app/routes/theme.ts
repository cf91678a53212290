import { data, redirect, type ActionFunctionArgs } from "@remix-run/cloudflare";

import { themeSchema } from "#app/schemas/theme.ts";
import { readForm } from "#app/services/form.server.ts";
import { safePath } from "#app/services/redirect.server.ts";
import { keepTheme } from "#app/services/theme.server.ts";

export { loader } from "./_index.ts";

export async function action({ request }: ActionFunctionArgs) {
  const form = await readForm(request);
  const theme = themeSchema.safeParse(form.get("theme"));
  if (!theme.success) {
    throw data({ message: "Choose light, dark or system." }, { status: 400 });
  }
  return redirect(safePath(form.get("returnTo"), "/home"), {
    headers: { "Set-Cookie": keepTheme(theme.data) },
    status: 303,
  });
}
