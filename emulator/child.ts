import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";

const STOP_TIMEOUT_MS = 5_000;

/** A program loses a signal that comes just before it listens for one. fireemu does, once in some thousand starts. */
const ASK_AGAIN_MS = 300;

/**
 * Runs a command and ends it, with everything it started, when its standard input closes. That happens however the
 * parent ends, even by SIGKILL, so no server outlives the command that needed it. A command that ends by itself takes
 * along what it started.
 */
const GUARD = `
exec 3<&0
"$@" </dev/null &
child=$!
trap : TERM INT HUP
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
trap "" TERM # what the command has left behind ends with it
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

/** A running command in a process group of its own. */
export interface Child {
  /** Settles when the command has ended, with its exit code, or `null` when a signal ended it. Never rejects. */
  exited: Promise<number | null>;
  hasExited(): boolean;
  /** Ends the command and everything it started: politely first, by force after five seconds. */
  stop(): Promise<void>;
}

/**
 * Starts a command out of the terminal's reach: Ctrl-C goes to the launcher alone, which saves what there is to save
 * and then stops its servers in order.
 */
export function startChild(
  command: string,
  args: readonly string[],
  options: ChildOptions = {},
): Child {
  const guarded = process.platform !== "win32";
  const child = spawn(
    guarded ? "/bin/sh" : command,
    guarded ? ["-c", GUARD, "guard", command, ...args] : args,
    {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: guarded,
      stdio: ["pipe", "pipe", "pipe"],
    },
  );
  let ended = false;
  const exited = new Promise<number | null>((resolve) => {
    // "close" comes after the last line of output, "error" when the command could not be started at all.
    child.once("close", (code) => resolve(code));
    child.once("error", (error) => {
      options.onError?.(error.message);
      resolve(127);
    });
  }).finally(() => {
    ended = true;
  });
  child.stdin.on("error", () => {}); // The command may end before its input is closed.
  createInterface(child.stdout).on("line", (line) => options.onOutput?.(line));
  createInterface(child.stderr).on("line", (line) => options.onError?.(line));

  return {
    exited,
    hasExited: () => ended,
    async stop() {
      if (ended) return;
      const ask = () => signalGroup(child, "SIGTERM", guarded);
      ask();
      const asking = setInterval(ask, ASK_AGAIN_MS);
      const timer = setTimeout(() => signalGroup(child, "SIGKILL", guarded), STOP_TIMEOUT_MS);
      await exited;
      clearInterval(asking);
      clearTimeout(timer);
    },
  };
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals, guarded: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (guarded) process.kill(-child.pid, signal);
    else child.kill(signal);
  } catch {
    // The last process of the group ended in the meantime.
  }
}
