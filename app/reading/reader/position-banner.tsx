import type { ReactNode } from "react";

import type { PositionView } from "#app/reading/reading-data.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./position-banner.module.css";

export interface PositionBannerProps {
  position: Pick<PositionView, "paragraph">;
  /** Called before the link leads to the position. */
  onFollow: (paragraph: string) => void;
  onDismiss: () => void;
  /** The words of the link. */
  children: ReactNode;
}

/** Offers another position in the story. Nothing moves until the user follows the link. */
export function PositionBanner({ position, onFollow, onDismiss, children }: PositionBannerProps) {
  const { paragraph } = position;
  return (
    <MessageBanner isDismissable onDismiss={onDismiss} className={styles.banner}>
      <a href={`#${paragraph}`} onClick={() => onFollow(paragraph)}>
        {children}
      </a>
    </MessageBanner>
  );
}
