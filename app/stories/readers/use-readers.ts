import { useEffect, useState, type RefObject } from "react";

import type { ReaderCounts } from "./readers.ts";

/** How long to wait before the first request: everything else on the page is more urgent. */
const DELAY_MS = 1000;

/**
 * Returns how many people have each story open, and the numbers to order the stories by. The latter stay the same while the
 * user points at the stories or has the focus there, so that no story moves away under the pointer.
 */
export function useReaders(
  initial: ReaderCounts,
  stories: RefObject<HTMLElement>,
): { readers: ReaderCounts; order: ReaderCounts } {
  const [readers, setReaders] = useState(initial);
  const [order, setOrder] = useState(initial);

  useEffect(() => {
    function update(counts: ReaderCounts) {
      setReaders(counts);
      if (!stories.current?.matches(":hover, :focus-within")) setOrder(counts);
    }

    const controller = new AbortController();
    const timer = setTimeout(() => {
      // If loading fails, the page shows the server's numbers.
      import("./readers.client.ts").then(
        ({ watchReaders }) => watchReaders(update, controller.signal),
        () => undefined,
      );
    }, DELAY_MS);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, [stories]);

  return { readers, order };
}
