import { relative } from "node:path";

import { chooseDataFolder, lockData } from "./data.ts";
import { readFirebaseJson } from "./firebase-json.ts";
import { givenHosts } from "./hosts.ts";
import { startFirebase, type LocalFirebase } from "./launch.ts";
import { LOCAL_PROJECT_ID } from "./local-project.ts";

export interface LocalOptions {
  /** Returns the address of the app's page for links from mails. */
  actionUrl?: () => string | undefined;
  /** Whether servers whose ports are taken start on free ones. @default false */
  isMovable?: boolean;
}

/**
 * Starts the local Firebase of this checkout: on the ports of `firebase.json`, with the data of the last run, and
 * leaving out the servers that the environment says run already. Says where the data are, and every link that production
 * would have mailed: it leads to the app's `actionUrl`, where there is one.
 */
export async function startLocalFirebase(
  say: (sentence: string) => void,
  options: LocalOptions = {},
): Promise<LocalFirebase> {
  const settings = await readFirebaseJson("firebase.json");
  const given = givenHosts(process.env);
  const names = Object.keys(given);
  const chosen = names.length > 0 ? undefined : await chooseDataFolder(".");
  const unlock = chosen === undefined ? undefined : await lockData(chosen);
  const dataFolder = unlock && chosen;
  try {
    const firebase = await startFirebase({
      ...settings,
      ...options,
      projectId: LOCAL_PROJECT_ID,
      given,
      dataFolder,
      say,
    });
    say(describeData(chosen, unlock !== undefined, names));
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

function describeData(folder: string | undefined, isOurs: boolean, given: string[]): string {
  if (folder !== undefined) {
    const short = relative(".", folder);
    const name = short.startsWith("..") ? folder : short;
    if (isOurs) return `Data is saved in ${name}.`;
    return `Data isn't saved: this checkout is already running and saves its own in ${name}.`;
  }
  if (given.length > 0) return `Data isn't saved here, because ${given.join(" and ")} is set.`;
  return "Data isn't saved: other users can write to every folder it could be saved in.";
}
