import { relative } from "node:path";

import { chooseDataFolder, lockData } from "./data-folder.ts";
import { readFirebaseJson } from "./firebase-json.ts";
import { getExistingHosts } from "./hosts.ts";
import { startFirebase, type LocalFirebase } from "./firebase.ts";
import { LOCAL_PROJECT_ID } from "./local-project.ts";

export interface LocalFirebaseOptions {
  /** Returns the URL of the app's page for e-mailed links. @default the Auth server's page */
  actionUrl?: () => string | undefined;
}

/**
 * Starts the local Firebase of this checkout, with the ports of `firebase.json` and the data of the last run. Uses the
 * servers that are already running according to the environment variables. Logs where data is saved, and every link that
 * production would e-mail.
 *
 * @throws LaunchError when `firebase.json` is wrong, or `startFirebase` throws it
 */
export async function startLocalFirebase(
  log: (message: string) => void,
  options: LocalFirebaseOptions = {},
): Promise<LocalFirebase> {
  const settings = await readFirebaseJson("firebase.json");
  const existingHosts = getExistingHosts(process.env);
  const names = Object.keys(existingHosts);
  const folder = names.length > 0 ? undefined : await chooseDataFolder(".");
  const unlock = folder === undefined ? undefined : await lockData(folder);
  const dataFolder = unlock && folder;
  try {
    const firebase = await startFirebase({
      ...settings,
      ...options,
      projectId: LOCAL_PROJECT_ID,
      existingHosts,
      dataFolder,
      log,
    });
    log(describeData(folder, unlock !== undefined, names));
    return {
      ...firebase,
      async [Symbol.asyncDispose]() {
        await firebase[Symbol.asyncDispose]();
        await unlock?.();
      },
    };
  } catch (error) {
    await unlock?.();
    throw error;
  }
}

function describeData(
  folder: string | undefined,
  isLocked: boolean,
  existingHosts: string[],
): string {
  if (folder !== undefined) {
    const short = relative(".", folder);
    const name = short.startsWith("..") ? folder : short;
    if (isLocked) return `Data is saved in ${name}.`;
    return `Data isn't saved: another process of this checkout is running, and saves its data in ${name}.`;
  }
  if (existingHosts.length > 0) {
    return `Data isn't saved here, because ${existingHosts.join(" and ")} is set.`;
  }
  return "Data isn't saved: other users can write to every folder it could be saved in.";
}
