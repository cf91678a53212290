import * as z from "zod";

import { readEnv } from "#app/env.server.ts";
import { checkHealth } from "#app/site/health.server.ts";
import { getAdvice } from "./advice.ts";
import { readProductionEnv, type Deployment } from "./production-env.ts";
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
 */
export async function checkProject(
  shell: NodeJS.ProcessEnv,
  deployment: Deployment,
): Promise<boolean> {
  const { variables, unchecked } = readProductionEnv(shell, deployment);
  const health = await checkHealth(variables);
  const areOk = printChecks(health);
  for (const name of unchecked) {
    console.log(
      `- ${name} is a secret: set it in the shell to check it, or check the deployed site.`,
    );
  }
  const [environment] = health.checks;
  if (!environment?.isOk) return false;

  const problem = await checkSignIn(readEnv(variables));
  printResult("sign-in", problem, problem && getAdvice(problem));
  return areOk && problem === undefined;
}

/** Asks a deployed site for its health. Prints each result, and returns whether every check has passed. */
export async function checkSite(site: string): Promise<boolean> {
  try {
    const response = await fetch(new URL("/healthz", site), {
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return printChecks(healthSchema.parse(await response.json()));
  } catch {
    const advice =
      "The response is not this app's. Check the address, and deploy: `npm run deploy`.";
    printResult(site, "no response from /healthz", advice);
    return false;
  }
}

function printChecks({ checks }: Health): boolean {
  for (const { name, problem, variables = [] } of checks) {
    const details = problem && [problem, ...variables].join(" ");
    printResult(name, details, problem && getAdvice(`${name} ${problem}`));
  }
  return checks.every(({ isOk }) => isOk);
}

function printResult(name: string, problem: string | undefined, advice: string | undefined): void {
  console.log(problem === undefined ? `✓ ${name}` : `✗ ${name}: ${problem}\n  ${advice}`);
}
