import { vi } from "vitest";

import { loader as profilePage } from "#app/routes/profile.tsx";
import type { TestApp } from "#tests/support/routes.ts";

const MINUTE_MS = 60_000;

/** An address at which no service responds. */
export const UNREACHABLE_HOST = "127.0.0.1:1";

/** Returns the same deployment in another isolate, with empty caches. */
export const openNewIsolate = (app: TestApp) => app.withVariables({});

/** Returns whether a cookie still opens the profile in a new isolate. */
export async function canOpenProfile(app: TestApp, cookie: string): Promise<boolean> {
  const response = await openNewIsolate(app).send(profilePage, "/profile", { cookie });
  return response.status === 200;
}

/** Moves the clock forward. */
export function advanceClock(minutes: number) {
  vi.setSystemTime(Date.now() + minutes * MINUTE_MS);
}
