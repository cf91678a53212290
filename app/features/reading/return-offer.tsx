import { MessageBanner } from "#app/components/message-banner.tsx";
import styles from "./further-offer.module.css";
import type { PlaceView } from "./reading-view.ts";

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
