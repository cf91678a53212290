import { access, cp, mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { stripVTControlCharacters } from "node:util";

import { startChild, type Child } from "./child.ts";
import { toDotEnv } from "./dev-vars.ts";
import { LaunchError } from "./launch-error.ts";
import { LOOPBACK, requireFreePort } from "./ports.ts";
import { makeTemporaryFolder, removeFolder } from "./temporary-folder.ts";
import { WRANGLER_ENV } from "./wrangler-env.ts";

const START_TIMEOUT_MS = 60_000;
const ANSWER_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

/** A server that works hard may take its time. */
const SILENCE_TIMEOUT_MS = 60_000;
const CHECKS_WITHIN_TIMEOUT = 6;

const LOG_TIMEOUT_MS = 1_000;
const SHOWN_ANSWER_LENGTH = 1_000;

/**
 * Wrangler goes on when workerd, which runs the app, has died: every request hangs from then on. Loaded into wrangler,
 * this ends it as well, unless it was wrangler that ended workerd.
 */
const WATCH_WORKERD = `--import=data:text/javascript,${encodeURIComponent(`
import childProcess from "node:child_process";
import { syncBuiltinESMExports } from "node:module";
const { spawn } = childProcess;
childProcess.spawn = (command, ...rest) => {
  const child = spawn(command, ...rest);
  if (/workerd/.test(command)) child.once("exit", () => child.killed || process.exit(1));
  return child;
};
syncBuiltinESMExports();
`)}`;

export interface PagesOptions {
  port: number;
  /** What the app finds in `context.cloudflare.env`. Nothing is added from `.dev.vars` or the environment. */
  variables: Record<string, string>;
  /** The checkout, built. @default the working directory */
  root?: string;
  /** Called with each line the app logs as an error. */
  onError: (line: string) => void;
  /** Gives up starting when aborted. */
  stop?: AbortSignal;
  /** How long the server may be silent before it counts as dead. @default a minute */
  patienceMs?: number;
}

/** The production build, served. Disposing of it stops everything wrangler started. */
export interface PagesServer extends AsyncDisposable {
  url: string;
  /** Resolves with the reason when the server ends without being asked to. */
  died: Promise<LaunchError>;
}

/**
 * Serves the production build on workerd, as Cloudflare Pages does, and resolves when the app answers. It works on a
 * copy: building again does not disturb it.
 *
 * @throws LaunchError when there is no build, the port is in use, or the app's first answer is a server error
 */
export async function startPages(options: PagesOptions): Promise<PagesServer> {
  const advice = `Stop what uses it, or choose another: PORT=${options.port + 1} npm start.`;
  await requireFreePort(options.port, "the app", advice);
  const stage = await prepareStage(options);
  let child: Child | undefined;
  try {
    const log = new ServerLog(options.onError);
    child = startWrangler(stage, options.port, log);
    const url = `http://${LOOPBACK}:${options.port}`;
    await waitForAnswer(url, child, log, options.stop);
    return toPagesServer(url, child, stage, options.patienceMs);
  } catch (error) {
    await child?.stop();
    await removeFolder(stage);
    throw error;
  }
}

function toPagesServer(
  url: string,
  child: Child,
  stage: string,
  patienceMs: number | undefined,
): PagesServer {
  const watch = watchForSilence(url, patienceMs);
  return {
    url,
    died: Promise.race([
      child.exited.then(() => new LaunchError("The app's server stopped unexpectedly.")),
      watch.silent.then(() => new LaunchError("The app's server no longer responds.")),
    ]),
    async [Symbol.asyncDispose]() {
      watch.stop();
      await child.stop();
      await removeFolder(stage);
    },
  };
}

/** A server that hangs is alive to the system, so it is asked for something small again and again. */
function watchForSilence(url: string, patienceMs = SILENCE_TIMEOUT_MS) {
  const stopping = new AbortController();
  async function ask(): Promise<void> {
    let heardAt = performance.now();
    while (performance.now() - heardAt < patienceMs) {
      await delay(patienceMs / CHECKS_WITHIN_TIMEOUT, undefined, stopping);
      const signal = AbortSignal.timeout(patienceMs);
      const asking = fetch(`${url}/robots.txt`, { redirect: "manual", signal });
      const response = await asking.catch(() => undefined);
      await response?.body?.cancel();
      if (response !== undefined) heardAt = performance.now();
      stopping.signal.throwIfAborted();
    }
  }
  return {
    /** Never resolves once it is stopped. */
    silent: ask().catch(() => new Promise<never>(() => {})),
    stop: () => stopping.abort(),
  };
}

/** Wrangler reads its working directory. In one of its own, two servers do not share state, nor a person's secrets. */
async function prepareStage({ root = ".", variables }: PagesOptions): Promise<string> {
  await access(join(root, "build/server/index.js")).catch(() => {
    throw new LaunchError("There is no production build here. Run `npm run build` first.");
  });
  const stage = await makeTemporaryFolder("pages");
  await mkdir(join(stage, "tmp"));
  for (const name of ["build", "functions", "package.json", "wrangler.toml"]) {
    await cp(join(root, name), join(stage, name), { recursive: true });
  }
  await symlink(resolve(root, "node_modules"), join(stage, "node_modules"), "junction");
  await writeFile(join(stage, ".dev.vars"), toDotEnv(variables), { mode: 0o600 });
  return stage;
}

function startWrangler(stage: string, port: number, log: ServerLog): Child {
  const require = createRequire(import.meta.url);
  const wrangler = join(require.resolve("wrangler/package.json"), "../bin/wrangler.js");
  const args = ["pages", "dev", "build/client", "--ip", LOOPBACK, "--port", String(port)];
  args.push("--inspector-port", "0", "--show-interactive-dev-session=false");
  return startChild(process.execPath, [wrangler, ...args], {
    cwd: stage,
    env: {
      ...WRANGLER_ENV,
      // Wrangler would bundle React's development build, which Cloudflare does not.
      NODE_ENV: "production",
      NODE_OPTIONS: [process.env.NODE_OPTIONS, WATCH_WORKERD].filter(Boolean).join(" "),
      // Goes with the stage, whatever is left in it.
      TMPDIR: join(stage, "tmp"),
      // Nothing is written to the person's home.
      WRANGLER_LOG_PATH: join(stage, "logs"),
      XDG_CONFIG_HOME: join(stage, "config"),
    },
    onOutput: (line) => log.output(line),
    onError: (line) => log.error(line),
  });
}

/** Sorts the app's errors from wrangler's chatter, and keeps both to explain a failed start. */
class ServerLog {
  readonly #pass: (line: string) => void;
  readonly #chatter: string[] = [];
  readonly #errors: string[] = [];
  readonly #hasError: Promise<void>;
  #noteError = () => {};
  #isStarting = true;
  #isError = false;

  constructor(pass: (line: string) => void) {
    this.#pass = pass;
    this.#hasError = new Promise((resolve) => {
      this.#noteError = resolve;
    });
  }

  output(line: string): void {
    if (this.#isStarting) this.#chatter.push(stripVTControlCharacters(line));
  }

  error(line: string): void {
    const text = stripVTControlCharacters(line);
    // The lines of a message follow its mark. Warnings are the bundler's, about the libraries in the build.
    if (/^(✘|▲|🪵)/u.test(text)) this.#isError = text.startsWith("✘");
    if (text.trim() === "") return;
    if (!this.#isError) return this.output(text);

    const message = text.replace(/^✘ \[ERROR\] /, "");
    // Somebody left before the answer was written: workerd's news, in two lines, and no fault of the app's.
    if (/^kj::getCaughtException.+ disconnected: |^\s*stack: .+workerd@/.test(message)) return;
    if (!this.#isStarting) return this.#pass(message);
    this.#errors.push(message);
    this.#noteError();
  }

  /** Passes errors on from now on, and those of the start. */
  endStart(): void {
    this.#isStarting = false;
    for (const line of this.#errors) this.#pass(line);
  }

  /** Returns what the app logged, which wrangler hands on a little late. Empty when it logs nothing. */
  async errors(): Promise<string> {
    await Promise.race([this.#hasError, delay(LOG_TIMEOUT_MS)]);
    return this.#errors.join("\n");
  }

  everything(): string {
    return [...this.#chatter, ...this.#errors].join("\n");
  }
}

async function waitForAnswer(
  url: string,
  child: Child,
  log: ServerLog,
  stop: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    stop?.throwIfAborted();
    const patience = AbortSignal.timeout(ANSWER_TIMEOUT_MS);
    const signal = stop ? AbortSignal.any([stop, patience]) : patience;
    const response = await fetch(url, { redirect: "manual", signal }).catch(() => undefined);
    if (response === undefined) {
      await delay(POLL_INTERVAL_MS);
      continue;
    }
    const answer = await response.text();
    // Under maintenance 503 is what the app should answer.
    if (response.status < 500 || response.headers.has("Retry-After")) return log.endStart();
    const why = (await log.errors()) || answer.slice(0, SHOWN_ANSWER_LENGTH);
    throw new LaunchError(`The app answered ${response.status} to the first request.\n${why}`);
  }
  const what = child.hasExited() ? "ended" : "did not answer within a minute";
  throw new LaunchError(`The app's server ${what}.\n${log.everything()}`);
}
