import { constants } from "node:fs";
import { access, chmod, copyFile, mkdir, rename, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { randomInt } from "node:crypto";

import { startChild } from "./child.ts";
import { LaunchError } from "./launch-error.ts";
import { findFreePort, LOOPBACK } from "./ports.ts";
import { makeTemporaryFolder, removeFolder } from "./temporary-folder.ts";

/** The release the tests prove to be right, that of `@fireemu/linux-x64` in package.json. */
const FIREEMU_VERSION = "0.7.1";

const START_TIMEOUT_MS = 60_000; // npx may have to download it first.
const HOST_LINE = /\b(FIREBASE_AUTH_EMULATOR_HOST|FIRESTORE_EMULATOR_HOST)=(\S+)/;
const ACTION_LINK_LINE = /^ {2}auth: (.*)/;

export interface FireemuOptions {
  command: readonly string[];
  projectId: string;
  /** Port of the Auth server, 0 for a free one. Absent: Auth is not started. */
  authPort?: number;
  /** Port of the Firestore server, 0 for a free one. Absent: Firestore is not started. */
  firestorePort?: number;
  rulesPath: string;
  indexesPath: string;
  /** A folder written by `exportTo`. */
  importFrom?: string;
  /** Whether `exportTo` will be called: it needs one more port, a free one. */
  canExport: boolean;
  /** Called with each e-mail link that production would have sent, as a sentence. */
  onActionLink?: (sentence: string) => void;
}

export interface Fireemu {
  /** `host:port`, when started. */
  authHost?: string;
  firestoreHost?: string;
  /** Settles when the servers have ended, with what they said last. */
  exited: Promise<string>;
  /** Writes all accounts and documents in Firebase's own export format. */
  exportTo(folder: string): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Returns the command that runs fireemu here: the copy npm installed, one on the PATH, or npx where npm knows of one.
 * `undefined` when there is none.
 */
export async function findFireemu(): Promise<readonly string[] | undefined> {
  const installed = await findInstalled();
  if (installed !== undefined) return [await makeExecutable(installed)];

  const onPath = await findOnPath("fireemu");
  if (onPath !== undefined) return [onPath];

  const npx = ["npx", "--yes", `fireemu@${FIREEMU_VERSION}`];
  const probe = startChild(npx[0] ?? "npx", [...npx.slice(1), "--version"]);
  return (await probe.exited) === 0 ? npx : undefined;
}

/** Starts the Auth and Firestore servers and resolves when both listen. */
export async function startFireemu(options: FireemuOptions): Promise<Fireemu> {
  const folder = await makeTemporaryFolder("firebase");
  try {
    return await run(options, folder);
  } catch (error) {
    await removeFolder(folder);
    throw error;
  }
}

async function run(options: FireemuOptions, folder: string): Promise<Fireemu> {
  const config = join(folder, "fireemu.json");
  const firebaseJson = join(folder, "firebase.json");
  await writeFile(config, JSON.stringify(fireemuConfig()));
  await writeFile(firebaseJson, JSON.stringify(firebaseConfig(options)));

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

  const [program = "", ...prefix] = options.command;
  // The running suite is announced in a file in TMPDIR. In a folder of its own, two suites cannot take each other's.
  const env = { TMPDIR: folder };
  const hosts = new Map<string, string>();
  const said: string[] = [];
  let markReady = () => {};
  const ready = new Promise<void>((resolve) => {
    markReady = resolve;
  });

  const child = startChild(
    program,
    [
      ...prefix,
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
        const [, sentence] = ACTION_LINK_LINE.exec(line) ?? [];
        if (sentence !== undefined) options.onActionLink?.(sentence);
      },
      onError(line) {
        said.push(line.replace(/^error: /, ""));
      },
    },
  );

  const exited = child.exited.then((code) => said.at(-1) ?? `it ended with code ${code}`);
  let timer: NodeJS.Timeout | undefined;
  const failed = Promise.race([
    exited,
    new Promise<string>((resolve) => {
      timer = setTimeout(resolve, START_TIMEOUT_MS, "it did not answer within a minute");
    }),
  ]);
  const failure = await Promise.race([ready, failed]);
  clearTimeout(timer);
  if (failure !== undefined) {
    await child.stop();
    throw new LaunchError(`The Auth and Firestore servers did not start: ${failure}.`);
  }

  return {
    authHost: hosts.get("FIREBASE_AUTH_EMULATOR_HOST"),
    firestoreHost: hosts.get("FIRESTORE_EMULATOR_HOST"),
    exited,
    async exportTo(target) {
      const messages: string[] = [];
      const args = ["emulators:export", target, "--project", options.projectId, "--force"];
      const onError = (line: string) => messages.push(line);
      const code = await startChild(program, [...prefix, ...args], { env, onError }).exited;
      if (code !== 0) throw new LaunchError(`The data could not be saved: ${messages.join(" ")}`);
    },
    async stop() {
      await child.stop();
      await removeFolder(folder);
    },
  };
}

function fireemuConfig() {
  return {
    schemaVersion: 1,
    profile: "emulator",
    // Tells an unknown address from a wrong password, as a Firebase project without e-mail protection does.
    auth: { improvedEmailPrivacy: false },
    // Every id is drawn from the seed. A fixed one would give a new account the id of a deleted one after a restart.
    daemon: { seed: randomInt(2 ** 47) },
  };
}

function firebaseConfig(options: FireemuOptions) {
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

async function findInstalled(): Promise<string | undefined> {
  const name = `@fireemu/${process.platform}-${process.arch}/package.json`;
  try {
    const manifest = createRequire(import.meta.url).resolve(name);
    return join(manifest, "..", "bin", "fireemu");
  } catch {
    return undefined; // Not offered for this platform, or installed without optional dependencies.
  }
}

/** The npm package holds the program without permission to run it. */
async function makeExecutable(path: string): Promise<string> {
  if (await canRun(path)) return path;
  try {
    await chmod(path, 0o755);
    return path;
  } catch {
    // node_modules belongs to someone else, or is read-only.
  }
  const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"), "fireemu");
  const copy = join(cache, FIREEMU_VERSION);
  if (await canRun(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(cache, { recursive: true });
  await copyFile(path, unfinished);
  await chmod(unfinished, 0o755);
  await rename(unfinished, copy);
  return copy;
}

async function findOnPath(program: string): Promise<string | undefined> {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    const path = join(folder, program);
    if (await canRun(path)) return path;
  }
  return undefined;
}

async function canRun(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
