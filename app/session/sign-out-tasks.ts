import { wait } from "#app/http/wait.ts";

type Task = () => Promise<unknown>;

/** A user does not wait longer for the tasks. A request that has been sent may still arrive before the session ends. */
export const MAX_WAIT_MS = 3000;

const tasks = new Set<Task>();

/** Adds a task that is finished before the user signs out. Adding it again has no effect. */
export function addSignOutTask(task: Task): void {
  tasks.add(task);
}

/** Resolves once the tasks are finished or have failed, or after `MAX_WAIT_MS`. */
export async function runSignOutTasks(): Promise<void> {
  const finished = Promise.allSettled([...tasks].map((task) => task()));
  await Promise.race([finished, wait(MAX_WAIT_MS)]);
}
