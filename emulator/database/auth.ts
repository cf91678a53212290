import { z } from "zod";

import { parseBody, type ActionContext } from "./action.ts";
import { ANONYMOUS, authOverrideSchema, overrideAuth, parseCredential } from "./identity.ts";
import { revokeListens } from "./notify.ts";

const bodySchema = z.object({
  cred: z.string(),
  authvar: authOverrideSchema.optional(),
  noauth: z.boolean().optional(),
});

/** Signs in, or replaces the token. Ends the listens that the rules no longer allow. */
export function auth({ database, session, now }: ActionContext, body: unknown): unknown {
  const { cred, authvar, noauth } = parseBody(bodySchema, body);
  const identity = parseCredential(cred);
  const isOverridden = identity.isAdmin && (authvar !== undefined || noauth);
  session.identity = isOverridden ? overrideAuth(authvar ?? null) : identity;
  revokeListens(database, session, now);
  return {
    auth: session.identity.auth,
    expires: session.identity.auth?.token["exp"] ?? null,
  };
}

/** Signs out. The connection stays open. */
export function unauth({ database, session, now }: ActionContext): unknown {
  session.identity = ANONYMOUS;
  revokeListens(database, session, now);
  return "unauthenticated";
}
