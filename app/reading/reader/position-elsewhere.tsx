import type { Place } from "#app/reading/position.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./position-elsewhere.module.css";

export interface FurtherOfferProps {
  further: Place;
  /** Called before the link leads there. */
  onFollow: () => void;
  onDismiss: () => void;
}

/** Offers the place to which the reader has come on another device. Nothing moves before they follow. */
export function FurtherOffer({ further, onFollow, onDismiss }: FurtherOfferProps) {
  return (
    <MessageBanner isDismissable onDismiss={onDismiss} className={styles.offer}>
      <a href={`#${further.paragraph}`} onClick={onFollow}>
        You're further ahead on another device. Continue at {further.percent}%
      </a>
    </MessageBanner>
  );
}
