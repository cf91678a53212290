/** The channel on which each tab posts the uid of the user it shows, or `null`. */
export const SESSION_CHANNEL = "session";

/**
 * Opens a channel between the tabs of this browser; `null` when the browser has no `BroadcastChannel`, or blocks it
 * together with storage.
 */
export function openChannel(name: string): BroadcastChannel | null {
  try {
    return new BroadcastChannel(name);
  } catch {
    return null;
  }
}

/**
 * Runs a task while no other tab of this browser runs one with the same name. Does not wait where the browser has no Web
 * Locks API, or denies it.
 *
 * @throws what the task throws
 */
export async function withLock(name: string, task: () => Promise<void>): Promise<void> {
  let isStarted = false;
  try {
    await navigator.locks.request(name, () => {
      isStarted = true;
      return task();
    });
  } catch (error) {
    if (isStarted) throw error;
    await task();
  }
}
