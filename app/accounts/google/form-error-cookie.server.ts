import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";

/** As long as a redirect may take. */
const MAX_AGE_SECONDS = 60;

const refusalSchema = z.object({
  /** Where it is shown. */
  screen: z.string(),
  status: z.int().min(400).max(599),
  message: z.string(),
  hint: z.string().optional(),
});

type KeptRefusal = z.infer<typeof refusalSchema>;

interface Taken {
  refusal: KeptRefusal | null;
  headers: Record<string, string>;
}

/** Takes a refusal over a redirect to the page that shows it, once. */
function createRefusalCookie(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "refusal", { maxAgeSeconds: MAX_AGE_SECONDS, now });
  return {
    /** Returns the `Set-Cookie` value that takes the refusal along. */
    keep: (request: Request, refusal: KeptRefusal) => cookie.seal(request, refusal),

    /** Returns the refusal that came along, if any, and the headers that put an end to it. */
    async take(request: Request): Promise<Taken> {
      if (!cookie.isPresent(request)) return { refusal: null, headers: {} };
      const refusal = refusalSchema.safeParse(await cookie.open(request)).data ?? null;
      return { refusal, headers: { "Set-Cookie": cookie.remove(request) } };
    },
  };
}

export const getFormErrorCookie = oncePerEnv((env) => createRefusalCookie(env, () => Date.now()));
