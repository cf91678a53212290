import { z } from "zod";

import { parseBody, type ActionContext } from "./action.ts";
import {
  ANONYMOUS,
  authOverrideSchema,
  overrideAuth,
  parseCredential,
  type Identity,
} from "./identity.ts";
import { revokeListens } from "./notify.ts";

const bodySchema = z.object({
  cred: z.string(),
  authvar: authOverrideSchema.optional(),
  noauth: z.boolean().optional(),
});

/** Signs in, or replaces the token. Ends the listens that the rules no longer allow. */
export function auth(context: ActionContext, body: unknown): unknown {
  const { cred, authvar, noauth } = parseBody(bodySchema, body);
  const identity = parseCredential(cred);
  const isOverridden = identity.isAdmin && (authvar !== undefined || noauth);
  return setIdentity(context, isOverridden ? overrideAuth(authvar ?? null) : identity);
}

/** Signs out. The connection stays open. */
export function unauth(context: ActionContext): unknown {
  setIdentity(context, ANONYMOUS);
  return "unauthenticated";
}

function setIdentity({ database, session, now }: ActionContext, identity: Identity) {
  const { id, onDisconnect } = session;
  if (onDisconnect.length > 0) {
    database.journal?.recordSession(database.namespace, id, identity, onDisconnect);
  }
  session.identity = identity;
  revokeListens(database, session, now);
  return { auth: identity.auth, expires: identity.auth?.token["exp"] ?? null };
}
