import { useEffect, useState } from "react";

import type { ReaderCounts } from "./readers.ts";

/** How long to wait before the first request: everything else on the page is more urgent. */
const DELAY_MS = 1000;

/**
 * Returns how many people have each story open.
 *
 * @returns `first`: the server's numbers, which don't change. `now`: newer ones.
 */
export function useReaders(initial: ReaderCounts): { first: ReaderCounts; now: ReaderCounts } {
  const [first] = useState(initial);
  const [now, setNow] = useState(initial);

  useEffect(() => {
    const controller = new AbortController();
    const timer = setTimeout(() => {
      // If loading fails, the page shows the server's numbers.
      import("./readers.client.ts").then(
        ({ watchReaders }) => watchReaders(setNow, controller.signal),
        () => undefined,
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, []);

  return { first, now };
}
