import { access, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

import { startChild, type Child } from "./child.ts";
import { toDotEnv } from "./dev-vars.ts";
import { LaunchError } from "./launch-error.ts";
import { LOOPBACK, takePort } from "./ports.ts";
import { describeRequest } from "./request-line.ts";
import { createTemporaryFolder, removeFolder, useTemporaryFolder } from "./temporary-folder.ts";
import { WRANGLER_ENV } from "./wrangler-env.ts";

const WORKER_CONFIG = "wrangler.worker.toml";

/** Wrangler simulates a bucket of this name. */
export const PICTURES_BINDING = `
[[r2_buckets]]
binding = "PICTURES"
bucket_name = "inkglade-pictures"
`;

/** What the Worker's configuration says of production only: its address, buckets and variables. */
const PRODUCTION = /^(?:(?:routes|r2_buckets) = .*|\[vars\]\n(?:[^[\n].*\n|\n)*)/gm;

const START_TIMEOUT_MS = 60_000;
const RESPONSE_TIMEOUT_MS = 10_000;
const POLL_INTERVAL_MS = 50;

/** Long, because a busy server responds late. */
const SILENCE_TIMEOUT_MS = 60_000;
const CHECKS_WITHIN_TIMEOUT = 6;

/** On a busy machine wrangler forwards a log line seconds after the response. */
const LOG_TIMEOUT_MS = 5_000;
const MAX_SHOWN_RESPONSE_LENGTH = 1_000;

/** A Node.js option that loads our changes to wrangler. The path is quoted, because it may contain spaces. */
const HOOKS = `--require=${JSON.stringify(fileURLToPath(new URL("wrangler-hooks.cjs", import.meta.url)))}`;

export interface PagesOptions {
  port: number;
  /** All of `context.cloudflare.env`. Nothing is added from `.dev.vars` or the environment. */
  variables: Record<string, string>;
  /** A checkout with a build. @default the working directory */
  root?: string;
  /** Serves the build as a Worker with static assets instead (wrangler.worker.toml). */
  isWorker?: boolean;
  /** Where uploaded pictures are kept. @default for one run only */
  picturesFolder?: string | undefined;
  /** The script of a Worker that runs instead of `worker/index.ts`. */
  workerScript?: string;
  /** The port that debuggers and profilers connect to. @default a free port */
  inspectorPort?: number;
  /** Called with each line that the app logs as an error. */
  onError: (line: string) => void;
  /** Called with a description of each request. Without it, the app doesn't log requests. */
  onRequest?: (line: string) => void;
  /** Cancels the start. */
  signal?: AbortSignal;
  /** How long the server may not respond before it counts as dead. @default one minute */
  silenceTimeoutMs?: number;
}

/** A server of the production build. Disposing of it stops wrangler and workerd. */
export interface PagesServer extends AsyncDisposable {
  url: string;
  /** Resolves with the reason when the server stops unexpectedly. */
  died: Promise<LaunchError>;
}

/**
 * Serves the production build on workerd, as Cloudflare Pages does, and resolves when the app responds. It serves a
 * copy, so a later build does not affect it.
 *
 * @throws LaunchError when the port is in use, there is no build, or the app's first response is a server error
 */
export async function startPages(options: PagesOptions): Promise<PagesServer> {
  const advice = `Stop what uses it, or choose another: PORT=${options.port + 1} npm start.`;
  const freePort = await takePort(options.port, "the app", advice);
  await freePort();
  const folder = await createWorkingFolder(options);
  let child: Child | undefined;
  try {
    const log = new ServerLog(options);
    child = startWrangler(folder, options, log);
    const url = `http://${LOOPBACK}:${options.port}`;
    await waitForResponse(url, child, log, options.signal);
    return toPagesServer(url, child, folder, options.silenceTimeoutMs);
  } catch (error) {
    await child?.stop();
    await removeFolder(folder);
    throw error;
  }
}

function toPagesServer(
  url: string,
  child: Child,
  folder: string,
  silenceTimeoutMs: number | undefined,
): PagesServer {
  const watcher = watchResponsiveness(url, silenceTimeoutMs);
  return {
    url,
    died: Promise.race([
      child.exited.then(() => new LaunchError("The app's server stopped unexpectedly.")),
      watcher.unresponsive.then(() => new LaunchError("The app's server no longer responds.")),
    ]),
    async [Symbol.asyncDispose]() {
      watcher.stop();
      await child.stop();
      await removeFolder(folder);
    },
  };
}

/** Polls a small file, because a process that hangs still counts as running. */
function watchResponsiveness(url: string, silenceTimeoutMs = SILENCE_TIMEOUT_MS) {
  const controller = new AbortController();
  async function poll(): Promise<void> {
    let lastResponseAt = performance.now();
    while (performance.now() - lastResponseAt < silenceTimeoutMs) {
      await delay(silenceTimeoutMs / CHECKS_WITHIN_TIMEOUT, undefined, controller);
      const signal = AbortSignal.timeout(silenceTimeoutMs);
      const request = fetch(`${url}/favicon.svg`, { redirect: "manual", signal });
      const response = await request.catch(() => undefined);
      await response?.body?.cancel();
      if (response !== undefined) lastResponseAt = performance.now();
      controller.signal.throwIfAborted();
    }
  }
  return {
    /** Resolves when the server no longer responds, and never after `stop`. */
    unresponsive: poll().catch(() => new Promise<never>(() => {})),
    stop: () => controller.abort(),
  };
}

/** Wrangler reads its working directory. A separate one has no state of other servers and no secrets of the user. */
async function createWorkingFolder({
  root = ".",
  variables,
  isWorker = false,
  picturesFolder,
  onRequest,
}: PagesOptions): Promise<string> {
  await access(join(root, "build/server/index.js")).catch(() => {
    throw new LaunchError("There is no production build here. Run `npm run build` first.");
  });
  const folder = await createTemporaryFolder("pages");
  await mkdir(join(folder, "tmp"));
  const names = ["build", "functions", "package.json", "wrangler.toml"];
  if (isWorker) names.push("worker", WORKER_CONFIG);
  for (const name of names) {
    await cp(join(root, name), join(folder, name), { recursive: true });
  }
  const config = join(folder, isWorker ? WORKER_CONFIG : "wrangler.toml");
  const text = await readFile(config, "utf8");
  await writeFile(config, (isWorker ? text.replaceAll(PRODUCTION, "") : text) + PICTURES_BINDING);
  if (picturesFolder !== undefined) {
    // Where wrangler keeps buckets. Everything else that it stores is for one run only.
    await mkdir(join(folder, ".wrangler/state/v3"), { recursive: true });
    await mkdir(picturesFolder, { recursive: true, mode: 0o700 });
    await symlink(resolve(picturesFolder), join(folder, ".wrangler/state/v3/r2"), "junction");
  }
  await symlink(resolve(root, "node_modules"), join(folder, "node_modules"), "junction");
  await writeFile(
    join(folder, ".dev.vars"),
    toDotEnv({ REQUEST_LOG: onRequest ? "1" : "0", ...variables }),
    { mode: 0o600 },
  );
  return folder;
}

function startWrangler(
  folder: string,
  { port, isWorker = false, workerScript, inspectorPort = 0, onRequest }: PagesOptions,
  log: ServerLog,
): Child {
  const require = createRequire(import.meta.url);
  const wrangler = join(require.resolve("wrangler/package.json"), "../bin/wrangler.js");
  const args = isWorker ? ["dev", "--config", WORKER_CONFIG] : ["pages", "dev", "build/client"];
  args.push("--ip", LOOPBACK, "--port", String(port));
  args.push("--inspector-port", String(inspectorPort), "--show-interactive-dev-session=false");
  if (workerScript) args.push("--script", resolve(workerScript));
  return startChild(process.execPath, [wrangler, ...args], {
    cwd: folder,
    env: {
      ...WRANGLER_ENV,
      // Otherwise wrangler logs a line for each request.
      ...(!onRequest && { WRANGLER_LOG: "error" }),
      // Otherwise wrangler bundles React's development build.
      NODE_ENV: "production",
      NODE_OPTIONS: [process.env.NODE_OPTIONS, HOOKS].filter(Boolean).join(" "),
      // Removed with the folder, even if wrangler leaves files behind.
      ...useTemporaryFolder(join(folder, "tmp")),
      // Prevents wrangler from writing to the user's home folder.
      WRANGLER_LOG_PATH: join(folder, "logs"),
      XDG_CONFIG_HOME: join(folder, "config"),
    },
    onOutput: (line) => log.output(line),
    onError: (line) => log.error(line),
  });
}

/** Separates the app's errors from wrangler's own output, and stores both to explain a failed start. */
class ServerLog {
  readonly #onError: (line: string) => void;
  readonly #onRequest: (line: string) => void;
  readonly #output: string[] = [];
  readonly #errors: string[] = [];
  readonly #hasError: Promise<void>;
  #markError = () => {};
  #isStarting = true;
  #isError = false;

  constructor({ onError, onRequest = () => {} }: Pick<PagesOptions, "onError" | "onRequest">) {
    this.#onError = onError;
    this.#onRequest = onRequest;
    this.#hasError = new Promise((resolve) => {
      this.#markError = resolve;
    });
  }

  output(line: string): void {
    const text = stripVTControlCharacters(line);
    if (this.#isStarting) return void this.#output.push(text);
    const request = describeRequest(text);
    if (request !== undefined) this.#onRequest(request);
  }

  error(line: string): void {
    const text = stripVTControlCharacters(line);
    // Only the first line of a message has its symbol. Warnings come from the bundler and concern libraries.
    if (/^(✘|▲|🪵)/u.test(text)) this.#isError = text.startsWith("✘");
    if (text.trim() === "") return;
    if (!this.#isError) return this.output(text);

    const message = text.replace(/^✘ \[ERROR\] /, "");
    // workerd logs these two lines when a client disconnects before it has the response.
    if (/^kj::getCaughtException.+ disconnected: |^\s*stack: .+workerd@/.test(message)) return;
    if (!this.#isStarting) return this.#onError(message);
    this.#errors.push(message);
    this.#markError();
  }

  /** Reports the errors of the start. From then on, errors are reported at once. */
  endStartup(): void {
    this.#isStarting = false;
    for (const line of this.#errors) this.#onError(line);
  }

  /** Returns the app's errors; an empty string for none. Waits for the first, because wrangler prints it with a delay. */
  async errors(): Promise<string> {
    await Promise.race([this.#hasError, delay(LOG_TIMEOUT_MS)]);
    return this.#errors.join("\n");
  }

  all(): string {
    return [...this.#output, ...this.#errors].join("\n");
  }
}

async function waitForResponse(
  url: string,
  child: Child,
  log: ServerLog,
  cancelSignal: AbortSignal | undefined,
): Promise<void> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!child.hasExited() && Date.now() < deadline) {
    cancelSignal?.throwIfAborted();
    const timeout = AbortSignal.timeout(RESPONSE_TIMEOUT_MS);
    const signal = cancelSignal ? AbortSignal.any([cancelSignal, timeout]) : timeout;
    const response = await fetch(url, { redirect: "manual", signal }).catch(() => undefined);
    if (response === undefined) {
      await delay(POLL_INTERVAL_MS);
      continue;
    }
    const body = await response.text();
    // A 503 with Retry-After is the app's maintenance page.
    if (response.status < 500 || response.headers.has("Retry-After")) return log.endStartup();
    const reason = (await log.errors()) || body.slice(0, MAX_SHOWN_RESPONSE_LENGTH);
    throw new LaunchError(
      `The app responded with ${response.status} to the first request.\n${reason}`,
    );
  }
  const problem = child.hasExited() ? "ended" : "did not respond within a minute";
  throw new LaunchError(`The app's server ${problem}.\n${log.all()}`);
}
