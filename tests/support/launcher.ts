import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";

import { findFreePort } from "#emulator/ports.ts";
import { listDescendants } from "./processes.ts";

const COPIED = [
  "database.rules.json",
  "firestore.indexes.json",
  "firestore.rules",
  "package.json",
  "wrangler.toml",
];

const SMALL_APP = {
  "vite.config.ts": `
    import { vitePlugin as remix } from "@remix-run/dev";
    export default { plugins: [remix({ future: { v3_singleFetch: true } })] };`,
  "app/root.tsx": `
    import { Outlet } from "@remix-run/react";
    export default function App() { return <html><body><Outlet /></body></html>; }`,
  // Without this file, Remix adds a package to package.json and installs the package.
  "app/entry.server.tsx": "export default () => new Response();",
  "functions/[[path]].ts": "export const onRequest = ({ env }) => Response.json(env);",
};

/** A checkout in a new folder of the home directory, with a local Firebase on free ports. */
export interface Checkout extends AsyncDisposable {
  folder: string;
  ports: { auth: number; firestore: number; database: number };
  write(path: string, text: string): Promise<void>;
  /** Adds an app that responds to every request with its environment variables. */
  writeApp(): Promise<void>;
  /** Runs the program of `npm run emulators` in the folder. */
  launch(env?: Record<string, string>, options?: LaunchOptions): Launcher;
}

export interface LaunchOptions {
  /** Runs the program of `npm start`, and not of `npm run emulators`. */
  isWholeApp?: boolean;
  /** What follows the program on the command line. */
  args?: string[];
  /** Runs the program in a shell, as npm does. `pid` is then the process id of the shell. */
  inShell?: boolean;
}

/** Copies the files that the launcher reads. Its own code is linked, so that tsx compiles it only once. */
export async function createCheckout(): Promise<Checkout> {
  const folder = await mkdtemp(join(homedir(), ".launcher-test-"));
  await Promise.all(COPIED.map((name) => cp(name, join(folder, name), { recursive: true })));
  await Promise.all(
    ["emulator", "node_modules"].map((name) =>
      symlink(resolve(name), join(folder, name), "junction"),
    ),
  );
  const [auth, firestore, database] = [
    await findFreePort(),
    await findFreePort(),
    await findFreePort(),
  ];
  const write = (path: string, text: string) => writeFile(join(folder, path), text);
  await write(
    "firebase.json",
    JSON.stringify({
      firestore: { rules: "firestore.rules", indexes: "firestore.indexes.json" },
      database: { rules: "database.rules.json" },
      emulators: {
        auth: { port: auth },
        firestore: { port: firestore },
        database: { port: database },
      },
    }),
  );
  return {
    folder,
    ports: { auth, firestore, database },
    write,
    async writeApp() {
      await mkdir(join(folder, "app"));
      await mkdir(join(folder, "functions"));
      await Promise.all(Object.entries(SMALL_APP).map(([path, text]) => write(path, text)));
    },
    launch: (env = {}, options = {}) => new Launcher(folder, env, options),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A running launcher, as in a terminal. Disposing of it stops it. */
class Launcher implements AsyncDisposable {
  readonly pid: number;
  /** The exit code, or `null` after SIGKILL. */
  readonly exited: Promise<number | null>;
  /** Everything printed so far. */
  output = "";
  readonly #waiting = new Set<() => void>();
  #hasExited = false;

  constructor(cwd: string, env: Record<string, string>, options: LaunchOptions) {
    const { args: launchArgs = [], inShell = false, isWholeApp = false } = options;
    const command = [
      process.execPath,
      "--import",
      "tsx",
      `emulator/${isWholeApp ? "start" : "emulators"}.ts`,
      ...launchArgs,
    ];
    // The second command prevents the shell from replacing itself with the first.
    if (inShell) command.unshift("sh", "-c", '"$@"; exit $?', "sh");
    const [program = "", ...args] = command;
    const child = spawn(program, args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    for (const stream of [child.stdout, child.stderr]) {
      createInterface(stream).on("line", (line) => this.#read(line));
    }
    if (child.pid === undefined) throw new Error("Expected the launcher to start");
    this.pid = child.pid;
    this.exited = once(child, "close").then(([code]: (number | null)[]) => {
      this.#hasExited = true;
      for (const wake of this.#waiting) wake();
      return code ?? null;
    });
  }

  /** Resolves when the address of every server is printed. */
  ready(): Promise<void> {
    return this.#printing(/^(GOOGLE_EMULATOR_HOST=|Ready: )/m);
  }

  /** Resolves when the sentence is printed. */
  printed(sentence: string): Promise<void> {
    return this.#printing(sentence);
  }

  async #printing(what: RegExp | string): Promise<void> {
    while (this.output.search(what) < 0) {
      if (this.#hasExited) throw new Error(`The launcher ended:\n${this.output}`);
      await new Promise<void>((resolve) => this.#waiting.add(resolve));
    }
  }

  /** Sends a signal and returns the exit code. */
  async end(signal: NodeJS.Signals): Promise<number | null> {
    process.kill(this.pid, signal);
    return await this.exited;
  }

  /** Ends it and everything it has started at once, as when memory is short. Returns the time of the kill. */
  async killEverything(): Promise<number> {
    const processes = [this.pid, ...listDescendants(this.pid).map(([, pid]) => pid)];
    const killedAt = Date.now();
    for (const pid of processes) {
      try {
        process.kill(pid, "SIGKILL");
      } catch {
        // A program that writes an export has ended in the meantime.
      }
    }
    await this.exited;
    return killedAt;
  }

  /** Returns all descendant processes as `program → process id`. */
  processes(): Map<string, number> {
    return new Map(listDescendants(this.pid));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#hasExited) await this.end("SIGTERM");
  }

  #read(line: string): void {
    this.output += `${line}\n`;
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
