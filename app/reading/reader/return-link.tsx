import type { PlaceView } from "#app/reading/reading-data.ts";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./position-elsewhere.module.css";

export interface ReturnOfferProps {
  place: PlaceView;
  onFollow: () => void;
  onDismiss: () => void;
}

/** Offers the way back to somebody who has looked up a passage elsewhere in the story. */
export function ReturnOffer({ place, onFollow, onDismiss }: ReturnOfferProps) {
  return (
    <MessageBanner isDismissable onDismiss={onDismiss} className={styles.offer}>
      <a href={`#${place.paragraph}`} onClick={onFollow}>
        Back to where you were ({place.percent}%)
      </a>
    </MessageBanner>
  );
}
