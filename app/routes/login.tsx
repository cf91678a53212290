import { data, redirect, type ActionFunctionArgs, type MetaFunction } from "@remix-run/cloudflare";
import { useActionData, useNavigation, type ClientActionFunctionArgs } from "@remix-run/react";

import { SignInForm } from "#app/features/auth/sign-in-form.tsx";
import { signInSchema } from "#app/schemas/account.ts";
import { readForm } from "#app/services/form.server.ts";
import { getServices } from "#app/services/services.server.ts";
import { getText } from "./form-text.ts";
import { askServer, describeOffline } from "./offline.ts";
import { describeRefusal, GOOGLE_IS_OFF } from "./refusal.server.ts";
import { useAccount } from "./root-data.ts";

export const meta: MetaFunction = () => [
  { title: "Sign In · Inkglade" },
  { name: "description", content: "Sign in to write, and to talk in the room." },
];

export async function action({ request, context }: ActionFunctionArgs) {
  const form = await readForm(request);
  if (form.get("intent") === "google") return data({ email: "", banner: GOOGLE_IS_OFF }, 400);

  const submission = signInSchema.safeParse(Object.fromEntries(form));
  if (!submission.success) {
    const message = submission.error.issues[0]?.message ?? "Login failed";
    return data({ email: "", banner: { message } }, 400);
  }

  const { attempts, authenticator, session } = getServices(context);
  try {
    await attempts.admit(request, "sign-in", submission.data.email);
    const tokens = await authenticator.authenticate("sign-in", request);
    return redirect("/profile", { headers: await session.start(request, tokens), status: 303 });
  } catch (error) {
    const { status, banner } = describeRefusal("sign-in", error);
    return data({ email: submission.data.email, banner }, status);
  }
}

export async function clientAction({ request, serverAction }: ClientActionFunctionArgs) {
  const form = await request.clone().formData();
  const result = await askServer(() => serverAction<typeof action>());
  if (!("offline" in result)) return result;
  return { ...describeOffline(), email: getText(form, "email") };
}

export default function LoginRoute() {
  const result = useActionData<typeof clientAction>();
  const isPending = useNavigation().formAction === "/login";
  return (
    <SignInForm
      account={useAccount()}
      banner={result?.banner}
      email={result?.email}
      isPending={isPending}
    />
  );
}
