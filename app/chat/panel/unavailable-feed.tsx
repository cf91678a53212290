import { useRevalidator } from "@remix-run/react";
import { useRef } from "react";

import { toRetryPath } from "#app/chat/room-address.ts";
import { ButtonLink } from "#app/ui/button-link.tsx";
import { Button } from "#app/ui/button.tsx";
import { useBrowserLayoutEffect } from "#app/ui/use-browser-layout-effect.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import styles from "./chat-panel.module.css";

export interface UnavailableFeedProps {
  /** The path of the page. */
  path: string;
  /** The id of the page's own form. Without scripts, following a link would lose what is typed there. */
  pageFormId: string | undefined;
  onRetry: () => void;
}

/** Shown instead of the messages while the room can't be reached. */
export function UnavailableFeed({ path, pageFormId, onRetry }: UnavailableFeedProps) {
  const isHydrated = useHydrated();
  const { state } = useRevalidator();
  const container = useRef<HTMLDivElement>(null);

  useBrowserLayoutEffect(() => {
    const element = container.current;
    return () => {
      // The focused button is about to disappear.
      if (!element?.contains(document.activeElement)) return;
      element.closest<HTMLElement>("[role=log]")?.focus({ preventScroll: true });
    };
  }, []);

  return (
    <div ref={container} className={styles.empty}>
      <p>We can't reach the room right now. Nothing was lost; try again in a moment.</p>
      {isHydrated ? (
        <Button variant="quiet" isPending={state !== "idle"} onPress={onRetry}>
          Try again
        </Button>
      ) : null}
      {!isHydrated && pageFormId === undefined ? (
        <ButtonLink variant="quiet" to={toRetryPath(path)} reloadDocument>
          Try again
        </ButtonLink>
      ) : null}
    </div>
  );
}
