import { expect } from "vitest";
import * as z from "zod";

import { action as login } from "#app/routes/login.tsx";
import { action, loader } from "#app/routes/profile.tsx";
import type { TestAccount } from "#tests/support/firebase.ts";
import { toCookieHeader, type TestApp } from "#tests/support/routes.ts";

export const FIREFOX =
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0";
export const IPHONE =
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1";
export const SECURITY = "/profile?tab=security";

const pageSchema = z.object({
  security: z.object({
    sessions: z.array(
      z.object({ id: z.string(), device: z.string(), isCurrent: z.boolean(), seenAt: z.string() }),
    ),
  }),
});

/** Signs in with a `User-Agent`. */
export async function signInWith(
  app: TestApp,
  { email, password }: TestAccount,
  userAgent: string,
) {
  const headers = { "User-Agent": userAgent };
  const response = await app.send(login, "/login", { form: { email, password }, headers });
  expect(response.status).toBe(303);
  return toCookieHeader(response.headers);
}

/** Adds an account, and signs in to it with two browsers, Firefox here and Safari there. */
export async function signInTwice(app: TestApp, profile: { displayName?: string } = {}) {
  const person = await app.firebase.addAccount(profile);
  const here = await signInWith(app, person, FIREFOX);
  const there = await signInWith(app, person, IPHONE);
  return { person, here, there };
}

/** Returns the sessions in the list of the profile. */
export async function listSessions(app: TestApp, cookie: string) {
  const { data } = await app.send(loader, SECURITY, { cookie });
  return pageSchema.parse(data).security.sessions;
}

/** Returns the browser of each session, and whether it is this one. */
export async function listDevices(app: TestApp, cookie: string) {
  return (await listSessions(app, cookie)).map(({ device, isCurrent }) => [device, isCurrent]);
}

/** Ends the other of two sessions. */
export async function endOther(app: TestApp, cookie: string) {
  const other = (await listSessions(app, cookie)).find(({ isCurrent }) => !isCurrent);
  const form = { intent: "end-session", session: other?.id ?? "" };
  return app.send(action, SECURITY, { cookie, form });
}
