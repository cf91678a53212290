import type { Message } from "#app/chat/message.ts";
import { removeBidiControls } from "#app/ui/bdi.tsx";
import { truncate } from "#app/ui/truncate.ts";
import { MAX_QUOTE_LENGTH, splitQuote, splitReply } from "./quote.ts";

/**
 * Splits a message into the lines that say what it is about and what it answers, and the sender's own words. Only with the
 * topic of a reply do lines that begin with ">" belong to the former.
 */
export function splitMessage({
  text,
  topic,
}: Pick<Message, "text" | "topic">): [lines: string, words: string] {
  return topic?.replyTo ? splitReply(text) : splitQuote(text);
}

/**
 * Returns the beginning of a message that replies to another: lines of plain text that begin with ">". A reply to a message
 * about a passage is about the passage too, so it begins with the same quote.
 */
export function formatReply(message: Pick<Message, "displayName" | "text" | "topic">): string {
  const [quote] = splitQuote(message.text);
  const words = splitMessage(message)[1].trim();
  // The first ": " ends the name.
  const name = removeBidiControls(message.displayName).replaceAll(/:+ /g, " ");
  const shown = truncate(words, MAX_QUOTE_LENGTH);
  const isLong = words.length > MAX_QUOTE_LENGTH;
  const reply = words ? `${name}: ${isLong ? `${shown}…` : shown}` : name;
  // The answer may begin with ">" too, so an empty line is between them.
  return `${quote}${reply.replaceAll(/^/gm, "> ")}\n\n`;
}
