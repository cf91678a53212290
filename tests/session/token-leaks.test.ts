import { expect, test, vi } from "vitest";
import * as z from "zod";

import { createSealedCookie } from "#app/http/cookie.server.ts";
import { IMPORT_PATH } from "#app/profile/data/data-path.ts";
import { PROFILE_FORMS } from "#app/profile/profile-view.ts";
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

/** How data responses begin that redirect to the profile. */
const PROFILE_REDIRECT = '"redirect","/profile';

/** Every form of the profile, and what its response contains. */
const FORMS: [form: Record<string, string>, says: string][] = [
  [{ intent: "save-profile", displayName: "x".repeat(200) }, "A name can have up to 80"],
  [
    { intent: "save-profile", uid: "someone-else", displayName: "Ana" },
    "Someone else is signed in",
  ],
  [{ intent: "save-about", about: "x".repeat(1000) }, "can have up to"],
  [{ intent: "send-confirmation" }, PROFILE_REDIRECT],
  [
    { intent: "change-password", currentPassword: "wrong-password", newPassword: "secret2" },
    "Invalid password",
  ],
  [{ intent: "send-password-link" }, PROFILE_REDIRECT],
  [{ intent: "unlink-google" }, PROFILE_REDIRECT],
  [{ intent: "sign-out-everywhere", currentPassword: "wrong-password" }, "Invalid password"],
  [{ intent: "end-session", session: "A".repeat(20) }, PROFILE_REDIRECT],
  [{ intent: "save-unseen", unseen: "true" }, PROFILE_REDIRECT],
  [{ intent: "save-uncounted", uncounted: "true" }, PROFILE_REDIRECT],
  [{ intent: "import-data" }, "The form is incomplete."],
  [{ intent: "show-person", person: "someoneElse" }, PROFILE_REDIRECT],
  [{ intent: "moderate", action: "dismiss", message: "x" }, "You're not an operator."],
  [
    { intent: "delete-account", email: "someone@example.com", messages: "delete" },
    "This isn't your account's e-mail",
  ],
  [{ intent: "unknown" }, "The form is incomplete."],
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

test(
  "no response to a form of the profile contains the user's tokens",
  { timeout: 60_000 },
  async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { firebase, handle, cookie, tokens } = await startSignedIn();
    await using _ = firebase;
    const intents = FORMS.map(([{ intent }]) => intent);
    expect(intents).toEqual(expect.arrayContaining([...PROFILE_FORMS]));

    for (const [form, says] of FORMS) {
      const page = await handle(post("/profile", form, cookie));
      await expectNoTokens(page, tokens, `POST /profile ${form.intent}`);
      const response = await handle(post("/profile.data", form, cookie));
      expect(await response.clone().text(), form.intent).toContain(says);
      await expectNoTokens(response, tokens, `POST /profile.data ${form.intent}`);
    }
    const imported = await handle(post(IMPORT_PATH, {}, cookie));
    await expectNoTokens(imported, tokens, "an import");
    const token = await handle(post("/firebase-token", {}, cookie));
    expect(token.status).toBe(200);
    await expectNoTokens(token, tokens, "custom token");
  },
);
