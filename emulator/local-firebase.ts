import { relative } from "node:path";

import { chooseDataFolder, lockData } from "./data-folder.ts";
import { readFirebaseJson } from "./firebase-json.ts";
import { getExistingHosts } from "./hosts.ts";
import { startFirebase, type LocalFirebase } from "./firebase.ts";
import { LOCAL_PROJECT_ID } from "./local-project.ts";
import { recordRunning } from "./running.ts";
import { addSeed } from "./seed.ts";
import { Mails } from "./ui/mails.ts";
import { startUi } from "./ui/server.ts";

export interface LocalFirebaseOptions {
  /** Keeps all data in memory. @default false */
  memory?: boolean;
  /** Returns the URL of the app's page for e-mailed links. @default the Auth server's page */
  actionUrl?: () => string | undefined;
}

/** The local Firebase of a checkout, with pages to look at its data. */
export interface CheckoutFirebase extends LocalFirebase {
  /** The address of the pages. `undefined` when `firebase.json` turns them off. */
  uiUrl: string | undefined;
  /** Where data is saved. `undefined` when it is not. */
  dataFolder: string | undefined;
  /** A sentence about where data is saved. */
  dataNote: string;
}

/**
 * Starts the local Firebase of this checkout, with the ports of `firebase.json` and the data of the last run. Uses the
 * servers that are already running according to the environment variables. Logs every link that production would e-mail.
 *
 * @throws LaunchError when `firebase.json` is wrong, or `startFirebase` throws it
 */
export async function startLocalFirebase(
  log: (message: string) => void,
  { memory = false, ...options }: LocalFirebaseOptions = {},
): Promise<CheckoutFirebase> {
  const { uiPort, ...settings } = await readFirebaseJson("firebase.json");
  const existingHosts = getExistingHosts(process.env);
  const names = Object.keys(existingHosts);
  const folder = memory || names.length > 0 ? undefined : await chooseDataFolder(".");
  const lock = folder === undefined ? undefined : await lockData(folder);
  const dataFolder = lock && folder;
  const mails = new Mails();
  try {
    const firebase = await startFirebase({
      ...settings,
      ...options,
      projectId: LOCAL_PROJECT_ID,
      existingHosts,
      dataFolder,
      lock,
      log,
      onMail(message) {
        mails.add(message);
        log(message);
      },
    });
    const { hosts, projectId } = firebase;
    const dataNote = memory
      ? "Data isn't saved, because of --memory."
      : describeData(folder, lock !== undefined, names);
    const ui =
      uiPort === undefined
        ? undefined
        : await startUi({
            port: uiPort,
            projectId,
            hosts,
            dataNote,
            mails: existingHosts.FIREBASE_AUTH_EMULATOR_HOST === undefined ? mails : undefined,
            seed: () => addSeed(firebase),
          });
    const removeRecord = await recordRunning(".", hosts);
    return {
      ...firebase,
      uiUrl: ui?.url,
      dataNote,
      dataFolder,
      async [Symbol.asyncDispose]() {
        await removeRecord();
        await ui?.close();
        await firebase[Symbol.asyncDispose]();
        lock?.release();
      },
    };
  } catch (error) {
    lock?.release();
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
  return "Data isn't saved: there is no folder for it that only you can write to.";
}
