import { useEffect, useRef, useState } from "react";

import { createArrivalFinder, describeArrivals } from "#app/chat/arrivals.ts";
import type { Feed } from "#app/chat/use-feed.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

/** Screen readers have read them by then. Users who move through the page would find the messages twice. */
const REMOVE_AFTER_MS = 10_000;

export interface ArrivalAnnouncerProps {
  feed: Pick<Feed, "messages" | "status">;
  /** The people whose messages are not announced. */
  hiddenUids: ReadonlySet<string>;
  locale: Locale;
}

/**
 * Announces each message that arrives once: "name, text, time". The feed itself is not a live region: screen readers would
 * announce it when it is rendered again, and what is added above it.
 */
export function ArrivalAnnouncer({ feed, hiddenUids, locale }: ArrivalAnnouncerProps) {
  const { messages, status } = feed;
  const [findArrivals] = useState(createArrivalFinder);
  const [lines, setLines] = useState<{ id: number; text: string }[]>([]);
  const lastId = useRef(0);

  useEffect(() => {
    const arrivals = findArrivals(messages, status).filter(({ uid }) => !hiddenUids.has(uid));
    if (arrivals.length === 0) return;
    const added = describeArrivals(arrivals, locale).map((text) => {
      lastId.current += 1;
      return { id: lastId.current, text };
    });
    setLines((shown) => [...shown, ...added]);
  }, [findArrivals, messages, status, hiddenUids, locale]);

  useEffect(() => {
    const last = lines.at(-1);
    if (!last) return undefined;
    const timer = setTimeout(
      () => setLines((shown) => shown.filter(({ id }) => id > last.id)),
      REMOVE_AFTER_MS,
    );
    return () => clearTimeout(timer);
  }, [lines]);

  return (
    <VisuallyHidden aria-live="polite" aria-relevant="additions" data-arrivals>
      {lines.map(({ id, text }) => (
        <span key={id}>{text} </span>
      ))}
    </VisuallyHidden>
  );
}
