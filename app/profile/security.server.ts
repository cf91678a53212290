import type { LoaderFunctionArgs } from "@remix-run/cloudflare";
import Bowser from "bowser";

import { getAccounts } from "#app/accounts/account.server.ts";
import { getGoogle } from "#app/accounts/google/google.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { getSessionRegistry, type ListedSession } from "#app/session/registry.server.ts";
import { isSessionEndedError } from "#app/session/session.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import type { SecurityView, SessionView } from "./profile-view.ts";

/**
 * How long the page waits for the provider before it is shown without the security section. What the tab shows is read
 * afterwards, within the 1.5 s that all calls of a page have together.
 */
const TIMEOUT_MS = 1000;

/** Returns the account's details from the provider; `null` when it is unavailable, `ended` when the session has ended. */
export async function loadSecurity({
  request,
  context,
}: LoaderFunctionArgs): Promise<SecurityView | "ended" | null> {
  const { user } = await getUser({ request, context });
  const accounts = getAccounts(context);
  const google = getGoogle(context);
  const sessionRegistry = getSessionRegistry(context);
  if (!user?.idToken) return null;
  const { uid, idToken, sessionId } = user;
  // Only the Security tab shows the sessions.
  const isShown = new URL(request.url).searchParams.get("tab") === "security";
  try {
    const [{ createdAt, signedInAt, ...details }, sessions] = await Promise.all([
      accounts.getDetails(idToken, TIMEOUT_MS),
      isShown ? sessionRegistry.list({ uid, idToken }) : null,
    ]);
    const { language, timeZone } = getLocale(request, context);
    const format = new Intl.DateTimeFormat(language, {
      dateStyle: "long",
      timeStyle: "short",
      timeZone,
    });
    return {
      ...details,
      isGoogleOffered: google.origin !== null,
      createdAt: format.format(createdAt),
      signedInAt: signedInAt === null ? null : format.format(signedInAt),
      sessions: sessions && toViews(sessions, sessionId, format),
    };
  } catch (error) {
    if (isSessionEndedError(error)) return "ended";
    if (error instanceof AuthError) return null;
    throw error;
  }
}

function toViews(
  sessions: ListedSession[],
  currentId: string | null,
  format: Intl.DateTimeFormat,
): SessionView[] {
  const views = sessions.map(({ id, device, signedInAt, seenAt }) => ({
    id,
    device: describeBrowser(device),
    isCurrent: id === currentId,
    signedInAt: format.format(signedInAt),
    seenAt: format.format(seenAt),
  }));
  return views.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent));
}

/** Returns a readable name for a `User-Agent`, such as "Firefox on Windows". */
function describeBrowser(userAgent: string): string {
  if (userAgent === "") return UNKNOWN;
  const { browser, os, platform } = Bowser.parse(userAgent);
  const machine =
    platform.model === "iPhone" || platform.model === "iPad" ? platform.model : os.name;
  if (!browser.name) return machine ? `Browser on ${machine}` : UNKNOWN;
  return machine ? `${browser.name} on ${machine}` : browser.name;
}

const UNKNOWN = "Unknown browser";
