import { useState, type FormEvent } from "react";

import type { ActionError } from "#app/session/action-result.ts";
import type { MessageActions } from "#app/chat/message-actions.ts";
import type { Message } from "#app/chat/message.ts";
import { readReportKind } from "#app/chat/report.ts";
import { getText } from "#app/http/form.ts";
import { getSignInPath } from "#app/session/return-to.ts";
import { Button } from "#app/ui/button.tsx";
import { Dialog, DialogActions } from "#app/ui/dialog.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { MenuItem, MenuPopover, type MenuItemProps, type MenuPopoverProps } from "#app/ui/menu.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { HIDE } from "./icon-paths.ts";
import { ReportFields } from "./report-fields.tsx";
import styles from "./report-fields.module.css";

const REPLY = "M8 5 3.5 9.5 8 14M4 9.5h7.5a5 5 0 0 1 5 5V16";
const COPY = "M7 7h9v10H7zM4 13V3h9";
const EDIT = "M4 16l.8-3.6L13.4 3.8l2.8 2.8-8.6 8.6L4 16ZM11.5 5.7l2.8 2.8";
const DELETE = "M3.5 5.5h13M8 5.5v-2h4v2M5 5.5l.8 11h8.4l.8-11M8.5 9v4.5M11.5 9v4.5";
const REPORT = "M5 17.5V3.5M5 4h9.5l-2 3.5 2 3.5H5";

/** The height of an item of the menu, in CSS pixels. */
const ITEM_HEIGHT = 44;

/** The height of a menu without its items, with its distances, in CSS pixels. */
const MENU_SPACE = 28;

interface Item {
  label: string;
  /** The path of the icon. */
  icon: string;
  tone?: MenuItemProps["tone"];
  href?: string;
  onAction?: () => void;
}

export interface MessageMenuPopoverProps extends Pick<
  MenuPopoverProps,
  "label" | "triggerRef" | "onClose"
> {
  /** The element of the message. */
  article: Element | null;
  message: Message;
  isOwn: boolean;
  isSignedIn: boolean;
  /** Whether its text is folded. A reply would show it. */
  isFolded: boolean;
  isEditable: boolean;
  actions: MessageActions;
  /** Absent if the user can't reply. */
  onReply: (() => void) | undefined;
  onReport: () => void;
}

/** The actions of one message. */
export function MessageMenuPopover({
  triggerRef,
  article,
  message,
  isOwn,
  isSignedIn,
  isFolded,
  isEditable,
  actions,
  onReply,
  onReport,
  ...props
}: MessageMenuPopoverProps) {
  const { id, uid, displayName: name } = message;

  function hide() {
    // The message is about to be removed, and its menu with it.
    const feed = article?.closest<HTMLElement>("[role=log]");
    void actions.hide({ uid, name });
    // Waits until the menu has closed, because closing it moves the focus.
    setTimeout(() => feed?.focus());
  }

  const offered: (Item | false | undefined)[] = [
    isSignedIn && onReply && !isFolded && { label: "Reply", icon: REPLY, onAction: onReply },
    { label: "Copy", icon: COPY, onAction: () => void copy(message, actions) },
    isSignedIn && !isOwn && { label: "Hide this person", icon: HIDE, onAction: hide },
    isSignedIn && !isOwn && { label: "Report", icon: REPORT, onAction: onReport },
    !isSignedIn && {
      label: "Sign in to report",
      icon: REPORT,
      href: getSignInPath(`${location.pathname}${location.search}#room`, "report"),
    },
    isEditable && { label: "Edit", icon: EDIT, onAction: () => actions.startEdit(message) },
    isOwn && { label: "Delete", icon: DELETE, tone: "danger", onAction: () => actions.delete(id) },
  ];
  const items = offered.filter((item) => !!item);
  const [anchor] = useState(() => findAnchor(article, items.length));

  return (
    <MenuPopover
      {...props}
      triggerRef={anchor ?? triggerRef}
      placement={isOwn ? "bottom end" : "bottom start"}
    >
      {items.map(({ label, icon, ...item }) => (
        <MenuItem key={label} textValue={label} {...item}>
          <Icon path={icon} /> {label}
        </MenuItem>
      ))}
    </MenuPopover>
  );
}

/** Returns the message, above or below which its menu opens; `null` if the menu fits neither above nor below. */
function findAnchor(article: Element | null, items: number): { current: Element } | null {
  if (!article) return null;
  const { top, bottom } = article.getBoundingClientRect();
  const height = items * ITEM_HEIGHT + MENU_SPACE;
  return Math.max(top, innerHeight - bottom) >= height ? { current: article } : null;
}

async function copy({ text }: Message, actions: MessageActions): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    actions.notify("success", "Copied.");
  } catch {
    actions.notify("error", "We couldn't copy the message.", "Your browser didn't allow it.");
  }
}

export interface ReportDialogProps {
  message: Message;
  actions: MessageActions;
  onClose: () => void;
}

/** Asks for the reason of a report, and sends it. */
export function ReportDialog({ message, actions, onClose }: ReportDialogProps) {
  const [isPending, setIsPending] = useState(false);
  const [error, setError] = useState<ActionError | null>(null);

  async function send(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = new FormData(event.currentTarget);
    setIsPending(true);
    const kind = readReportKind(getText(form, "kind"));
    const error = await actions.report(message.id, kind, getText(form, "details"));
    setIsPending(false);
    setError(error);
    if (!error) onClose();
  }

  return (
    <Dialog title="Report this message" onClose={onClose}>
      <form className={styles.form} onSubmit={(event) => void send(event)}>
        {error ? (
          <MessageBanner severity="error" hint={error.hint}>
            {error.message}
          </MessageBanner>
        ) : null}
        <ReportFields />
        <DialogActions>
          <Button variant="quiet" onPress={onClose}>
            Cancel
          </Button>
          <Button type="submit" isPending={isPending}>
            Report
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}
