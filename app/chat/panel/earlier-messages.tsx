import { useEffect, useRef } from "react";

import { toEarlierPath } from "#app/chat/room-address.ts";
import type { FeedState } from "#app/chat/use-feed.ts";
import { ButtonLink } from "#app/ui/button-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./feed.module.css";

export interface EarlierMessagesProps {
  feed: FeedState;
  /** The path of the page. */
  path: string;
  /** Called when the focused button disappears. */
  onEnd: () => void;
}

/** Loads 50 earlier messages above the others. Without scripts it is a link to a page with them. */
export function EarlierMessages({ feed, path, onEnd }: EarlierMessagesProps) {
  const isHydrated = useHydrated();
  const hasFocus = useRef(false);
  const { before, earlier } = feed;

  useEffect(() => {
    if (before !== null || !hasFocus.current) return;
    hasFocus.current = false;
    onEnd();
  }, [before, onEnd]);

  if (before === null) return null;

  return (
    <div className={styles.earlier}>
      {isHydrated ? (
        <Button
          variant="quiet"
          isPending={earlier === "loading"}
          onPress={() => void feed.loadEarlier()}
          onFocus={() => (hasFocus.current = true)}
          onBlur={() => (hasFocus.current = false)}
        >
          Show earlier messages
        </Button>
      ) : (
        <ButtonLink variant="quiet" to={toEarlierPath(path, before)}>
          Show earlier messages
        </ButtonLink>
      )}
      <output>
        {earlier === "failed" ? "We can't load earlier messages right now. Try again." : null}
      </output>
    </div>
  );
}
