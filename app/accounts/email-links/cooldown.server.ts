import * as z from "zod";

import { oncePerEnv, type Env } from "#app/env.server.ts";
import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";

/** Between two mails to the same person. */
const PAUSE_SECONDS = 60;

const pauseSchema = z.object({ email: z.string(), until: z.number() });

/**
 * Keeps a minute between two mails that somebody asks for, by a sealed cookie: no edge knows what another has sent.
 * Whoever throws the cookie away is still stopped by `attempts`, which counts what is sent.
 */
function createMailPause(env: Env, now: () => number) {
  const cookie = createSealedCookie(env, "__mail", { maxAgeSeconds: PAUSE_SECONDS, now });

  return {
    /** Returns how many seconds are left until another mail may go to the address: 0 when it may go now. */
    async secondsLeft(request: Request, email: string): Promise<number> {
      const pause = pauseSchema.safeParse(await cookie.open(request)).data;
      if (pause?.email !== email.toLowerCase()) return 0;
      return Math.max(0, Math.ceil((pause.until - now()) / 1000));
    },

    /** Returns the headers that begin the minute. */
    async begin(request: Request, email: string) {
      const pause = { email: email.toLowerCase(), until: now() + PAUSE_SECONDS * 1000 };
      return { "Set-Cookie": await cookie.seal(request, pause) };
    },
  };
}

export const getEmailCooldown = oncePerEnv((env) => createMailPause(env, () => Date.now()));
