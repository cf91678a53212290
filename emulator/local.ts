import { relative } from "node:path";

import { chooseDataFolder } from "./data.ts";
import { readFirebaseJson } from "./firebase-json.ts";
import { givenHosts } from "./hosts.ts";
import { startFirebase, type LocalFirebase } from "./launch.ts";
import { LOCAL_PROJECT_ID } from "./local-project.ts";

/**
 * Starts the local Firebase of this checkout: on the ports of `firebase.json`, with the data of the last run, and
 * leaving out the servers that the environment says run already. Says where the data are, and every link that production
 * would have mailed: it leads to the app's `actionUrl`, where there is one.
 */
export async function startLocalFirebase(
  say: (sentence: string) => void,
  actionUrl?: () => string | undefined,
): Promise<LocalFirebase> {
  const settings = await readFirebaseJson("firebase.json");
  const given = givenHosts(process.env);
  const names = Object.keys(given);
  const dataFolder = names.length > 0 ? undefined : await chooseDataFolder(".");

  const firebase = await startFirebase({
    ...settings,
    projectId: LOCAL_PROJECT_ID,
    given,
    dataFolder,
    actionUrl,
    say,
  });
  say(describeData(dataFolder, names));
  return firebase;
}

function describeData(dataFolder: string | undefined, given: string[]): string {
  if (dataFolder !== undefined) {
    const short = relative(".", dataFolder);
    return `Data are kept in ${short.startsWith("..") ? dataFolder : short}.`;
  }
  if (given.length > 0) return `Data are not kept here, because ${given.join(" and ")} is set.`;
  return "Data are not kept: others may write to every folder that could hold them.";
}
