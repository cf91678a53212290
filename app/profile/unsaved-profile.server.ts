import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import type { UnsavedAbout, UnsavedProfile } from "./profile-schema.ts";

const MAX_AGE_SECONDS = 30 * 60;

/** Larger than any profile that can be saved, and small enough for a cookie. */
const MAX_BYTES = 2000;

const unsavedSchema = z.union([
  z.object({ uid: z.string(), displayName: z.string(), photoURL: z.string() }),
  z.object({ uid: z.string(), about: z.string() }),
]) satisfies z.ZodType<UnsavedProfile | UnsavedAbout>;

/** Stores what a user submitted with one form after their session had ended, until they sign in and save it. */
function createUnsavedProfile(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "unsaved", {
    maxAgeSeconds: MAX_AGE_SECONDS,
    now,
  });

  return {
    /** Returns the headers that store the form's values; none if they are too large for a cookie. */
    async set(
      request: Request,
      unsaved: UnsavedProfile | UnsavedAbout,
    ): Promise<Record<string, string>> {
      const bytes = new TextEncoder().encode(JSON.stringify(unsaved)).length;
      if (bytes > MAX_BYTES) return {};
      return { "Set-Cookie": await cookie.seal(request, unsaved) };
    },

    /** Returns what that user submitted, or `null`. */
    async get(request: Request, uid: string): Promise<UnsavedProfile | UnsavedAbout | null> {
      const unsaved = unsavedSchema.safeParse(await cookie.open(request)).data;
      return unsaved?.uid === uid ? unsaved : null;
    },

    /** Returns the headers that remove the cookie; none if there is no cookie, or one with the other form's values. */
    async clear(request: Request, saved: "displayName" | "about"): Promise<Record<string, string>> {
      if (!cookie.isPresent(request)) return {};
      const unsaved = unsavedSchema.safeParse(await cookie.open(request)).data;
      return unsaved && !(saved in unsaved) ? {} : { "Set-Cookie": cookie.remove(request) };
    },
  };
}

export const getUnsavedProfile = createServiceGetter((env) =>
  createUnsavedProfile(env, () => Date.now()),
);
