import { Fragment, type ReactNode } from "react";

import { createNames, NamesContext } from "#app/chat/mentions/mentions.ts";
import type { Message } from "#app/chat/message.ts";
import { Bubble, isSameGroup, MessageItem } from "#app/chat/panel/bubble.tsx";
import feed from "#app/chat/panel/feed.module.css";
import { MessageLink } from "#app/chat/panel/message-menu.tsx";
import list from "#app/chat/panel/message-list.module.css";
import { MessageText } from "#app/chat/panel/message-text.tsx";
import {
  OriginalsContext,
  PlainLinksContext,
  type Originals,
} from "#app/chat/panel/message-cards.tsx";
import { toRoomPath } from "#app/chat/room-address.ts";
import { formatDay, type Locale } from "#app/site/locale/locale.ts";
import { getHtmlThemeProps, type Theme } from "#app/site/theme/theme.tsx";
import styles from "./live-page.module.css";

export interface LivePageProps {
  theme: Theme;
  /** The paths of the style sheets. */
  stylesheets: readonly string[];
  children: ReactNode;
}

/** A document for a frame, without scripts. Its links open in the page around it. */
export function LivePage({ theme, stylesheets, children }: LivePageProps) {
  return (
    <html lang="en" {...getHtmlThemeProps(theme)}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>New messages · Inkglade</title>
        <base target="_top" />
        {stylesheets.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
      </head>
      <body className={styles.page}>{children}</body>
    </html>
  );
}

/**
 * Loads a page once it is visible. Browsers without scripts load a frame that is not rendered, even with
 * `loading="lazy"`, but not an object.
 *
 * @see https://html.spec.whatwg.org/multipage/iframe-embed-object.html#the-object-element
 */
export function LiveObject({ path }: { path: string }) {
  return (
    // oxlint-disable-next-line jsx-a11y/alt-text -- it shows a document, which has its own title
    <object className={styles.list} type="text/html" data={path} aria-label="New messages" />
  );
}

/** The list, to which messages are appended. Laid out in reverse, so that the newest message stays in view. */
export function LiveList() {
  return (
    <div
      className={feed.feed}
      role="log"
      aria-live="polite"
      aria-label="New messages"
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- keyboard users scroll it
      tabIndex={0}
    >
      <div className={feed.content}>
        <ol className={list.list}>
          <LiveStatus>New messages appear here as they arrive.</LiveStatus>
        </ol>
      </div>
    </div>
  );
}

/** A line at the end of the list. The next item replaces it. */
export function LiveStatus({ children }: { children?: ReactNode }) {
  return <li className={styles.status}>{children}</li>;
}

/** Says that the next messages are not the first that this page does not show, and leads to the page around it. */
export function LiveGap({ around }: { around: string }) {
  return (
    <li className={list.day}>
      Earlier messages are missing here. <a href={toRoomPath(around)}>Load the page again</a>
    </li>
  );
}

export interface LiveMessagesProps {
  messages: readonly Message[];
  /** The message above the first of these, in this page or in the page around it. */
  previous: Pick<Message, "uid" | "createdAt"> | undefined;
  /** The messages of this page so far, and the signed-in user, whose messages are on the right. */
  originals: Originals;
  locale: Locale;
  /** Milliseconds since the Unix epoch, for "Today". */
  now: number;
}

/** The items of messages, below a heading for each day. */
export function LiveMessages({ messages, previous, originals, locale, now }: LiveMessagesProps) {
  const toDay = ({ createdAt }: Pick<Message, "createdAt">) =>
    formatDay(createdAt ?? now, locale, now);
  const names = createNames([...originals.messages.values()], originals.viewer);
  return (
    <PlainLinksContext.Provider value>
      <NamesContext.Provider value={names}>
        <OriginalsContext.Provider value={originals}>
          {messages.map((message, index) => {
            const before = messages[index - 1] ?? previous;
            const isNewDay = !before || toDay(before) !== toDay(message);
            const isOwn = message.uid === originals.viewer.uid;
            const isContinued = !isNewDay && isSameGroup(before, message, now);
            return (
              <Fragment key={message.id}>
                {isNewDay ? <li className={list.day}>{toDay(message)}</li> : null}
                <MessageItem isOwn={isOwn} isContinued={isContinued} photoURL={message.photoURL}>
                  <Bubble
                    message={message}
                    isOwn={isOwn}
                    locale={locale}
                    isContinued={isContinued}
                    isEdited={message.isEdited === true}
                  >
                    <MessageText message={message} isOwn={isOwn} />
                  </Bubble>
                  <MessageLink message={message} isOwn={isOwn} locale={locale} />
                </MessageItem>
              </Fragment>
            );
          })}
        </OriginalsContext.Provider>
      </NamesContext.Provider>
    </PlainLinksContext.Provider>
  );
}

export interface LiveNextLinkProps {
  /** The path of the page that continues this one. */
  path: string;
  /** Whether the browser opens it automatically. */
  isAutomatic: boolean;
}

/** The link at the end of one page to the next. */
export function LiveNextLink({ path, isAutomatic }: LiveNextLinkProps) {
  return (
    <li className={styles.next}>
      {isAutomatic ? <LiveRefresh path={path} /> : null}
      <a href={path} target="_self">
        Keep showing new messages
      </a>
    </li>
  );
}

/** Opens a page after a second. With up to one second, browsers add no entry to the history. */
export function LiveRefresh({ path }: { path: string }) {
  return <meta httpEquiv="refresh" content={`1;url=${path}`} />;
}
