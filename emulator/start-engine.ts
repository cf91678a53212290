import type { Engine, EngineOptions } from "./engine.ts";
import { findFireemu, startFireemu } from "./fireemu.ts";
import { findJava, startGoogleEmulators } from "./google-emulators.ts";
import { LaunchError } from "./launch-error.ts";

/**
 * Starts the Auth and Firestore servers and resolves when both listen. Uses fireemu, or else Google's emulators.
 * `FIREBASE_ENGINE` allows only one of them: `fireemu` or `google`.
 *
 * @throws SavedDataError when the folder cannot be imported
 * @throws LaunchError when neither is available, or with the last error message of a server that did not start
 */
export async function startEngine(options: EngineOptions): Promise<Engine> {
  const { FIREBASE_ENGINE: wanted } = process.env;
  if (wanted && wanted !== "fireemu" && wanted !== "google") {
    throw new LaunchError(`FIREBASE_ENGINE must be fireemu or google, not "${wanted}".`);
  }
  const fireemu = wanted === "google" ? undefined : await findFireemu();
  if (fireemu !== undefined) return await startFireemu(fireemu, options);
  const java = wanted === "fireemu" ? undefined : await findJava();
  if (java !== undefined) return await startGoogleEmulators(java, options);
  throw new LaunchError(
    `No program for the Auth and Firestore servers was found for ${process.platform}-${process.arch}: ` +
      "put fireemu on the PATH (https://github.com/t-k/fireemu), install Java 21 for Google's emulators, or name " +
      "running ones in FIREBASE_AUTH_EMULATOR_HOST and FIRESTORE_EMULATOR_HOST.",
  );
}
