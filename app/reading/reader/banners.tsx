import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import type { PositionView } from "#app/reading/reading-data.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./banners.module.css";

export interface PositionBannerProps {
  position: Pick<PositionView, "paragraph">;
  /** Called before the browser follows the link. */
  onFollow: (paragraph: string) => void;
  onDismiss: () => void;
  /** The link's text. */
  children: ReactNode;
}

/** Offers another position in the story as a link. */
export function PositionBanner({ position, onFollow, onDismiss, children }: PositionBannerProps) {
  const { paragraph } = position;
  return (
    <MessageBanner isDismissable onDismiss={onDismiss} className={styles.banner}>
      <Link to={`#${paragraph}`} onClick={() => onFollow(paragraph)}>
        {children}
      </Link>
    </MessageBanner>
  );
}

/** Offers a new version of the text that differs from what the user sees. */
export function UpdateBanner({ onShow }: { onShow: () => void }) {
  return (
    <MessageBanner className={styles.banner}>
      Updated.{" "}
      <button type="button" onClick={onShow}>
        Show the changes
      </button>
    </MessageBanner>
  );
}
