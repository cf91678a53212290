import type { Plugin, ViteDevServer } from "vite";

import { readDevVars } from "./dev-vars.ts";
import { describeLaunchError } from "./launch-error.ts";
import type { LocalFirebase } from "./firebase.ts";
import { getLocalVariables } from "./local-project.ts";
import { startLocalFirebase } from "./local-firebase.ts";
import { seed } from "./seed.ts";
import { aborted, createStopSignal } from "./signals.ts";
import { WRANGLER_ENV } from "./wrangler-env.ts";

interface StartedFirebase {
  firebase: LocalFirebase;
  variables: Record<string, string>;
}

/** Global, because Vite evaluates this module again when its configuration changes, and the servers must keep running. */
const shared: { localFirebase?: Promise<StartedFirebase>; server?: ViteDevServer } =
  globalThis as object;

export interface LocalFirebasePlugin {
  plugin: Plugin;
  /** Returns the app's environment variables: its secrets, and the addresses of the local servers. */
  variables(): Promise<Record<string, string>>;
}

/** Runs the local Firebase with Vite's development server. Must come before the plugin that runs wrangler. */
export function localFirebase(): LocalFirebasePlugin {
  return {
    plugin: {
      name: "local-firebase",
      apply: "serve",
      async configureServer(server) {
        Object.assign(process.env, WRANGLER_ENV);
        shared.server = server;
        shared.localFirebase ??= start();
        await shared.localFirebase;
      },
    },
    async variables() {
      const running = await shared.localFirebase;
      return running?.variables ?? {};
    },
  };
}

async function start(): Promise<StartedFirebase> {
  const signal = createStopSignal();
  try {
    const firebase = await startLocalFirebase(console.log, { actionUrl: getActionUrl });
    console.log(firebase.dataNote);
    if (firebase.uiUrl !== undefined) console.log(`Data and e-mails: ${firebase.uiUrl}`);
    if (firebase.isNew) await seed(firebase);
    void stopOnSignal(firebase, signal);
    const secrets = await readDevVars(".dev.vars");
    return { firebase, variables: { ...secrets, ...getLocalVariables(firebase.hosts) } };
  } catch (error) {
    console.error(describeLaunchError(error));
    process.exit(1);
  }
}

/** A function, because Vite chooses its port when it starts to listen. */
function getActionUrl(): string | undefined {
  const [base] = shared.server?.resolvedUrls?.local ?? [];
  return base && `${base}login`;
}

/** Saves the data before the process ends. Vite alone would exit at once. */
async function stopOnSignal(firebase: LocalFirebase, signal: AbortSignal): Promise<void> {
  const reason = await Promise.race([aborted(signal), firebase.died]);
  if (reason !== undefined) console.error(describeLaunchError(reason));
  await firebase[Symbol.asyncDispose]();
  process.exit(reason === undefined ? 0 : 1);
}
