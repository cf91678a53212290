import type { MessageInput } from "#app/chat/message.ts";

/** Returns the fields that the composer's form sends. */
export function toMessageForm({ id, text, uid, replyTo }: MessageInput): Record<string, string> {
  return {
    messageId: id,
    message: text,
    ...(uid !== undefined && { messageUid: uid }),
    ...(replyTo !== undefined && { messageReplyTo: replyTo }),
  };
}
