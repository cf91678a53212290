import type { AppLoadContext } from "@remix-run/cloudflare";

import { EnvironmentError, readEnv, type Env } from "#app/env.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { DatabaseError, readValue } from "#app/firebase/database.server.ts";
import { FirestoreError, PermissionDeniedError } from "#app/firebase/firestore-error.server.ts";
import { asUser } from "#app/firebase/firestore.server.ts";
import { createIdentityToolkit } from "#app/firebase/identity-toolkit.server.ts";
import { RULES_VERSION } from "#app/firebase/rules-version.ts";
import { createSealedCookie } from "#app/http/cookie.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { resolveWithin } from "#app/http/wait.ts";

/** Shorter than the time after which monitors give up. */
const TIMEOUT_MS = 3000;

/** How long a request waits for another request's check, which never ends if workerd has cancelled it. */
const MAX_WAIT_MS = TIMEOUT_MS + 500;

/** How long requests share a check. Anyone may send them, and each check calls three services and costs a read. */
const MAX_AGE_MS = 10_000;

export type CheckName = "environment" | "sessionKey" | "auth" | "firestore" | "database";

/**
 * What is wrong. `invalid`: variables are missing or malformed; `unusable`: the session key does not work; `no-answer`:
 * the service did not respond; `missing`: it is not set up; `rejected`: it does not accept the API key; `old-rules`:
 * its rules are not those of this release.
 */
type Problem = "invalid" | "unusable" | "no-answer" | "missing" | "rejected" | "old-rules";

export interface Check {
  name: CheckName;
  isOk: boolean;
  ms: number;
  problem?: Problem;
  /** The names of invalid variables. */
  variables?: readonly string[];
}

export interface Health {
  isHealthy: boolean;
  /** The version of the rules that this release needs. */
  rulesVersion: string;
  checks: Check[];
}

/** A failed check. Only its problem is shown, because the error that caused it could contain secrets. */
class CheckError extends Error {
  override name = "CheckError";
  readonly problem: Problem;

  constructor(problem: Problem, options?: ErrorOptions) {
    super(problem, options);
    this.problem = problem;
  }
}

/**
 * Checks what every page needs. The result contains no secrets and no values of variables.
 *
 * @param bindings the variables, which may be invalid
 */
export async function checkHealth(bindings: object): Promise<Health> {
  const checks = await runChecks(bindings);
  return {
    isHealthy: checks.every(({ isOk }) => isOk),
    rulesVersion: RULES_VERSION,
    checks,
  };
}

/**
 * Returns a function that runs a check at most once in ten seconds, unless the check throws or does not end in time. With
 * `PAGE_CACHE` off, each request makes a new check.
 *
 * @param run @default checkHealth
 */
export function createHealthCheck(
  bindings: object,
  now: () => number,
  run = checkHealth,
): () => Promise<Health> {
  const maxAgeMs = Reflect.get(bindings, "PAGE_CACHE") === "off" ? 0 : MAX_AGE_MS;
  let lastCheck: { health: Promise<Health>; startedAt: number } | undefined;

  return async function check(): Promise<Health> {
    if (!lastCheck || now() - lastCheck.startedAt >= maxAgeMs) {
      lastCheck = { health: run(bindings), startedAt: now() };
      return lastCheck.health;
    }
    const shared = lastCheck;
    const health = await resolveWithin(shared.health, MAX_WAIT_MS);
    if (health) return health;
    // Only the first request to time out begins another check.
    if (lastCheck === shared) lastCheck = undefined;
    return check();
  };
}

const healthChecks = new WeakMap<object, () => Promise<Health>>();

/** Returns the check that requests to this isolate share. Unlike other services, it also exists without a valid environment. */
export function getHealthCheck({ cloudflare: { env } }: AppLoadContext): () => Promise<Health> {
  const check = healthChecks.get(env) ?? createHealthCheck(env, () => Date.now());
  healthChecks.set(env, check);
  return check;
}

async function runChecks(bindings: object): Promise<Check[]> {
  let env: Env;
  try {
    env = readEnv(bindings);
  } catch (error) {
    if (!(error instanceof EnvironmentError)) throw error;
    const { variables } = error;
    return [{ name: "environment", isOk: false, ms: 0, problem: "invalid", variables }];
  }
  return [
    { name: "environment", isOk: true, ms: 0 },
    ...(await Promise.all([
      run("sessionKey", () => checkSessionKey(env)),
      run("auth", () => checkAuth(env)),
      run("firestore", () => checkFirestore(env)),
      run("database", () => checkDatabase(env)),
    ])),
  ];
}

async function run(name: CheckName, check: () => Promise<void>): Promise<Check> {
  const startedAt = performance.now();
  const problem = await check().then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CheckError) return error.problem;
      throw error;
    },
  );
  const ms = Math.round(performance.now() - startedAt);
  return { name, isOk: problem === undefined, ms, ...(problem && { problem }) };
}

/** Checks that a sealed cookie can be opened again. */
async function checkSessionKey(env: Env): Promise<void> {
  const cookie = createSealedCookie(env, "health", { maxAgeSeconds: 60, now: () => Date.now() });
  const address = "https://localhost/";
  const sealed = await cookie.seal(new Request(address), { isProbe: true });
  const headers = { Cookie: sealed.split(";")[0] ?? "" };
  const opened = await cookie.open(new Request(address, { headers }));
  if (opened === undefined) throw new CheckError("unusable");
}

/** Sends an invalid token, which Firebase Authentication rejects if it accepts the API key. */
async function checkAuth(env: Env): Promise<void> {
  try {
    await createIdentityToolkit(env).check("none", TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof AuthError)) throw error;
    if (error.code === "invalid-user-token" || error.code === "user-token-expired") return;
    if (error.code === "network-request-failed") throw new CheckError("no-answer");
    const isMissing = error.wireCode === "CONFIGURATION_NOT_FOUND";
    throw new CheckError(isMissing ? "missing" : "rejected");
  }
}

/** Reads a document that does not exist. Only this release's rules allow it. */
async function checkFirestore(env: Env): Promise<void> {
  const options = { timeoutMs: TIMEOUT_MS, isLogged: false };
  try {
    await asUser(env, null).batchGet([`rulesVersion/${RULES_VERSION}`], options);
  } catch (error) {
    if (error instanceof UnavailableError) throw new CheckError("no-answer");
    if (!(error instanceof FirestoreError)) throw error;
    // Google also responds with PERMISSION_DENIED when its API is not enabled.
    const isDisabled = /has not been used|is disabled/.test(error.message);
    const isDenied = error instanceof PermissionDeniedError && !isDisabled;
    throw new CheckError(isDenied ? "old-rules" : "missing");
  }
}

/** Reads a value that does not exist. Only this release's rules allow it. */
async function checkDatabase(env: Env): Promise<void> {
  try {
    await readValue(env, null, `rulesVersion/${RULES_VERSION}`, { timeoutMs: TIMEOUT_MS });
  } catch (error) {
    if (error instanceof UnavailableError) throw new CheckError("no-answer");
    if (!(error instanceof DatabaseError)) throw error;
    throw new CheckError(error.status === 401 ? "old-rules" : "missing");
  }
}
