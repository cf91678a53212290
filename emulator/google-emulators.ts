import { mkdir, readdir, readFile, realpath, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { stripVTControlCharacters } from "node:util";

import * as z from "zod";

import { startChild, type Child } from "./child.ts";
import type { Engine, EngineOptions } from "./engine.ts";
import { readJson } from "./firebase-json.ts";
import { canRun, findOnPath, hasFile, toFileName } from "./find-program.ts";
import { LaunchError, SavedDataError } from "./launch-error.ts";
import { findFreePort, LOOPBACK } from "./ports.ts";
import { createTemporaryFolder, removeFolder, useTemporaryFolder } from "./temporary-folder.ts";

/** The release in the script `firebase` of package.json. */
const FIREBASE_TOOLS = "firebase-tools@15.34.2";

const FIRESTORE_CLASS = "com.google.cloud.datastore.emulator.firestore.CloudFirestore";

/** Long, because firebase-tools takes 15 seconds of processor time. */
const START_TIMEOUT_MS = 300_000;

const ACTION_LINK_LINE = /^i +(To .+, follow this link: .+)/;

/** The files of an export, as firebase-tools names them. */
const EXPORT = {
  accounts: "auth_export/accounts.json",
  config: "auth_export/config.json",
  firestore: "firestore_export",
  firestoreMetadata: "firestore_export/firestore_export.overall_export_metadata",
  metadata: "firebase-export-metadata.json",
};

const accountsSchema = z.object({
  users: z
    .array(z.looseObject({ localId: z.string(), validSince: z.string().optional() }))
    .default([]),
});

interface Server {
  host: string;
  child: Child;
  /** Resolves when the server listens. Rejects with a LaunchError when it does not start. */
  listening: Promise<void>;
  /** Resolves when the server has ended, with its error message. */
  exited: Promise<string>;
}

/** Returns the path of Java. `undefined` when there is none: macOS has a program of that name that only says so. */
export async function findJava(): Promise<string | undefined> {
  const { JAVA_HOME } = process.env;
  const atHome = JAVA_HOME && join(JAVA_HOME, "bin", toFileName("java"));
  const java = atHome && (await canRun(atHome)) ? atHome : await findOnPath(toFileName("java"));
  if (java === undefined) return undefined;
  return (await startChild(java, ["-version"]).exited) === 0 ? java : undefined;
}

/** Starts the Auth emulator of firebase-tools and Google's Firestore emulator as `startEngine` says. */
export async function startGoogleEmulators(java: string, options: EngineOptions): Promise<Engine> {
  const folder = await createTemporaryFolder("google");
  const servers: Server[] = [];
  async function stop(): Promise<void> {
    await Promise.all(servers.map(({ child }) => child.stop()));
    await removeFolder(folder);
  }
  try {
    return await startInFolder(java, options, folder, servers, stop);
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startInFolder(
  java: string,
  options: EngineOptions,
  folder: string,
  servers: Server[],
  stop: () => Promise<void>,
): Promise<Engine> {
  const { authPort, firestorePort, importFrom, log } = options;
  log(`Starting Google's emulators. The first time, npm downloads ${FIREBASE_TOOLS}.`);
  const firestoreJar = firestorePort === undefined ? undefined : await requireFirestoreJar(log);
  const firestore =
    firestoreJar === undefined
      ? undefined
      : await startFirestore(java, firestoreJar, firestorePort || (await findFreePort()));
  if (firestore) servers.push(firestore);
  const auth =
    authPort === undefined
      ? undefined
      : await startAuth(options, folder, authPort || (await findFreePort()));
  if (auth) servers.push(auth);
  await Promise.all(servers.map((server) => server.listening));

  if (firestore) await setRules(firestore.host, options);
  if (importFrom !== undefined) {
    await importData(importFrom, options.projectId, auth?.host, firestore?.host).catch(
      (error: unknown) => {
        throw new SavedDataError(error instanceof Error ? error.message : String(error));
      },
    );
  }
  return {
    name: "google",
    authHost: auth?.host,
    firestoreHost: firestore?.host,
    exited: Promise.race(servers.map((server) => server.exited)),
    exportTo: (target) => exportData(target, options.projectId, auth?.host, firestore?.host),
    stop,
  };
}

async function startFirestore(java: string, jar: string, port: number): Promise<Server> {
  // Its error messages exist in English only.
  const args = ["-Duser.language=en", "-cp", jar, FIRESTORE_CLASS];
  args.push(`--host=${LOOPBACK}`, `--port=${port}`);
  return startServer("The Firestore server", port, [java, ...args], {
    ready: /^Dev App Server is now running/,
  });
}

async function startAuth(
  { projectId, log, onActionLink }: EngineOptions,
  folder: string,
  port: number,
): Promise<Server> {
  const listen = async () => ({ host: LOOPBACK, port: await findFreePort() });
  const emulators = {
    auth: { host: LOOPBACK, port },
    hub: await listen(),
    logging: await listen(),
    ui: { enabled: false },
  };
  await writeFile(join(folder, "firebase.json"), JSON.stringify({ emulators }));
  const args = ["emulators:start", "--only", "auth", "--project", projectId];
  return startServer(
    "The Auth server",
    port,
    [process.execPath, await installFirebaseTools(log), ...args],
    {
      ready: /All emulators ready/,
      cwd: folder,
      // Neither the user's sign-in nor other emulators of this project, which are registered in the temporary folder.
      env: { ...useTemporaryFolder(folder), XDG_CONFIG_HOME: folder },
      onOutput(line) {
        const [, message] = ACTION_LINK_LINE.exec(line) ?? [];
        if (message !== undefined) onActionLink(message);
      },
    },
  );
}

interface ServerOptions {
  /** Matches the line that the server prints when it listens. */
  ready: RegExp;
  cwd?: string;
  env?: Record<string, string>;
  onOutput?: (line: string) => void;
}

function startServer(
  title: string,
  port: number,
  [command = "", ...args]: string[],
  { ready, cwd, env, onOutput }: ServerOptions,
): Server {
  const output: string[] = [];
  let markReady = () => {};
  const isReady = new Promise<void>((resolve) => {
    markReady = resolve;
  });
  const child = startChild(command, args, {
    cwd,
    env,
    onOutput(line) {
      const text = stripVTControlCharacters(line);
      output.push(text);
      if (ready.test(text)) markReady();
      onOutput?.(text);
    },
    onError: (line) => void output.push(stripVTControlCharacters(line)),
  });
  const exited = child.exited.then((code) => findError(output) ?? `it exited with code ${code}`);
  const listening = waitForStart();
  listening.catch(() => {}); // It may fail before the caller waits for it.
  return { host: `${LOOPBACK}:${port}`, child, listening, exited };

  async function waitForStart(): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<string>((resolve) => {
      timer = setTimeout(resolve, START_TIMEOUT_MS, "it did not respond within five minutes");
    });
    const failure = await Promise.race([isReady, exited, late]);
    clearTimeout(timer);
    if (failure !== undefined) throw new LaunchError(`${title} did not start: ${failure}.`);
  }
}

/** Returns what explains the end of a program. Stack traces and other output may follow it. */
function findError(lines: string[]): string | undefined {
  const error =
    lines.findLast((line) => /^(?:error|exception)\b/i.test(line)) ??
    lines.findLast((line) => line.trim() !== "");
  return error?.replace(/^Error: /, "").replace(/\.$/, "");
}

/** Returns the path of firebase-tools. npm downloads it into its cache, because it is too large for a dependency. */
async function installFirebaseTools(log: (message: string) => void): Promise<string> {
  const npm = await findNpm();
  const output: string[] = [];
  const errors: string[] = [];
  // Prints the PATH, which begins with the folder of the program.
  const args = ["exec", "--yes", "--prefer-offline", `--package=${FIREBASE_TOOLS}`, "--"];
  args.push("node", "-p", "process.env.PATH");
  const code = await startChild(process.execPath, [npm, ...args], {
    onOutput: (line) => void output.push(line),
    onError: (line) => void errors.push(line),
  }).exited;
  for (const folder of output.join("").split(delimiter)) {
    const program = join(folder, "../firebase-tools/lib/bin/firebase.js");
    if (code === 0 && (await hasFile(program))) return program;
  }
  for (const line of errors) log(line);
  throw new LaunchError(`npm could not download ${FIREBASE_TOOLS}, which has the Auth server.`);
}

/** Returns the path of npm's script. Its program is a shell script on Windows, which Node.js does not run. */
async function findNpm(): Promise<string> {
  const folders = [
    dirname(process.env.npm_execpath ?? ""),
    join(dirname(process.execPath), "node_modules/npm/bin"),
    join(dirname(process.execPath), "../lib/node_modules/npm/bin"),
  ];
  for (const folder of folders) {
    const path = join(folder, "npm-cli.js");
    if (await hasFile(path)) return path;
  }
  throw new LaunchError("npm was not found, which downloads the Auth server. Run this with npm.");
}

async function requireFirestoreJar(log: (message: string) => void): Promise<string> {
  const found = await findFirestoreJar();
  if (found !== undefined) return found;
  log("Downloading Google's Firestore emulator …");
  const output: string[] = [];
  const collect = (line: string) => void output.push(stripVTControlCharacters(line));
  const args = [await installFirebaseTools(log), "setup:emulators:firestore"];
  await startChild(process.execPath, args, { onOutput: collect, onError: collect }).exited;
  const downloaded = await findFirestoreJar();
  if (downloaded !== undefined) return downloaded;
  const reason = findError(output) ?? "firebase-tools does not say why";
  throw new LaunchError(`Google's Firestore emulator could not be downloaded: ${reason}.`);
}

/** Finds the emulator of the Google Cloud CLI (Debian: google-cloud-cli-firestore-emulator) or of firebase-tools. */
async function findFirestoreJar(): Promise<string | undefined> {
  const gcloud = await findOnPath("gcloud");
  if (gcloud !== undefined) {
    const sdk = join(await realpath(gcloud), "../..");
    const jar = join(sdk, "platform/cloud-firestore-emulator/cloud-firestore-emulator.jar");
    if (await hasFile(jar)) return jar;
  }
  const { FIREBASE_EMULATORS_PATH } = process.env;
  const cache = FIREBASE_EMULATORS_PATH || join(homedir(), ".cache/firebase/emulators");
  const names = await readdir(cache).catch(() => []);
  const newest = names
    .filter((name) => /^cloud-firestore-emulator-.+\.jar$/.test(name))
    .toSorted((a, b) => a.localeCompare(b, "en", { numeric: true }))
    .at(-1);
  return newest === undefined ? undefined : join(cache, newest);
}

/** The emulator would start with rules that do not parse, and allow nothing. */
async function setRules(host: string, { projectId, rulesPath }: EngineOptions): Promise<void> {
  const content = await readFile(rulesPath, "utf8").catch(() => {
    throw new LaunchError(`${rulesPath} is missing or cannot be read.`);
  });
  const files = [{ name: "firestore.rules", content }];
  const url = `http://${host}/emulator/v1/projects/${projectId}:securityRules`;
  await send("PUT", url, { rules: { files } }).catch((error: unknown) => {
    const message = error instanceof Error ? error.message : String(error);
    const reason = message.replace("Error compiling rules:\n", "").replaceAll("\n", " ");
    throw new LaunchError(`${rulesPath} does not parse: ${reason}`, { cause: error });
  });
}

async function exportData(
  folder: string,
  projectId: string,
  authHost: string | undefined,
  firestoreHost: string | undefined,
): Promise<void> {
  await mkdir(join(folder, dirname(EXPORT.accounts)), { recursive: true, mode: 0o700 });
  const write = async (name: string, json: unknown) =>
    writeFile(join(folder, name), JSON.stringify(json), { mode: 0o600 });
  const version = FIREBASE_TOOLS.replace(/.*@/, "");
  const metadata: Record<string, unknown> = { version };
  if (authHost !== undefined) {
    await write(EXPORT.accounts, await send("GET", toAccountsUrl(authHost, projectId, "batchGet")));
    await write(
      EXPORT.config,
      await send("GET", `http://${authHost}/emulator/v1/projects/${projectId}/config`),
    );
    metadata.auth = { version, path: dirname(EXPORT.accounts) };
  }
  if (firestoreHost !== undefined) {
    await send("POST", `http://${firestoreHost}/emulator/v1/projects/${projectId}:export`, {
      database: `projects/${projectId}/databases/(default)`,
      export_directory: folder,
      export_name: EXPORT.firestore,
    });
    const { firestore: path, firestoreMetadata } = EXPORT;
    metadata.firestore = { version, path, metadata_file: firestoreMetadata };
  }
  await write(EXPORT.metadata, metadata);
}

async function importData(
  folder: string,
  projectId: string,
  authHost: string | undefined,
  firestoreHost: string | undefined,
): Promise<void> {
  if (authHost !== undefined) {
    const { users } = accountsSchema.parse(await readJson(join(folder, EXPORT.accounts)));
    // The emulator rejects an empty list.
    if (users.length > 0) {
      await send("POST", toAccountsUrl(authHost, projectId, "batchCreate"), { users });
    }
    // To the emulator, sessions from before the import have ended.
    for (const { localId, validSince = "0" } of users) {
      await send("POST", toAccountsUrl(authHost, projectId, "update"), { localId, validSince });
    }
  }
  if (firestoreHost !== undefined) {
    await send("POST", `http://${firestoreHost}/emulator/v1/projects/${projectId}:import`, {
      database: `projects/${projectId}/databases/(default)`,
      export_directory: join(folder, EXPORT.firestoreMetadata),
    });
  }
}

function toAccountsUrl(host: string, projectId: string, method: string): string {
  const parameters = method === "batchGet" ? "?maxResults=-1" : "";
  return `http://${host}/identitytoolkit.googleapis.com/v1/projects/${projectId}/accounts:${method}${parameters}`;
}

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

async function send(method: string, url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    method,
    headers: { Authorization: "Bearer owner", "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const json: unknown = await response.json();
  if (response.ok) return json;
  throw new Error(errorSchema.safeParse(json).data?.error.message ?? `${url}: ${response.status}`);
}
