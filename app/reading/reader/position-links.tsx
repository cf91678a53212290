import { Link } from "@remix-run/react";
import type { ReactNode } from "react";

import type { PositionView } from "#app/reading/reading-data.ts";
import { isInProgress } from "#app/stories/positions/position.ts";
import { InlineScript } from "#app/ui/inline-script.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import styles from "./reader.module.css";

interface PositionLinksProps {
  saved: PositionView | null;
  other: PositionView | null;
  /** Called before the browser follows a link. */
  onFollow: (paragraph: string) => void;
}

/** Links to positions in the text. They also work without scripts. */
export function PositionLinks({ saved, other, onFollow }: PositionLinksProps) {
  const isStarted = isInProgress(saved);
  if (!isStarted && !other) return null;
  return (
    <p className={styles.positions}>
      {isStarted ? (
        <Link to={`#${saved.paragraph}`} onClick={() => onFollow(saved.paragraph)}>
          Continue at {saved.percent}%
        </Link>
      ) : null}
      {other ? (
        <Link to={`#${other.paragraph}`} onClick={() => onFollow(other.paragraph)}>
          {other.percent > (saved?.percent ?? 0)
            ? `Go to your furthest reading position (${other.percent}%)`
            : `Go back to ${other.percent}%, your reading position on another device`}
        </Link>
      ) : null}
    </p>
  );
}

interface PositionBannerProps {
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

/** The link back from a passage that the user has looked up, without scripts. */
export function ReturnLink({ position }: { position: PositionView | null }) {
  if (!isInProgress(position)) return null;
  return (
    <noscript>
      <p className={styles.returnLink}>
        <a href={`#${position.paragraph}`}>Back to where you were ({position.percent}%)</a>
      </p>
    </noscript>
  );
}

/** Runs before hydration, so that the first paint shows the position. Its paragraph is in a data attribute. */
const RESUME = import.meta.env.SSR
  ? `(function (id) {
  var hash = location.hash.slice(1);
  var isAtPassage = /^(p-|end$)/.test(hash) && document.getElementById(hash);
  var paragraph = !isAtPassage && id && document.getElementById(id);
  if (paragraph) paragraph.scrollIntoView();
})(document.currentScript.dataset.paragraph);`
  : "";

export function ResumeScript({ position }: { position: PositionView | null }) {
  return (
    <InlineScript code={RESUME} paragraph={isInProgress(position) ? position.paragraph : ""} />
  );
}
