import { runCommand } from "./command.ts";
import { startLocalFirebase } from "./local-firebase.ts";
import { aborted } from "./signals.ts";

await runCommand(async (signal) => {
  await using firebase = await startLocalFirebase(console.log);
  for (const [name, host] of Object.entries(firebase.hosts)) console.log(`${name}=${host}`);

  const reason = await Promise.race([aborted(signal), firebase.died]);
  if (reason !== undefined) throw reason;
});
