import { Form, useFetcher } from "@remix-run/react";
import { useSyncExternalStore } from "react";

import { AppealFields, APPEAL_PATH } from "#app/chat/appeal/appeal-fields.tsx";
import { describeMute, formatReason, type Mute } from "#app/chat/moderation/mute.ts";
import type { ComposerInput, Outbox } from "#app/chat/outbox/outbox.ts";
import type { ActionResult } from "#app/session/action-result.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { Link } from "#app/ui/link.tsx";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import styles from "./muted-notice.module.css";
import { TextArea } from "./report-fields.tsx";

export interface MutedNoticeProps {
  mute: Mute;
  /** Whether the user has asked to post again. */
  hasAsked: boolean;
  uid: string;
  /** The path of the page. */
  path: string;
  /** Has the text that the user has typed and cannot send. */
  outbox: Outbox;
  /** The content until something is typed on this page. */
  initial: ComposerInput;
  locale: Locale;
  /** Milliseconds since the Unix epoch. */
  now: number;
}

/** Says in the place of the composer that the user is muted, with a form to ask once to post again. */
export function MutedNotice({
  mute,
  hasAsked,
  uid,
  path,
  outbox,
  initial,
  locale,
  now,
}: MutedNoticeProps) {
  // A longer mute removes what was asked, but not what is being typed.
  const key = String(mute.until);
  const fetcher = useFetcher<ActionResult | Offline>({ key });
  const typed = useSyncExternalStore(
    outbox.subscribe,
    () => outbox.getState().input,
    () => null,
  );
  const { text } = typed ?? initial;
  const details = useFocusAfterRemoval<HTMLDetailsElement>();
  const error = findFormError(fetcher.data);
  const isSent = hasAsked || (fetcher.data !== undefined && error === undefined);
  return (
    <div className={styles.notice}>
      <output>
        {/* Server and browser may format a time differently. */}
        <span className={styles.until} suppressHydrationWarning>
          {describeMute(mute, locale, now)}
        </span>
        <span className={styles.reason}>
          Reason: <Bdi>{formatReason(mute.reason)}</Bdi> You can still read the room and every
          story. <Link to="/how-the-room-works">How the room works</Link>
        </span>
        {isSent ? (
          <span className={styles.reason}>You've asked to post again. Our team will read it.</span>
        ) : null}
      </output>
      {text ? <TextArea label="What you typed" readOnly value={text} /> : null}
      {isSent ? null : (
        <details ref={details} className={styles.details}>
          <summary>Ask to post again</summary>
          {/* Not the fetcher's, which is another component for each key. */}
          <Form
            navigate={false}
            fetcherKey={key}
            method="post"
            action={APPEAL_PATH}
            className={styles.form}
          >
            <AppealFields uid={uid} returnTo={`${path}#room`} />
            {error ? <p role="alert">{error}</p> : null}
            <Button type="submit" variant="quiet" isPending={fetcher.state !== "idle"}>
              Ask
            </Button>
          </Form>
        </details>
      )}
    </div>
  );
}
