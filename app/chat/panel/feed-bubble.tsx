import { createContext, useContext } from "react";

import type { Message } from "#app/chat/message.ts";
import type { Edits } from "#app/chat/use-edits.ts";
import { useMessageActionsValue } from "#app/chat/use-message-actions.ts";
import type { Locale } from "#app/site/locale/locale.ts";
import { Bubble } from "./bubble.tsx";
import { DeletedMessage } from "./deleted-message.tsx";
import { MessageMenu } from "./message-menu.tsx";

export const EditsContext = createContext<Edits>(new Map());

export interface FeedBubbleProps {
  message: Message;
  isOwn: boolean;
  locale: Locale;
}

/** A stored message with its menu; or, where the user has just deleted it, the button that restores it. */
export function FeedBubble({ message, isOwn, locale }: FeedBubbleProps) {
  const { state } = useMessageActionsValue();
  const edits = useContext(EditsContext);
  const deletion = state.deletions.get(message.id);
  if (deletion?.status === "waiting") {
    return <DeletedMessage message={message} until={deletion.until} />;
  }
  const isEdited = message.isEdited === true || edits.get(message.id) === message.uid;
  return (
    <>
      <Bubble message={message} isOwn={isOwn} locale={locale} isEdited={isEdited} />
      <MessageMenu message={message} isOwn={isOwn} locale={locale} />
    </>
  );
}
