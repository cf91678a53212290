import * as z from "zod";

import { readEnv } from "#app/env.server.ts";
import { checkHealth } from "#app/site/health.server.ts";
import { getAdvice } from "./advice.ts";
import { checkIndexes } from "./indexes-check.ts";
import { readProductionEnv, type Deployment } from "./production-env.ts";
import { checkServiceAccount, isOfProject } from "./service-account-check.ts";
import { checkSignIn } from "./sign-in-check.ts";

const TIMEOUT_MS = 15_000;

const healthSchema = z.object({
  rulesVersion: z.string(),
  checks: z.array(
    z.object({
      name: z.enum(["environment", "sessionKey", "auth", "firestore", "database"]),
      isOk: z.boolean(),
      ms: z.number(),
      problem: z.string().optional(),
      variables: z.array(z.string()).readonly().optional(),
    }),
  ),
});

type Health = z.infer<typeof healthSchema>;

/**
 * Checks the production variables and the Firebase project that they name. Prints each result, and returns whether every
 * check has passed.
 *
 * @param shell variables that replace those of the configuration
 * @param tokenUrl where the service account's key is checked. No emulator does this, so tests replace it. @default Google's
 *   token endpoint
 */
export async function checkProject(
  shell: Record<string, string | undefined>,
  deployment: Deployment,
  tokenUrl?: string,
): Promise<boolean> {
  const { variables, unchecked } = readProductionEnv(shell, deployment);
  const health = await checkHealth(variables);
  const areOk = printChecks(health);
  for (const name of unchecked) printUnchecked(name);
  const isOk = (name: string) => health.checks.some((check) => check.name === name && check.isOk);
  if (!isOk("environment")) return false;

  const env = readEnv(variables);
  const results = [areOk, printResult("sign-in", await checkSignIn(env))];
  if (isOk("firestore")) {
    const failed = await checkIndexes(env);
    results.push(printResult("indexes", failed?.problem, failed?.names));
  }
  if (env.FIREBASE_CLIENT_EMAIL && !isOfProject(env)) printOtherProject(env.FIREBASE_PROJECT_ID);
  // A private key that the shell lacks has a random value here, which Google would reject.
  if (env.FIREBASE_CLIENT_EMAIL && !unchecked.includes("FIREBASE_PRIVATE_KEY")) {
    results.push(printResult("service-account", await checkServiceAccount(env, tokenUrl)));
  }
  return results.every(Boolean);
}

/** Asks a deployed site for its health. Prints each result, and returns whether every check has passed. */
export async function checkSite(site: string): Promise<boolean> {
  const response = await fetchHealth(site);
  const json: unknown = await response?.json().catch(() => null);
  const { data: health } = healthSchema.safeParse(json);
  if (health) return printChecks(health);
  const advice = response
    ? "The response is not this app's. Check the address, and deploy: `npm run deploy`."
    : "Check the address, and that this machine is online.";
  printResult(site, "no response from /healthz", [advice]);
  return false;
}

async function fetchHealth(site: string): Promise<Response | null> {
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    return await fetch(new URL("/healthz", site), { redirect: "manual", signal });
  } catch {
    return null;
  }
}

function printChecks({ checks }: Health): boolean {
  const results = checks.map(({ name, problem, variables }) =>
    printResult(name, problem, variables),
  );
  return results.every(Boolean);
}

/** Prints a check's result, and what to do about a problem. Returns whether the check has passed. */
function printResult(name: string, problem?: string, details: readonly string[] = []): boolean {
  if (problem === undefined) {
    console.log(`✓ ${name}`);
    return true;
  }
  const what = [problem, ...details].join(" ");
  console.log(`✗ ${name}: ${what}\n  ${getAdvice(`${name} ${problem}`)}`);
  return false;
}

/** Prints only a warning, because the addresses of a domain-scoped project have another form. */
function printOtherProject(projectId: string): void {
  const ending = `@${projectId}.iam.gserviceaccount.com`;
  console.log(
    `! service-account: FIREBASE_CLIENT_EMAIL does not end in ${ending}\n` +
      "  If the account is of another project, nobody is shown as here. Create one in this project: docs/deploy.md.",
  );
}

function printUnchecked(name: string): void {
  const otherwise =
    name === "FIREBASE_PRIVATE_KEY"
      ? "Without this check, a deleted key shows only as a room with nobody in it."
      : "Or check the deployed site.";
  console.log(`- ${name} is a secret: set it in the shell to check it. ${otherwise}`);
}
