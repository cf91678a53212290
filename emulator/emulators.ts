import { readLaunchOptions, runCommand } from "./command.ts";
import type { FirebaseHosts } from "./hosts.ts";
import { startLocalFirebase, type CheckoutFirebase } from "./local-firebase.ts";
import { aborted } from "./signals.ts";

await runCommand(async (signal) => {
  const options = readLaunchOptions(process.argv.slice(2));
  await using firebase = await startLocalFirebase(console.log, options);
  console.log(describe(firebase));

  const reason = await Promise.race([aborted(signal), firebase.died]);
  if (reason !== undefined) throw reason;
});

function describe({ projectId, hosts, uiUrl, dataNote }: CheckoutFirebase): string {
  const rows: [string, string][] = [
    ["Auth", hosts.FIREBASE_AUTH_EMULATOR_HOST],
    ["Firestore", hosts.FIRESTORE_EMULATOR_HOST],
    ["Realtime Database", hosts.FIREBASE_DATABASE_EMULATOR_HOST],
    ["Stand-in for Google", hosts.GOOGLE_EMULATOR_HOST],
    ...(uiUrl === undefined ? [] : [["Data and e-mails", uiUrl] satisfies [string, string]]),
  ];
  return [
    "",
    `Local Firebase, project ${projectId}`,
    "",
    ...rows.map(([name, address]) => `  ${name.padEnd(21)}${address}`),
    "",
    dataNote,
    "Press Ctrl-C to stop.",
    "",
    "For other programs:",
    ...toVariables(hosts),
  ].join("\n");
}

function toVariables(hosts: FirebaseHosts): string[] {
  return Object.entries(hosts).map(([name, host]) => `${name}=${host}`);
}
