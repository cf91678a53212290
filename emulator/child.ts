import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const STOP_TIMEOUT_MS = 5_000;

/** A signal sent before the program has installed its handler is lost: fireemu misses about one in a thousand. */
const SIGTERM_RETRY_MS = 300;

/**
 * Runs a command in a process group, and ends the whole group when the command ends or when standard input closes. The
 * input closes however the parent ends, even by SIGKILL, so no server outlives its launcher.
 */
const GUARD = `
exec 3<&0
trap : TERM INT HUP
"$@" </dev/null &
child=$!
(
  exec >/dev/null 2>&1
  read -r line <&3
  trap "" TERM
  kill -TERM 0
  sleep 3
  kill -KILL 0
) &
watch=$!
wait $child
code=$?
while kill -0 $child 2>/dev/null; do # a signal interrupted the wait
  wait $child
  code=$?
done
kill -KILL $watch 2>/dev/null
wait $watch 2>/dev/null
trap "" TERM # end the processes that the command has left running
kill -TERM 0
exit $code
`;

export interface ChildOptions {
  cwd?: string;
  env?: Record<string, string | undefined>;
  /** Called with every line of standard output. */
  onOutput?: (line: string) => void;
  /** Called with every line of standard error. */
  onError?: (line: string) => void;
}

/** A running command, in its own process group. */
export interface Child {
  /** Resolves when the command has ended: with its exit code, or `null` when a signal ended it. Never rejects. */
  exited: Promise<number | null>;
  hasExited(): boolean;
  /**
   * Ends the command and everything it started: SIGTERM first, SIGKILL after five seconds. Windows has no signals: there it
   * ends at once.
   */
  stop(): Promise<void>;
}

/**
 * Starts a command in its own process group. Ctrl-C then reaches only the launcher, which saves the data and stops its
 * servers in order.
 */
export function startChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Child {
  const isGuarded = process.platform !== "win32";
  const child = spawn(
    isGuarded ? "/bin/sh" : command,
    isGuarded ? ["-c", GUARD, "guard", command, ...args] : args,
    {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      // On Windows, it then has no console, which would pass it Ctrl-C.
      detached: true,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  let hasEnded = false;
  const exited = new Promise<number | null>((resolve) => {
    // "close" fires after the last line of output, "error" when the command cannot be started.
    child.once("close", (code) => resolve(code));
    child.once("error", (error) => {
      options.onError?.(error.message);
      resolve(127);
    });
  }).finally(() => {
    hasEnded = true;
  });
  child.stdin.on("error", () => {}); // The command may end before its input is closed.
  createInterface(child.stdout).on("line", (line) => options.onOutput?.(line));
  createInterface(child.stderr).on("line", (line) => options.onError?.(line));

  return {
    exited,
    hasExited: () => hasEnded,
    async stop() {
      if (hasEnded) return;
      const requestStop = () => signalGroup(child, "SIGTERM", isGuarded);
      requestStop();
      const retryTimer = setInterval(requestStop, SIGTERM_RETRY_MS);
      const killTimer = setTimeout(() => signalGroup(child, "SIGKILL", isGuarded), STOP_TIMEOUT_MS);
      await exited;
      clearInterval(retryTimer);
      clearTimeout(killTimer);
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals, isGuarded: boolean): void {
  if (child.pid === undefined) return;
  if (!isGuarded) {
    const taskkill = spawn("taskkill", ["/pid", String(child.pid), "/t", "/f"], {
      stdio: "ignore",
    });
    taskkill.on("error", () => child.kill());
    return;
  }
  try {
    process.kill(-child.pid, signal);
  } catch {
    // The last process of the group has already ended.
  }
}
