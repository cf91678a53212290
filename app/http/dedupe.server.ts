/** For requests that were on their way while the answer was. */
const KEPT_MS = 30_000;

interface SharedCall<T> {
  result: Promise<T>;
  /** Milliseconds since the Unix epoch. */
  startedAt: number;
}

interface Sharing {
  /** How long a caller waits. The call goes on, for those who come later. */
  patienceMs: number;
  /** What a caller who has waited too long is told. */
  onImpatience: () => Error;
  now: () => number;
}

/**
 * Lets everybody who asks the same at the same time, and for half a minute after, share one call and its result. A
 * failure is shared by those who waited for it; whoever comes later tries again.
 *
 * Requests of one isolate share it as well. One whose visitor leaves takes its calls along, so nobody waits longer
 * than `patienceMs` for another's call, and nobody joins one that is older than that and has no result.
 */
export function shareCalls<T>(
  call: (key: string) => Promise<T>,
  { patienceMs, onImpatience, now }: Sharing,
): (key: string) => Promise<T> {
  // In the order in which they began.
  const calls = new Map<string, SharedCall<T>>();
  const settled = new WeakSet<SharedCall<T>>();

  function isOver(shared: SharedCall<T>): boolean {
    const age = now() - shared.startedAt;
    return age >= (settled.has(shared) ? KEPT_MS : patienceMs);
  }

  function start(key: string): SharedCall<T> {
    for (const [old, shared] of calls) if (isOver(shared)) calls.delete(old);
    const shared = { result: call(key), startedAt: now() };
    calls.set(key, shared);
    shared.result.then(
      () => settled.add(shared),
      () => {
        if (calls.get(key) === shared) calls.delete(key);
      },
    );
    return shared;
  }

  return (key) => {
    const known = calls.get(key);
    const shared = known && !isOver(known) ? known : start(key);
    return waitFor(shared.result, patienceMs, onImpatience);
  };
}

async function waitFor<T>(result: Promise<T>, ms: number, onImpatience: () => Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const impatience = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(onImpatience()), ms);
  });
  try {
    return await Promise.race([result, impatience]);
  } finally {
    clearTimeout(timer);
  }
}
