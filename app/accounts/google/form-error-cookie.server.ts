import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";

/** Long enough for a redirect. */
const MAX_AGE_SECONDS = 60;

const errorSchema = z.object({
  /** The screen that shows the error. */
  screen: z.string(),
  status: z.int().min(400).max(599),
  message: z.string(),
  hint: z.string().optional(),
});

type RedirectedError = z.infer<typeof errorSchema>;

interface ReadResult {
  error: RedirectedError | null;
  /** Remove the cookie, so that the error is shown once. */
  headers: Record<string, string>;
}

/** Carries a form's error over a redirect to the page that shows it. */
function createFormErrorCookie(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "form-error", { maxAgeSeconds: MAX_AGE_SECONDS, now });
  return {
    /** Returns the `Set-Cookie` value. */
    seal: (request: Request, error: RedirectedError) => cookie.seal(request, error),

    async read(request: Request): Promise<ReadResult> {
      if (!cookie.isPresent(request)) return { error: null, headers: {} };
      const error = errorSchema.safeParse(await cookie.open(request)).data ?? null;
      return { error, headers: { "Set-Cookie": cookie.remove(request) } };
    },
  };
}

export const getFormErrorCookie = createServiceGetter((env) =>
  createFormErrorCookie(env, () => Date.now()),
);
