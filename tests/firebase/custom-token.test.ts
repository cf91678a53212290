import { exportPKCS8, generateKeyPair, jwtVerify } from "jose";
import { expect, test } from "vitest";

import { readEnv } from "#app/env.server.ts";
import { createCustomTokenService } from "#app/firebase/custom-token.server.ts";

test("signs a token in production as Google requires, with the service account's key", async () => {
  const { publicKey, privateKey } = await generateKeyPair("RS256", { extractable: true });
  const issuer = "firebase-adminsdk@inkglade.iam.gserviceaccount.com";
  const env = readEnv({
    SESSION_SECRET: "a secret that is at least 32 characters",
    FIREBASE_API_KEY: "key",
    FIREBASE_PROJECT_ID: "inkglade",
    FIREBASE_DATABASE_URL: "https://inkglade-default-rtdb.firebaseio.com",
    FIREBASE_CLIENT_EMAIL: issuer,
    FIREBASE_PRIVATE_KEY: await exportPKCS8(privateKey),
  });
  const now = Date.parse("2026-11-21T12:00:00Z");

  const claims = { session: "a".repeat(20), slot: "aa" };
  const token = await createCustomTokenService(env, () => now).mint("ana", claims);

  const { payload, protectedHeader } = await jwtVerify(token, publicKey, {
    issuer,
    subject: issuer,
    audience:
      "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit",
    currentDate: new Date(now),
  });
  expect(protectedHeader).toEqual({ alg: "RS256", typ: "JWT" });
  expect(payload).toMatchObject({
    uid: "ana",
    claims,
    iat: now / 1000 - 10,
    exp: now / 1000 + 290,
  });
});
