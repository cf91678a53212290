import type { AppLoadContext } from "@remix-run/cloudflare";

import { getEnv } from "#app/env.server.ts";
import { readFlag, updateValues } from "#app/firebase/database.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { toUnseenValues, getUnseenPath } from "./presence.ts";

const READ_TIMEOUT_MS = 2000;

/** Returns whether a user is not shown to others; `null` while the database is unavailable. */
export async function loadUnseen(context: AppLoadContext, user: AuthUser): Promise<boolean | null> {
  const options = { timeoutMs: READ_TIMEOUT_MS };
  return readFlag(getEnv(context), user, getUnseenPath(user.uid), options);
}

/**
 * Sets whether a user is not shown to others. Takes effect in their open tabs too.
 *
 * @throws {UnavailableError}
 */
export async function saveUnseen(
  context: AppLoadContext,
  user: AuthUser,
  isUnseen: boolean,
): Promise<void> {
  await updateValues(getEnv(context), user, toUnseenValues(user.uid, isUnseen));
}
