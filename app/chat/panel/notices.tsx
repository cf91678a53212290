import { Form, useFetcher, useRevalidator } from "@remix-run/react";
import {
  useId,
  useRef,
  useState,
  useSyncExternalStore,
  type FormEvent,
  type ReactNode,
} from "react";
import { flushSync } from "react-dom";

import { APPEAL_PATH, AppealFields } from "#app/chat/appeal/appeal.tsx";
import type { Notice } from "#app/chat/message-actions.ts";
import { DONE_NOTICES } from "#app/chat/message-intents.ts";
import { ANONYMOUS, type Message, type RoomData } from "#app/chat/message.ts";
import { describeMute, formatReason, type Mute } from "#app/chat/moderation/mute.ts";
import type { ComposerInput, Outbox } from "#app/chat/outbox/outbox.ts";
import type { Person } from "#app/chat/presence.ts";
import { toRetryPath } from "#app/chat/room-address.ts";
import { postForm } from "#app/http/fetch-json.ts";
import { getText } from "#app/http/form.ts";
import { isVisible } from "#app/http/text.ts";
import type { ActionResult } from "#app/session/action-result.ts";
import { MAX_NAME_LENGTH, type User } from "#app/session/user.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { findFormError, type Offline } from "#app/site/offline.ts";
import { announce } from "#app/ui/announcer.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { Icon } from "#app/ui/icon.tsx";
import { Link } from "#app/ui/link.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import input from "#app/ui/text-input.module.css";
import { useFocusAfterRemoval } from "#app/ui/use-focus-after-removal.ts";
import panel from "./chat-panel.module.css";
import { UNSEEN } from "./icon-paths.ts";
import styles from "./notices.module.css";
import { TextArea } from "./report-fields.tsx";
import { isComposing } from "./is-submit-key.ts";

const SUCCESS_LIFE_MS = 8000;

interface ActionNoticeProps {
  notice: Notice | null;
  /** Says what was done before this page, on another one. */
  room: Pick<RoomData, "done">;
  onDismiss: () => void;
}

/** The result of the last action on a message. A success closes automatically, unless it says how to undo it. */
export function ActionNotice({ notice, room, onDismiss }: ActionNoticeProps) {
  const [last, setLast] = useState<typeof room>();
  const { done } = last === room ? { done: null } : room;
  // Another notice has replaced what the room says, which must not appear again.
  if (notice && done) setLast(room);
  const shown = notice ?? (done && { id: 0, severity: "success", ...DONE_NOTICES[done] });
  if (!shown) return null;
  const { id, severity, message, hint } = shown;
  return (
    <div className={panel.banner}>
      <MessageBanner
        key={id}
        severity={severity}
        hint={hint}
        isDismissable
        onDismiss={onDismiss}
        {...(severity === "success" && !hint && { life: SUCCESS_LIFE_MS })}
      >
        {message}
      </MessageBanner>
    </div>
  );
}

interface UnavailableFeedProps {
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
    <div ref={container} className={panel.empty}>
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

/** Reminds users above the composer that unseen mode is on, with a button that opens the setting. */
export function UnseenLine({ onChange }: { onChange: () => void }) {
  return (
    <div className={panel.unseen}>
      <Icon path={UNSEEN} />
      <p className={panel.unseenText}>Others can't see that you're here.</p>
      <Button variant="quiet" className={panel.unseenButton} onPress={onChange}>
        Change
      </Button>
    </div>
  );
}

interface TypingIndicatorProps {
  /** The other users who are typing, without hidden people. */
  people: Person[];
  /** The messages of the feed, which have the names of users whose presence has none. */
  messages: Message[];
}

export function TypingIndicator({ people, messages }: TypingIndicatorProps) {
  const names = people.map(({ uid, name }) => name ?? getName(uid, messages));
  return <p className={panel.typing}>{describeTyping(names)}</p>;
}

function describeTyping([first, second, third]: string[]): ReactNode {
  if (first === undefined) return null;
  if (third !== undefined) return "Several people are typing…";
  return (
    <>
      <Bdi>{first}</Bdi>
      {second === undefined ? (
        " is typing…"
      ) : (
        <>
          {" and "}
          <Bdi>{second}</Bdi>
          {" are typing…"}
        </>
      )}
    </>
  );
}

function getName(uid: string, messages: Message[]): string {
  return messages.findLast((message) => message.uid === uid)?.displayName ?? "Someone";
}

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
            className={styles.appeal}
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

const PROFILE_PATH = "/profile";

export interface NameLineProps {
  user: User;
  /** Called when the form is about to disappear with the focus. */
  onDone: () => void;
}

/** Tells users without a name how they appear, and offers a field for one. Without scripts it links to the profile. */
export function NameLine({ user, onDone }: NameLineProps) {
  const [state, setState] = useState<"closed" | "open" | "saving" | "empty" | "failed">("closed");
  const isHydrated = useHydrated();
  const { revalidate } = useRevalidator();
  const opener = useRef<HTMLButtonElement>(null);
  const errorId = useId();

  const error =
    state === "empty"
      ? "Enter a name."
      : state === "failed"
        ? "We couldn't save your name. Try again."
        : undefined;

  async function save(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const { currentTarget } = event;
    const displayName = getText(new FormData(currentTarget), "displayName").trim();
    if (!isVisible(displayName)) {
      currentTarget.querySelector("input")?.focus();
      return setState("empty");
    }
    setState("saving");
    const form = { intent: "save-profile", uid: user.uid, photoURL: user.photoURL ?? "" };
    const result = await postForm(PROFILE_PATH, { ...form, displayName });
    // After a change, and after the end of the session, the server leads to another page.
    const isDone = result.status === "responded" && result.response.redirected;
    // The user may have cancelled meanwhile.
    if (!isDone) return setState((now) => (now === "saving" ? "failed" : now));
    if (new URL(result.response.url).pathname === PROFILE_PATH) announce("Your name was saved.");
    if (currentTarget.contains(document.activeElement)) onDone();
    setState("closed");
    revalidate();
  }

  function cancel() {
    flushSync(() => setState("closed"));
    opener.current?.focus();
  }

  if (state === "closed") {
    return (
      <p className={styles.line}>
        You'll appear as “{ANONYMOUS}”.{" "}
        {isHydrated ? (
          <Button
            ref={opener}
            variant="quiet"
            className={styles.add}
            onPress={() => setState("open")}
          >
            Add a name
          </Button>
        ) : (
          // As large as the button that replaces it.
          <ButtonLink
            variant="quiet"
            className={styles.add}
            to={`${PROFILE_PATH}?tab=name#display-name`}
          >
            Add a name
          </ButtonLink>
        )}
      </p>
    );
  }
  return (
    <form className={styles.nameForm} onSubmit={(event) => void save(event)}>
      <input
        className={`${input.input} ${styles.field}`}
        name="displayName"
        dir="auto"
        aria-label="Name"
        aria-describedby={error && errorId}
        maxLength={MAX_NAME_LENGTH}
        required
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- the user has just asked for this field
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== "Escape" || isComposing(event)) return;
          // Otherwise the same key would close the room.
          event.preventDefault();
          cancel();
        }}
      />
      <Button type="submit" isPending={state === "saving"}>
        Save
      </Button>
      <Button variant="quiet" onPress={cancel}>
        Cancel
      </Button>
      <output id={errorId} className={styles.error}>
        {error}
      </output>
    </form>
  );
}
