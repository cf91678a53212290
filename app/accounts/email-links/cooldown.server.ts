import * as z from "zod";

import { createServiceGetter, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";

/** The time between two e-mails to the same address. */
const COOLDOWN_SECONDS = 60;

const cooldownSchema = z.object({ email: z.string(), until: z.number() });

/**
 * Stores the cooldown in a sealed cookie, because isolates share no memory. If a browser deletes the cookie,
 * `getSignInLimits` still limits the e-mails.
 */
function createEmailCooldown(env: Env, now: () => number) {
  const options = { maxAgeSeconds: COOLDOWN_SECONDS, now };
  const cookie = createSealedCookie(env, "email-cooldown", options);

  return {
    /** Returns the seconds until another e-mail may be sent to the address; 0 when it may be sent now. */
    async getSecondsLeft(request: Request, email: string): Promise<number> {
      const cooldown = cooldownSchema.safeParse(await cookie.open(request)).data;
      if (cooldown?.email !== email.toLowerCase()) return 0;
      return Math.max(0, Math.ceil((cooldown.until - now()) / 1000));
    },

    /** Returns the headers that start the cooldown. */
    async start(request: Request, email: string) {
      const cooldown = { email: email.toLowerCase(), until: now() + COOLDOWN_SECONDS * 1000 };
      return { "Set-Cookie": await cookie.seal(request, cooldown) };
    },
  };
}

export const getEmailCooldown = createServiceGetter((env) =>
  createEmailCooldown(env, () => Date.now()),
);
