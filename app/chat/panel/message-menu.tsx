import { useEffect, useRef, useState } from "react";

import { isEditable, type Message } from "#app/chat/message.ts";
import { toMessagePagePath } from "#app/chat/message-intents.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import { formatTime, type Locale } from "#app/site/locale/locale.ts";
import { Icon } from "#app/ui/icon.tsx";
import { IconButton } from "#app/ui/icon-button.tsx";
import iconButton from "#app/ui/icon-button.module.css";
import { useHydrated } from "#app/ui/hydration.ts";
import type * as Overlays from "./message-menu-overlays.tsx";
import styles from "./message-menu.module.css";

/** Loaded when the first menu is opened. */
let overlays: typeof Overlays | undefined;

/** The button beside a message that opens its actions; without scripts, a link to a page with forms for them. */
export function MessageMenu(props: MessageLinkProps) {
  return useHydrated() ? <HydratedMenu {...props} /> : <MessageLink {...props} />;
}

function HydratedMenu({ message, isOwn, locale }: MessageLinkProps) {
  const { uid, actions, reply } = useMessageActionsValue();
  const trigger = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<"menu" | "report" | null>(null);
  const [article, setArticle] = useState<Element | null>(null);
  const [openedAt, setOpenedAt] = useState(0);
  const [isFolded, setIsFolded] = useState(false);
  const label = describeActions(message, isOwn, locale);

  useEffect(() => {
    if (open !== "report") return undefined;
    const button = trigger.current;
    // The menu item that opened the dialog is gone.
    return () => button?.focus({ preventScroll: true });
  }, [open]);

  async function openMenu() {
    try {
      // Keeps the code out of the Worker.
      if (!import.meta.env.SSR) overlays ??= await import("./message-menu-overlays.tsx");
      setArticle(trigger.current?.parentElement?.querySelector("article") ?? null);
      setOpenedAt(Date.now());
      setIsFolded(Boolean(trigger.current?.parentElement?.querySelector("details:not([open])")));
      setOpen("menu");
    } catch {
      actions.notify(
        "error",
        "We couldn't open the menu.",
        "Check your connection, and try again.",
      );
    }
  }

  return (
    <>
      <IconButton
        ref={trigger}
        icon="more"
        label={label}
        className={styles.trigger}
        // Not a tab stop, because keys on the focused message open the menu too.
        tabIndex={-1}
        data-own={isOwn || undefined}
        aria-haspopup="menu"
        aria-expanded={open === "menu"}
        onClick={() => void openMenu()}
        onKeyDown={(event) => {
          if (event.key !== "ArrowDown") return;
          event.preventDefault();
          void openMenu();
        }}
      />
      {overlays && open === "menu" ? (
        <overlays.MessageMenuPopover
          label={label}
          triggerRef={trigger}
          article={article}
          message={message}
          isOwn={isOwn}
          isSignedIn={uid !== undefined}
          isFolded={isFolded}
          isEditable={isOwn && reply !== undefined && isEditable(message, openedAt)}
          actions={actions}
          onReply={reply && (() => reply(message))}
          onReport={() => setOpen("report")}
          onClose={() => setOpen((shown) => (shown === "menu" ? null : shown))}
        />
      ) : null}
      {overlays && open === "report" ? (
        <overlays.ReportDialog message={message} actions={actions} onClose={() => setOpen(null)} />
      ) : null}
    </>
  );
}

interface MessageLinkProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
}

/** The link beside a message to its page of forms. With scripts, the button of its menu takes its place. */
export function MessageLink({ message, isOwn, locale }: MessageLinkProps) {
  return (
    <a
      className={`${iconButton.button} ${styles.trigger}`}
      href={toMessagePagePath(message.id)}
      aria-label={describeActions(message, isOwn, locale)}
      data-own={isOwn || undefined}
      // Server and browser may format a time differently.
      suppressHydrationWarning
    >
      <Icon name="more" />
    </a>
  );
}

/** Returns the name of a message's menu. */
function describeActions(
  { displayName, createdAt }: Message,
  isOwn: boolean,
  locale: Locale,
): string {
  const possessive = isOwn ? "your" : `${displayName}'s`;
  const time = createdAt === null ? "" : ` of ${formatTime(createdAt, locale)}`;
  return `Actions for ${possessive} message${time}`;
}
