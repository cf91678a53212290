import type { Mutation } from "./mutation.ts";

const SESSION = "app/session/session.server.ts";
const SESSION_CHECK = "app/session/session-check.server.ts";
const SESSION_REGISTRY = "app/session/registry.server.ts";
const SIGN_OUT = "app/session/sign-out.server.ts";

const SESSION_TESTS = [
  "tests/session/session.test.ts",
  "tests/session/session-routes.test.ts",
  "tests/session/session-requests.test.ts",
  "tests/session/sessions.test.ts",
  "tests/session/end-session.test.ts",
];
const CHECK_TESTS = [
  "tests/session/session-check.test.ts",
  "tests/session/session-requests.test.ts",
  "tests/session/end-session.test.ts",
];
const SIGN_OUT_TESTS = ["tests/session/sign-out.test.ts"];

/** Sessions: refresh, registry and sign-out. */
export const SESSION_MUTATIONS: readonly Mutation[] = [
  {
    name: "a refreshed session keeps its id",
    file: SESSION,
    original: "{ ...tokens, id: session.id })), isRenewed: true }",
    replacement: '{ ...tokens, id: "" })), isRenewed: true }',
    tests: SESSION_TESTS,
  },
  {
    name: "a session keeps its id when its account changes",
    file: SESSION,
    original: "(await commitSession(request, { ...toSession(tokens), id: session.id })).headers",
    replacement: '(await commitSession(request, { ...toSession(tokens), id: "" })).headers',
    tests: [...SESSION_TESTS, "tests/profile/profile.test.ts"],
  },
  {
    name: "a token counts as expired half a minute early",
    file: SESSION,
    original: "session.expiresAt - EXPIRY_MARGIN_MS > now()",
    replacement: "session.expiresAt > now()",
    tests: SESSION_TESTS,
  },
  {
    name: "doubles the wait between refreshes",
    file: SESSION,
    original: "(session.backoff?.delay ?? FIRST_BACKOFF_MS / 2) * 2",
    replacement: "session.backoff?.delay ?? FIRST_BACKOFF_MS",
    tests: SESSION_TESTS,
  },
  {
    name: "a rejected refresh ends the session",
    file: SESSION,
    original: "if (isSessionEndedError(error)) return expireSession(request);",
    replacement: "if (isSessionEndedError(error)) throw error;",
    tests: SESSION_TESTS,
  },
  {
    name: "checks the session registry after a token refresh",
    file: SESSION_CHECK,
    original: 'isRenewed ? (["registry"] as const) : getDueSources(session)',
    replacement: "isRenewed ? [] : getDueSources(session)",
    tests: CHECK_TESTS,
  },
  {
    name: "no page relies on a check older than fifty seconds",
    file: SESSION_CHECK,
    original: "const MAX_AGE_MS = 50_000;",
    replacement: "const MAX_AGE_MS = 500_000;",
    tests: CHECK_TESTS,
  },
  {
    name: "an action checks both the provider and the registry",
    file: SESSION_CHECK,
    original: "SOURCES.map((source) => checkSource(source, session))",
    replacement: "SOURCES.slice(0, 1).map((source) => checkSource(source, session))",
    tests: CHECK_TESTS,
  },
  {
    name: "a check counts from the time of its request",
    file: SESSION_CHECK,
    original: "setCapped(confirmedAt, toKey(source, session), startedAt);",
    replacement: "setCapped(confirmedAt, toKey(source, session), now());",
    tests: CHECK_TESTS,
  },
  {
    name: "signs out all other sessions, but not this browser",
    file: SESSION_REGISTRY,
    original: "filter((id) => id !== exceptId)",
    replacement: "filter((id) => id === exceptId)",
    tests: ["tests/session/sessions.test.ts"],
  },
  {
    name: "signing out refreshes an expired token",
    file: SIGN_OUT,
    original:
      "session.idToken ?? (await identity.refresh(refreshToken, REFRESH_TIMEOUT_MS)).idToken",
    replacement: 'session.idToken ?? ""',
    tests: SIGN_OUT_TESTS,
  },
];
