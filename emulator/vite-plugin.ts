import type { Plugin, ViteDevServer } from "vite";

import { readDevVars } from "./dev-vars.ts";
import { explain } from "./launch-error.ts";
import type { LocalFirebase } from "./launch.ts";
import { localVariables } from "./local-project.ts";
import { startLocalFirebase } from "./local.ts";
import { seed } from "./seed.ts";
import { aborted, watchForStop } from "./signals.ts";
import { WRANGLER_ENV } from "./wrangler-env.ts";

interface Running {
  firebase: LocalFirebase;
  variables: Record<string, string>;
}

/** Vite evaluates its configuration anew when that changes. The servers must outlive this module then. */
const shared: { localFirebase?: Promise<Running>; server?: ViteDevServer } = globalThis as object;

export interface LocalFirebasePlugin {
  plugin: Plugin;
  /** The variables for the app's environment: its secrets, and where the local servers listen. */
  variables(): Promise<Record<string, string>>;
}

/** Runs the local Firebase beside Vite's development server. To be named before the plugin that runs wrangler. */
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

async function start(): Promise<Running> {
  const stop = watchForStop();
  try {
    const firebase = await startLocalFirebase(console.log, { actionUrl: getActionUrl });
    if (firebase.isNew) await seed(firebase);
    void stopWhenAsked(firebase, stop);
    const secrets = await readDevVars(".dev.vars");
    return { firebase, variables: { ...secrets, ...localVariables(firebase.hosts) } };
  } catch (error) {
    console.error(explain(error));
    process.exit(1);
  }
}

/** Vite chooses its port when it listens. */
function getActionUrl(): string | undefined {
  const [base] = shared.server?.resolvedUrls?.local ?? [];
  return base && `${base}login`;
}

/** Vite leaves at once when asked to. The data are saved first. */
async function stopWhenAsked(firebase: LocalFirebase, stop: AbortSignal): Promise<void> {
  const reason = await Promise.race([aborted(stop), firebase.died]);
  if (reason !== undefined) console.error(explain(reason));
  await firebase[Symbol.asyncDispose]();
  process.exit(reason === undefined ? 0 : 1);
}
