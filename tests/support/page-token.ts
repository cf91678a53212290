import { UnsecuredJWT } from "jose";
import * as z from "zod";

import { action } from "#app/routes/firebase-token.ts";
import type { TestFirebase } from "./firebase.ts";
import { readJson, type TestApp } from "./routes.ts";

interface WithFirebase {
  firebase: Pick<TestFirebase, "hosts" | "apiKey">;
}

/** A page's sign-in to Firebase. */
export interface PageSignIn {
  localId: string;
  idToken: string;
  refreshToken: string;
}

const AUDIENCE =
  "https://identitytoolkit.googleapis.com/google.identity.identitytoolkit.v1.IdentityToolkit";

const tokenSchema = z.object({ uid: z.string(), token: z.string() });
const signedInSchema = z.object({ idToken: z.string(), refreshToken: z.string() });
const refreshedSchema = z.object({ id_token: z.string(), refresh_token: z.string() });

/** Asks the server for the token with which a page signs in, as a page or anyone with its cookie does. */
export async function fetchCustomToken(app: TestApp, cookie: string) {
  const response = await app.send(action, "/firebase-token", { cookie, form: {} });
  return tokenSchema.parse(await readJson(response));
}

/** Returns a custom token as the server issues it, for a session that the server need not know. */
export function createCustomToken(uid: string, claims?: { session: string; slot: string }) {
  const issuedAt = Math.floor(Date.now() / 1000);
  const payload = { iss: "local", sub: "local", aud: AUDIENCE, iat: issuedAt, uid, claims };
  return { uid, token: new UnsecuredJWT({ ...payload, exp: issuedAt + 60 }).encode() };
}

/** Signs in to Firebase with a custom token. */
export async function signInToFirebase(
  app: WithFirebase,
  { uid: localId, token }: z.infer<typeof tokenSchema>,
): Promise<PageSignIn> {
  const path = "identitytoolkit.googleapis.com/v1/accounts:signInWithCustomToken";
  const body = JSON.stringify({ token, returnSecureToken: true });
  return { localId, ...signedInSchema.parse(await post(app, path, "application/json", body)) };
}

/** Returns new tokens for a refresh token. */
export async function refresh(app: WithFirebase, { localId, refreshToken }: PageSignIn) {
  const path = "securetoken.googleapis.com/v1/token";
  const fields = { grant_type: "refresh_token", refresh_token: refreshToken };
  const type = "application/x-www-form-urlencoded";
  const response = await post(app, path, type, new URLSearchParams(fields).toString());
  const { id_token: idToken, refresh_token } = refreshedSchema.parse(response);
  return { localId, idToken, refreshToken: refresh_token };
}

async function post({ firebase }: WithFirebase, path: string, type: string, body: string) {
  const { FIREBASE_AUTH_EMULATOR_HOST: host } = firebase.hosts;
  const url = `http://${host}/${path}?key=${firebase.apiKey}`;
  const response = await fetch(url, { method: "POST", headers: { "Content-Type": type }, body });
  const json: unknown = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(json)}`);
  return json;
}
