import { chmod, copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { randomInt } from "node:crypto";

import { startChild } from "./child.ts";
import type { Engine, EngineOptions } from "./engine.ts";
import { canRun, findOnPath, toFileName } from "./find-program.ts";
import { LaunchError, SavedDataError } from "./launch-error.ts";
import { findFreePort, LOOPBACK } from "./ports.ts";
import { createTemporaryFolder, removeFolder, useTemporaryFolder } from "./temporary-folder.ts";

/** The release of `@fireemu/linux-x64` in package.json. */
const FIREEMU_VERSION = "0.7.1";

const START_TIMEOUT_MS = 60_000;
const HOST_LINE = /\b(FIREBASE_AUTH_EMULATOR_HOST|FIRESTORE_EMULATOR_HOST)=(\S+)/;
const ACTION_LINK_LINE = /^ {2}auth: (.*)/;

/** Returns the path of fireemu: the copy that npm installed, or one on the PATH. `undefined` when there is none. */
export async function findFireemu(): Promise<string | undefined> {
  const installed = await findInstalledBinary();
  return installed === undefined
    ? await findOnPath(toFileName("fireemu"))
    : await ensureExecutable(installed);
}

/** Starts fireemu as `startEngine` says. */
export async function startFireemu(program: string, options: EngineOptions): Promise<Engine> {
  const folder = await createTemporaryFolder("firebase");
  try {
    return await startInFolder(program, options, folder);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function startInFolder(
  program: string,
  options: EngineOptions,
  folder: string,
): Promise<Engine> {
  const config = join(folder, "fireemu.json");
  const firebaseJson = join(folder, "firebase.json");
  await writeFile(config, JSON.stringify(createFireemuConfig()));
  await writeFile(firebaseJson, JSON.stringify(createFirebaseConfig(options)));

  const only = [];
  const ports = [];
  if (options.authPort !== undefined) {
    only.push("auth");
    ports.push("--http-port", String(options.authPort));
  }
  if (options.firestorePort !== undefined) {
    only.push("firestore");
    ports.push("--firestore-port", String(options.firestorePort));
  }
  const hubPort = options.canExport ? await findFreePort() : 0;

  // fireemu registers itself in a file in the temporary folder, so each instance needs its own.
  const env = useTemporaryFolder(folder);
  const hosts = new Map<string, string>();
  const errors: string[] = [];
  let markReady = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  const child = startChild(
    program,
    [
      ...["up", "--config", config, "--firebase-json", firebaseJson],
      ...["--project", options.projectId, "--only", only.join(",")],
      ...[...ports, "--hub-port", String(hubPort), "--logging-port", "0"],
      ...(options.importFrom === undefined ? [] : ["--import", options.importFrom]),
    ],
    {
      env,
      onOutput(line) {
        const [, name, host] = HOST_LINE.exec(line) ?? [];
        if (name !== undefined && host !== undefined) hosts.set(name, host);
        if (hosts.size === only.length) markReady();
        const [, message] = ACTION_LINK_LINE.exec(line) ?? [];
        if (message !== undefined) options.onActionLink(message);
      },
      onError(line) {
        errors.push(line.replace(/^error: /, ""));
      },
    },
  );

  const exited = child.exited.then((code) => errors.at(-1) ?? `it exited with code ${code}`);
  let timer: NodeJS.Timeout | undefined;
  const failed = Promise.race([
    exited,
    new Promise<string>((resolve) => {
      timer = setTimeout(resolve, START_TIMEOUT_MS, "it did not respond within a minute");
    }),
  ]);
  const failure = await Promise.race([ready, failed]);
  clearTimeout(timer);
  if (failure !== undefined) {
    await child.stop();
    // fireemu names the option whose data it cannot read.
    if (failure.startsWith("--import")) throw new SavedDataError(`${failure}.`);
    throw new LaunchError(`The Auth and Firestore servers did not start: ${failure}.`);
  }

  return {
    name: "fireemu",
    authHost: hosts.get("FIREBASE_AUTH_EMULATOR_HOST"),
    firestoreHost: hosts.get("FIRESTORE_EMULATOR_HOST"),
    exited,
    async exportTo(target) {
      const messages: string[] = [];
      const args = ["emulators:export", target, "--project", options.projectId, "--force"];
      const onError = (line: string) => messages.push(line);
      const code = await startChild(program, args, { env, onError }).exited;
      if (code !== 0) throw new LaunchError(`The data could not be saved: ${messages.join(" ")}`);
    },
    async stop() {
      await child.stop();
      await removeFolder(folder);
    },
  };
}

function createFireemuConfig() {
  return {
    schemaVersion: 1,
    profile: "emulator",
    // Without e-mail privacy, an unknown address and a wrong password get different error codes.
    auth: { improvedEmailPrivacy: false },
    // Ids are generated from the seed. With a fixed one, a new account could get a deleted account's id after a restart.
    daemon: { seed: randomInt(2 ** 47) },
  };
}

function createFirebaseConfig(options: EngineOptions) {
  return {
    firestore: { rules: options.rulesPath, indexes: options.indexesPath },
    emulators: {
      auth: { host: LOOPBACK },
      firestore: { host: LOOPBACK },
      ui: { enabled: false },
      singleProjectMode: true,
    },
  };
}

async function findInstalledBinary(): Promise<string | undefined> {
  const name = `@fireemu/${process.platform}-${process.arch}/package.json`;
  try {
    const manifest = createRequire(import.meta.url).resolve(name);
    return join(manifest, "..", "bin", toFileName("fireemu"));
  } catch {
    return undefined; // Not published for this platform, or installed without optional dependencies.
  }
}

/** The npm package ships the binary without execute permission. */
async function ensureExecutable(path: string): Promise<string> {
  if (await canRun(path)) return path;
  try {
    await chmod(path, 0o755);
    return path;
  } catch {
    // node_modules belongs to another user, or is read-only.
  }
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "fireemu");
  const copy = join(cache, toFileName(FIREEMU_VERSION));
  if (await canRun(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await copyFile(path, unfinished);
  await chmod(unfinished, 0o755);
  await rename(unfinished, copy);
  return copy;
}
