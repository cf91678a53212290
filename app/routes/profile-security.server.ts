import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import type { SecurityView } from "#app/features/profile/profile-view.ts";
import { getClock } from "#app/services/clock.server.ts";
import { ProviderError } from "#app/services/provider-errors.server.ts";
import { getServices, getVisitor } from "#app/services/services.server.ts";
import { isSessionOver } from "#app/services/session.server.ts";

/** The page is worth showing without. */
const TIMEOUT_MS = 2000;

/** Asks the provider about the visitor's account: `null` when it does not answer, `ended` when it knows them no more. */
export async function loadSecurity({
  request,
  context,
}: LoaderFunctionArgs): Promise<SecurityView | "ended" | null> {
  const { idToken } = await getVisitor({ request, context });
  const { accounts, google } = getServices(context);
  if (!idToken) return null;
  try {
    const { createdAt, signedInAt, ...details } = await accounts.get(idToken, TIMEOUT_MS);
    const { locale, timeZone } = getClock(request, context);
    const format = new Intl.DateTimeFormat(locale, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone,
    });
    return {
      ...details,
      isGoogleOffered: google.origin !== null,
      createdAt: format.format(createdAt),
      signedInAt: signedInAt === null ? null : format.format(signedInAt),
    };
  } catch (error) {
    if (isSessionOver(error)) return "ended";
    if (error instanceof ProviderError) return null;
    throw error;
  }
}
