import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";
import type { UnsavedProfile } from "./profile-schema.ts";

const MAX_AGE_SECONDS = 30 * 60;

/** Larger than any profile that can be saved, and small enough for a cookie. */
const MAX_BYTES = 2000;

const unsavedSchema = z.object({
  uid: z.string(),
  displayName: z.string(),
  photoURL: z.string(),
}) satisfies z.ZodType<UnsavedProfile>;

/** Stores the name and photo that a user submitted after their session had ended, until they sign in and save them. */
function createUnsavedProfile(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "unsaved", {
    maxAgeSeconds: MAX_AGE_SECONDS,
    now,
  });

  return {
    /** Returns the headers that store the profile; none if it is too large for a cookie. */
    async set(request: Request, unsaved: UnsavedProfile): Promise<Record<string, string>> {
      const bytes = new TextEncoder().encode(JSON.stringify(unsaved)).length;
      if (bytes > MAX_BYTES) return {};
      return { "Set-Cookie": await cookie.seal(request, unsaved) };
    },

    /** Returns what that user submitted, or `null`. */
    async get(request: Request, uid: string): Promise<UnsavedProfile | null> {
      const unsaved = unsavedSchema.safeParse(await cookie.open(request)).data;
      return unsaved?.uid === uid ? unsaved : null;
    },

    /** Returns the headers that remove the cookie; none if there is no cookie. */
    clear: (request: Request): Record<string, string> =>
      cookie.isPresent(request) ? { "Set-Cookie": cookie.remove(request) } : {},
  };
}

export const getUnsavedProfile = createServiceGetter((env) =>
  createUnsavedProfile(env, () => Date.now()),
);
