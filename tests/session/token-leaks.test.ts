import { expect, test, vi } from "vitest";
import * as z from "zod";

import { createSealedCookie } from "#app/http/sealed-cookie.server.ts";
import routes from "#app/routes.ts";
import { getLocalVariables } from "#emulator/local-project.ts";
import { createAppHandler } from "#tests/support/app-handler.ts";
import { startFirebase } from "#tests/support/firebase.ts";
import { toCookieHeader } from "#tests/support/routes.ts";
import { publishStory } from "#tests/support/stories.ts";

const ORIGIN = "http://localhost";
const SESSION_SECRET = "a secret that is at least 32 characters";
const STORY = "salt-0000000001";

const tokensSchema = z.object({ idToken: z.string().min(100), refreshToken: z.string().min(20) });

/** Every route, and the URLs at which a route loads other data. */
const PATHS = [
  ...routes.map(({ path = "" }) => `/${path.replace(":id", STORY).replace("*", "unknown")}`),
  "/profile?tab=name",
  "/profile?tab=security",
  "/create?draft=AAAAAAAAAAAAAAAAAAAA",
  "/login?reset=1",
  "/login?mode=resetPassword&oobCode=none",
  "/login?returnTo=%2Fhome",
  "/auth/google/callback?state=unknown",
  "/home?q=salt",
  `/reading-positions?story=${STORY}`,
  "/drafts?id=AAAAAAAAAAAAAAAAAAAA",
];

const REJECTED_FORMS: Record<string, string>[] = [
  { intent: "save-profile", displayName: "x".repeat(200) },
  { intent: "save-profile", uid: "someone-else", displayName: "Ana" },
  { intent: "change-password", currentPassword: "wrong-password", newPassword: "secret2" },
  { intent: "send-password-link" },
  { intent: "unlink-google" },
  { intent: "sign-out-everywhere", currentPassword: "wrong-password" },
  { intent: "end-session", session: "none" },
  { intent: "delete-account", email: "someone@example.com", messages: "delete" },
  { intent: "unknown" },
];

/** Starts the app with a signed-in user, and returns their tokens. */
async function startSignedIn() {
  const firebase = await startFirebase();
  const variables = { SESSION_SECRET, ...getLocalVariables(firebase.hosts) };
  const handle = await createAppHandler(variables);
  await publishStory(firebase.hosts, { id: STORY, title: "Salt", text: "Once." });
  const { email, password } = await firebase.addAccount();
  const signIn = await handle(post("/login", { email, password }, ""));
  const cookie = toCookieHeader(signIn.headers);
  const sealed = createSealedCookie(variables, "__session", { maxAgeSeconds: 60, now: Date.now });
  const tokens = tokensSchema.parse(
    await sealed.open(new Request(ORIGIN, { headers: { Cookie: cookie } })),
  );
  return { firebase, handle, signIn, cookie, tokens };
}

function get(path: string, cookie: string): Request {
  return new Request(ORIGIN + path, { headers: { Cookie: cookie } });
}

function post(path: string, form: Record<string, string>, cookie: string): Request {
  const headers = { Cookie: cookie, Origin: ORIGIN };
  return new Request(ORIGIN + path, { method: "POST", body: new URLSearchParams(form), headers });
}

/** Returns the path from which a page in the browser fetches a route's data. */
function toDataPath(path: string): string {
  const { pathname, search } = new URL(path, ORIGIN);
  return `${pathname === "/" ? "/_root" : pathname}.data${search}`;
}

async function expectNoTokens(
  response: Response,
  { idToken, refreshToken }: z.infer<typeof tokensSchema>,
  what: string,
) {
  const headers = [...response.headers].map((header) => header.join(": ")).join("\n");
  const text = `${headers}\n${await response.text()}`;
  // Also searches for the payload alone, in case the dots of the ID token are escaped.
  const [, payload = ""] = idToken.split(".");
  for (const secret of [idToken, payload, refreshToken, encodeURIComponent(refreshToken)]) {
    expect(text.includes(secret), what).toBe(false);
  }
}

test("no page, data or header contains the user's tokens", { timeout: 60_000 }, async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { firebase, handle, signIn, cookie, tokens } = await startSignedIn();
  await using _ = firebase;
  await expectNoTokens(signIn, tokens, "sign-in");

  for (const path of PATHS) {
    const page = await handle(get(path, cookie));
    if (path === "/profile") expect(page.status).toBe(200);
    await expectNoTokens(page, tokens, `GET ${path}`);
    await expectNoTokens(await handle(get(toDataPath(path), cookie)), tokens, `data of ${path}`);
  }
});

test("no response to a rejected profile form contains the user's tokens", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { firebase, handle, cookie, tokens } = await startSignedIn();
  await using _ = firebase;

  for (const form of REJECTED_FORMS) {
    for (const path of ["/profile", "/profile.data"]) {
      const response = await handle(post(path, form, cookie));
      await expectNoTokens(response, tokens, `POST ${path} ${form.intent}`);
    }
  }
  await expectNoTokens(await handle(post("/firebase-token", {}, cookie)), tokens, "custom token");
});
