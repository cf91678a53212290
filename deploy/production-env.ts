import { generateKeyPairSync } from "node:crypto";

import { unstable_readConfig as readConfig } from "wrangler";

/** Wrangler can store secrets, but not show them. */
const SECRETS = ["SESSION_SECRET", "FIREBASE_PRIVATE_KEY", "GOOGLE_CLIENT_SECRET"] as const;

interface ProductionEnv {
  variables: Record<string, string>;
  /** Secrets that are not in the shell, and so are not checked. */
  unchecked: string[];
}

/** The configuration file of each kind of deployment, and its environment for production. */
const CONFIGS = {
  pages: { config: "wrangler.toml", env: "production" },
  worker: { config: "wrangler.worker.toml" },
};

export type Deployment = keyof typeof CONFIGS;

/**
 * Returns the production variables in wrangler.toml or wrangler.worker.toml. Variables of the shell replace them.
 * Secrets that the shell lacks get random values, so that the other variables can be checked.
 */
export function readProductionEnv(
  shell: Record<string, string | undefined>,
  deployment: Deployment,
): ProductionEnv {
  const { vars } = readConfig(CONFIGS[deployment], { hideWarnings: true });
  const variables: Record<string, string> = {};
  for (const [name, value] of Object.entries(vars)) variables[name] = String(value);
  for (const [name, value] of Object.entries(shell)) {
    const isOurs = name in vars || /^(FIREBASE|FIRESTORE|GOOGLE|SESSION)_/.test(name);
    if (isOurs && value !== undefined) variables[name] = value;
  }
  const unchecked = SECRETS.filter((name) => !variables[name]).filter(
    (name) => name !== "GOOGLE_CLIENT_SECRET" || variables.GOOGLE_CLIENT_ID,
  );
  for (const name of unchecked) variables[name] = createRandomKey();
  return { variables, unchecked };
}

/** Returns a private key, which is also long enough for a session secret. */
function createRandomKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }).toString();
}
