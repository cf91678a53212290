import { Form, useNavigation } from "@remix-run/react";
import { useId, useMemo, type ReactNode } from "react";

import { StillTrying } from "#app/accounts/still-trying.tsx";
import { DONE_NOTICES, type MessageIntent } from "#app/chat/message-intents.ts";
import { EDIT_WINDOW_MS, type Message } from "#app/chat/message.ts";
import { Bubble, MessageItem } from "#app/chat/panel/bubble.tsx";
import { OriginalsContext, type Originals } from "#app/chat/panel/message-cards.tsx";
import { MessageText } from "#app/chat/panel/message-text.tsx";
import fields from "#app/chat/panel/report-fields.module.css";
import { ReportFields } from "#app/chat/panel/report-fields.tsx";
import { formatReply, splitMessage } from "#app/chat/quotes/quote.ts";
import type { QuotedStories } from "#app/chat/quotes/quoted-story.ts";
import { QuotedStoriesContext, useQuotedStories } from "#app/chat/quotes/use-quoted-stories.ts";
import type { FormError } from "#app/http/form.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { FormErrorBanner } from "#app/site/form-error-banner.tsx";
import type { Locale } from "#app/site/locale/locale.ts";
import { useLocale } from "#app/site/locale/use-locale.ts";
import { MessagePage } from "#app/site/message-page.tsx";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button, ButtonLink, type ButtonProps } from "#app/ui/button.tsx";
import { CardSection } from "#app/ui/card-section.tsx";
import { Link } from "#app/ui/link.tsx";
import { useTypedText } from "#app/ui/text-area.ts";
import styles from "./message-page.module.css";

/** The parameter with `MessagePageData.returnTo`, once it is known. */
export const RETURN_PARAM = "returnTo";

/** The parameter with which the page asks if the message should be deleted. */
export const DELETE_PARAM = "delete";

/** What the page of forms for a message shows. */
export interface MessagePageData {
  /** `null` if there is none, or it cannot be read. */
  message: Message | null;
  isUnavailable: boolean;
  /** The signed-in user. */
  uid: string | undefined;
  /** The people whose messages the user has hidden, as far as the browser knows. */
  hiddenUids: readonly string[];
  /** Whether its sender can still edit it. */
  isEditable: boolean;
  /** Whether the page asks if the message should be deleted. */
  isDeletion: boolean;
  /** The path of the page. */
  path: string;
  /** The address of the room on the page from which the user came. */
  returnTo: string;
  /** The id of the message that replies to it. */
  nextId: string;
  /** The stories that the message quotes. */
  stories: QuotedStories;
  locale: Locale;
}

/** What the forms of the page submit, without their intent. */
export const MESSAGE_PAGE_FIELDS = [
  "uid",
  "quote",
  "text",
  "messageId",
  "message",
  "person",
  "name",
  "kind",
  "details",
] as const;

/** What a form of the page is for. */
export type MessagePageIntent = MessageIntent | "reply";

/** Why a form of the page failed, with what was submitted. */
export interface MessagePageResult {
  intent: MessagePageIntent;
  error: FormError;
  values: Record<(typeof MESSAGE_PAGE_FIELDS)[number], string>;
}

const NO_MESSAGES: Message[] = [];
const NO_ORIGINALS: Originals["messages"] = new Map();

export interface MessageScreenProps extends MessagePageData {
  /** Why the last form failed. */
  result: MessagePageResult | undefined;
}

/** A message with a form for each thing that the user may do about it, for browsers without scripts. */
export function MessageScreen({ result, ...page }: MessageScreenProps) {
  const { message, isUnavailable, uid, hiddenUids, returnTo } = page;
  const isOwn = message !== null && message.uid === uid;
  const quotedStories = useQuotedStories(page.stories, message ? [message] : NO_MESSAGES, { uid });
  const originals = useMemo(
    () => ({ messages: NO_ORIGINALS, viewer: { uid, hiddenUids: new Set(hiddenUids) } }),
    [uid, hiddenUids],
  );
  const isFolded = message !== null && !isOwn && quotedStories.isAboutLaterPart(message);
  const back = <ButtonLink to={returnTo}>Back to the room</ButtonLink>;

  // What was typed is shown, even if the message is gone.
  if (!message && !result) {
    return isUnavailable ? (
      <MessagePage title="We can't reach the room right now" actions={back}>
        <p>Try again in a moment.</p>
      </MessagePage>
    ) : (
      <MessagePage title="This message was deleted" actions={back}>
        <p>It can't be shown or changed any more.</p>
      </MessagePage>
    );
  }
  return (
    <div className={styles.page}>
      <h1>{isOwn ? "Your message" : "A message in the room"}</h1>
      {message ? (
        <QuotedStoriesContext.Provider value={quotedStories}>
          <OriginalsContext.Provider value={originals}>
            <ShownMessage {...page} message={message} isOwn={isOwn} />
          </OriginalsContext.Provider>
        </QuotedStoriesContext.Provider>
      ) : null}
      <Forms {...page} result={result} isOwn={isOwn} isFolded={isFolded} />
      <p>
        <Link to={returnTo} variant="standalone">
          Back to the room
        </Link>
      </p>
    </div>
  );
}

interface ShownMessageProps extends Pick<MessagePageData, "locale"> {
  message: Message;
  isOwn: boolean;
}

function ShownMessage({ message, isOwn, locale }: ShownMessageProps) {
  return (
    <ul className={styles.message}>
      <MessageItem isOwn={isOwn} isContinued={false} photoURL={message.photoURL}>
        <Bubble
          message={message}
          isOwn={isOwn}
          locale={useLocale(locale)}
          isEdited={message.isEdited === true}
        >
          <MessageText message={message} isOwn={isOwn} />
        </Bubble>
      </MessageItem>
    </ul>
  );
}

interface FormsProps extends MessageScreenProps {
  isOwn: boolean;
  /** Whether its text is folded. A reply would show it. */
  isFolded: boolean;
}

/** The forms for what the user may do, and the form that failed. */
function Forms({ isOwn, isFolded, ...page }: FormsProps) {
  const { message, uid, isDeletion, result, path, returnTo } = page;
  const failed = result?.intent;
  const isOther = message !== null && uid !== undefined && !isOwn;
  const toPath = (params: Record<string, string> = {}) =>
    `${path}?${new URLSearchParams({ ...params, [RETURN_PARAM]: returnTo })}`;
  const shared = { uid, result, action: toPath() };

  if (isDeletion && (isOwn || failed === "delete")) {
    return (
      <Section
        {...shared}
        action={toPath({ [DELETE_PARAM]: "" })}
        intent="delete"
        heading="Delete this message?"
        button="Delete"
        variant="danger"
        other={
          <ButtonLink variant="quiet" to={toPath()}>
            Keep it
          </ButtonLink>
        }
      >
        <p>It disappears for everyone, and can't be restored.</p>
      </Section>
    );
  }
  return (
    <>
      {(isOwn && page.isEditable) || failed === "edit" ? (
        <Section {...shared} intent="edit" heading="Edit" button="Save">
          <EditFields message={message} values={failed === "edit" ? result?.values : undefined} />
        </Section>
      ) : null}
      {(message && uid !== undefined && !isFolded) || failed === "reply" ? (
        <Section {...shared} intent="reply" heading="Reply" button="Reply">
          <ReplyFields
            message={message}
            nextId={page.nextId}
            values={failed === "reply" ? result?.values : undefined}
          />
        </Section>
      ) : null}
      {isOwn && !page.isEditable && failed !== "edit" ? (
        <p>You can edit a message for {EDIT_WINDOW_MS / 60_000} minutes.</p>
      ) : null}
      {isOwn ? (
        <p>
          <ButtonLink variant="quiet" to={toPath({ [DELETE_PARAM]: "" })}>
            Delete this message
          </ButtonLink>
        </p>
      ) : null}
      {isOther || failed === "hide" ? (
        <Section
          {...shared}
          intent="hide"
          heading="Hide this person"
          button="Hide this person"
          variant="quiet"
        >
          <HideFields message={message} values={failed === "hide" ? result?.values : undefined} />
        </Section>
      ) : null}
      {isOther || failed === "report" ? (
        <Section {...shared} intent="report" heading="Report this message" button="Report">
          <ReportFields {...(failed === "report" && result?.values)} />
        </Section>
      ) : null}
      {uid === undefined && !result ? (
        <p>
          Please <Link to={getSignInPath(toPath(), "report")}>sign in</Link> to report this message
          or to hide this person.
        </p>
      ) : null}
    </>
  );
}

interface FieldsProps {
  message: Message | null;
  /** What was submitted before. */
  values: MessagePageResult["values"] | undefined;
}

function ReplyFields({ message, nextId, values }: FieldsProps & { nextId: string }) {
  const lines = message ? formatReply(message) : "";
  const typed = useTypedText("textarea[name=message]", values?.message ?? "");
  return (
    <>
      <input type="hidden" name="messageId" value={values?.messageId ?? nextId} />
      <input type="hidden" name="quote" value={values?.quote ?? lines} />
      <textarea
        className={fields.textArea}
        name="message"
        dir="auto"
        aria-label="Reply"
        rows={4}
        defaultValue={typed}
      />
    </>
  );
}

function EditFields({ message, values }: FieldsProps) {
  const [quote, comment] = message ? splitMessage(message) : ["", ""];
  const typed = useTypedText("textarea[name=text]", values?.text ?? comment);
  return (
    <>
      {/* The quote stays the same. */}
      <input type="hidden" name="quote" value={values?.quote ?? quote} />
      <textarea
        className={fields.textArea}
        name="text"
        dir="auto"
        aria-label="Edit message"
        rows={4}
        defaultValue={typed}
      />
    </>
  );
}

function HideFields({ message, values }: FieldsProps) {
  const name = values?.name ?? message?.displayName ?? "";
  return (
    <>
      <input type="hidden" name="person" value={values?.person ?? message?.uid} />
      <input type="hidden" name="name" value={name} />
      <p>
        You won't see <Bdi>{name}</Bdi>'s messages any more. They aren't told, and still see yours.{" "}
        {DONE_NOTICES.hide.hint}
      </p>
    </>
  );
}

interface SectionProps extends Pick<MessageScreenProps, "uid" | "result"> {
  intent: MessagePageIntent;
  /** The address that the form is sent to. */
  action: string;
  heading: string;
  button: string;
  variant?: ButtonProps["variant"];
  /** Beside the button. */
  other?: ReactNode;
  children: ReactNode;
}

/** One form with its heading, and the error of its last submit. */
function Section({
  uid,
  result,
  intent,
  action,
  heading,
  button,
  variant = "primary",
  other,
  children,
}: SectionProps) {
  const headingId = useId();
  const failed = result?.intent === intent ? result : undefined;
  const isPending = useNavigation().formData?.get("intent") === intent;
  return (
    <CardSection id={headingId} heading={heading}>
      {isPending ? null : <FormErrorBanner error={failed?.error} />}
      <Form method="post" action={action} className={styles.form}>
        <input type="hidden" name="intent" value={intent} />
        {/* Another user may sign in from another tab meanwhile. */}
        <input type="hidden" name="uid" value={failed?.values.uid ?? uid ?? ""} />
        {children}
        <div className={styles.buttons}>
          <Button type="submit" variant={variant} isPending={isPending}>
            {button}
          </Button>
          {other}
          <StillTrying isPending={isPending} />
        </div>
      </Form>
    </CardSection>
  );
}
