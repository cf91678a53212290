import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";

/**
 * Returns the CPU time of the workerd that runs the app at `url`, in milliseconds. Linux only: reads `/proc`. Only one
 * app may run.
 */
export async function readCpuTime(url: string): Promise<number> {
  const lines = execFileSync("ps", ["-A", "-o", "pid=,ppid=,args="], { encoding: "utf8" });
  const parents = new Map<number, number>();
  const workers: number[] = [];
  for (const line of lines.split("\n")) {
    const [pid, parent, ...command] = line.trim().split(/\s+/);
    parents.set(Number(pid), Number(parent));
    // The workerd at the app's address is only a proxy for the one that runs the app.
    const isProxy = command.some((word) => word.endsWith(`:${new URL(url).port}`));
    if (command[0]?.endsWith("workerd") && !isProxy) workers.push(Number(pid));
  }
  const isOurs = (pid: number | undefined): boolean =>
    pid !== undefined && (pid === process.pid || isOurs(parents.get(pid)));
  const stats = workers.filter(isOurs).map((pid) => readFile(`/proc/${pid}/stat`, "utf8"));
  // The 12th and 13th fields after the name in parentheses are user and system time, in ticks of 10 ms; see proc(5).
  return (await Promise.all(stats)).reduce((total, stat) => {
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return total + (Number(fields[11]) + Number(fields[12])) * 10;
  }, 0);
}
