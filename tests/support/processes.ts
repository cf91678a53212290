import { execFileSync } from "node:child_process";

/** Returns whether the process runs. A zombie does not. */
export function isRunning(pid: number): boolean {
  return listProcesses().some((process) => process.pid === pid);
}

/** Returns all descendants of a process as `[program, process id]`. */
export function listDescendants(pid: number): [string, number][] {
  const children = listProcesses().filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [[child.program, child.pid], ...listDescendants(child.pid)]);
}

function listProcesses() {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,stat=,comm="], { encoding: "utf8" });
  return text.split("\n").flatMap((line) => {
    const [, pid, parent, state, program] = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (program === undefined || state?.startsWith("Z")) return [];
    return [{ pid: Number(pid), parent: Number(parent), program }];
  });
}
