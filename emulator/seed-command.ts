import { runCommand } from "./command.ts";
import { getExistingHosts } from "./hosts.ts";
import { LaunchError } from "./launch-error.ts";
import { LOCAL_PROJECT_ID } from "./local-project.ts";
import { findRunning } from "./running.ts";
import { addSeed } from "./seed.ts";

// Adds what is missing of seed.json to the servers of this checkout, or to those that environment variables name.

await runCommand(async () => {
  const hosts = { ...(await findRunning(".")), ...getExistingHosts(process.env) };
  const { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST } = hosts;
  if (!FIREBASE_AUTH_EMULATOR_HOST || !FIRESTORE_EMULATOR_HOST) {
    throw new LaunchError(
      "No local Firebase of this checkout is running. Start one with npm run emulators, or name servers in " +
        "FIREBASE_AUTH_EMULATOR_HOST and FIRESTORE_EMULATOR_HOST.",
    );
  }
  const target = {
    hosts: { FIREBASE_AUTH_EMULATOR_HOST, FIRESTORE_EMULATOR_HOST },
    projectId: LOCAL_PROJECT_ID,
  };
  const added = await addSeed(target);
  console.log(describe(added.accounts, "account", FIREBASE_AUTH_EMULATOR_HOST));
  console.log(describe(added.documents, "document", FIRESTORE_EMULATOR_HOST));
});

function describe(count: number, what: string, host: string): string {
  if (count === 0) return `Every ${what} of seed.json is already at ${host}.`;
  return `Added ${count} ${what}${count === 1 ? "" : "s"} to ${host}.`;
}
