import { join } from "node:path";

import { buildApp, isBuilt } from "./build.ts";
import { readLaunchOptions, runCommand } from "./command.ts";
import { readDevVars } from "./dev-vars.ts";
import { LaunchError } from "./launch-error.ts";
import { getLocalVariables } from "./local-project.ts";
import { startLocalFirebase } from "./local-firebase.ts";
import { startPages } from "./pages.ts";
import { LOOPBACK, takePort } from "./ports.ts";
import { seed } from "./seed.ts";
import { aborted } from "./signals.ts";

const DEFAULT_PORT = 8788;

await runCommand(async (signal) => {
  const { memory } = readLaunchOptions(process.argv.slice(2));
  const port = readPort();
  const advice = `Stop what uses it, or choose another: PORT=${port + 1} npm start.`;
  // Neither our own servers nor others get it while the app is built.
  const freePort = await takePort(port, "the app", advice);
  const secrets = await readDevVars(".dev.vars");

  await using firebase = await startLocalFirebase(console.log, {
    memory,
    actionUrl: () => `http://${LOOPBACK}:${port}/login`,
  });
  console.log(firebase.dataNote);
  if (firebase.uiUrl !== undefined) console.log(`Data and e-mails: ${firebase.uiUrl}`);
  if (firebase.isNew) await seed(firebase);
  if (!(await isBuilt())) {
    console.log("Building …");
    await buildApp(signal);
  }
  await freePort();
  await using pages = await startPages({
    port,
    picturesFolder: firebase.dataFolder && join(firebase.dataFolder, "pictures"),
    variables: { ...secrets, ...getLocalVariables(firebase.hosts) },
    onError: console.error,
    onRequest: console.log,
    signal,
  });
  console.log(`Ready: ${pages.url}`);

  const reason = await Promise.race([aborted(signal), firebase.died, pages.died]);
  if (reason !== undefined) throw reason;
});

function readPort(): number {
  const { PORT } = process.env;
  if (!PORT) return DEFAULT_PORT;
  const port = Number(PORT);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new LaunchError(`PORT must be a number from 1 to 65535, not "${PORT}".`);
}
