type Task = () => Promise<unknown>;

const tasks = new Set<Task>();

/** Adds a task that is finished before the user signs out. Adding it again has no effect. */
export function addSignOutTask(task: Task): void {
  tasks.add(task);
}

/** Resolves once the tasks are finished that need the session. */
export async function runSignOutTasks(): Promise<void> {
  await Promise.all([...tasks].map((task) => task()));
}
