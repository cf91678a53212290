import { readEnv } from "#app/env.server.ts";
import { createSessionCookie } from "#app/session/session.server.ts";
import { toCookieHeader, type TestApp } from "./routes.ts";

interface GooglePerson {
  email: string;
  /** A `Cookie` header. */
  cookie: string;
}

/** Signs in with a Google account that has no password. */
export async function signInWithGoogle(app: TestApp): Promise<GooglePerson> {
  const email = "gina@example.com";
  const host = app.firebase.hosts.FIREBASE_AUTH_EMULATOR_HOST;
  const url = `http://${host}/identitytoolkit.googleapis.com/v1/accounts:signInWithIdp?key=local`;
  const postBody = new URLSearchParams({
    id_token: JSON.stringify({ sub: "g-100", email, email_verified: true, name: "Gina" }),
    providerId: "google.com",
  });
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({
      requestUri: "http://localhost",
      postBody: String(postBody),
      returnSecureToken: true,
    }),
  });
  const { idToken, refreshToken }: { idToken: string; refreshToken: string } = JSON.parse(
    await response.text(),
  );
  const session = createSessionCookie(
    readEnv(app.env),
    { refresh: () => Promise.reject(new Error("Unexpected refresh of a token")) },
    Date.now,
  );
  const headers = await session.createSession(new Request("http://localhost/"), {
    idToken,
    refreshToken,
    expiresIn: 3600,
  });
  return { email, cookie: toCookieHeader(new Headers(headers)) };
}
