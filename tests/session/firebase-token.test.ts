import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import * as z from "zod";

import { action } from "#app/routes/firebase-token.ts";
import { signIn, startApp } from "#tests/support/routes.ts";

const EMPTY_POST = { body: "" };

test("the session's user gets a short-lived token that is never cached", async () => {
  await using app = await startApp();
  const person = await app.firebase.addAccount();
  const cookie = await signIn(app, person);

  const response = await app.send(action, "/firebase-token", { ...EMPTY_POST, cookie });

  expect(response.headers.get("Cache-Control")).toBe("no-store");
  if (!(response instanceof Response)) throw new TypeError("Expected a response");
  const body = z.object({ uid: z.string(), token: z.string() }).parse(await response.json());
  expect(body.uid).toBe(person.localId);
  const { iat = 0, exp = 0, ...claims } = decodeJwt(body.token);
  expect(claims).toMatchObject({ uid: person.localId });
  expect(exp - iat).toBeLessThanOrEqual(300);
});

test("a user with a deleted account gets no token and is signed out", async () => {
  await using app = await startApp();
  const cookie = await signIn(app, await app.firebase.addAccount());
  await app.firebase.clear();

  const response = await app.send(action, "/firebase-token", { ...EMPTY_POST, cookie });

  expect(response.status).toBe(401);
  expect(response.headers.get("Set-Cookie")).toMatch(/^__session=; Max-Age=0/);
});

test("a signed-out user gets no token", async () => {
  await using app = await startApp();

  expect(await app.send(action, "/firebase-token", EMPTY_POST)).toMatchObject({ status: 401 });
});

test.each(["POST", "PUT", "PATCH", "DELETE"])(
  "an ended session gets no token by %s, however recently it was checked",
  async (method) => {
    await using app = await startApp();
    const person = await app.firebase.addAccount();
    const cookie = await signIn(app, person);
    await app.firebase.endAccount(person, "revoked");

    const request = new Request("http://localhost/firebase-token", {
      method,
      headers: { Cookie: cookie },
    });
    const response = await action({ request, params: {}, context: app.contextFor(request) });

    expect(response.status).toBe(401);
  },
);
