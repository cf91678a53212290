import * as z from "zod";

import { isDocumentId } from "#app/firebase/document-id.ts";
import { httpsAddressSchema } from "#app/http/https-url-schema.ts";
import { isVisible } from "#app/http/visible-text.ts";
import { ANONYMOUS, MAX_NAME_LENGTH, MAX_TEXT_LENGTH } from "./message.ts";

const INCOMPLETE = "The form is incomplete. Reload the page and try again.";

/** A message as the composer's form sends it. The form chooses the id, so a repeated submit is no second message. */
export const draftSchema = z.object({
  id: z
    .string(INCOMPLETE)
    .regex(/^[\w-]{20,36}$/, INCOMPLETE)
    .refine(isDocumentId, INCOMPLETE),
  text: z
    .string("Type a message first.")
    // Plain forms send lines as CRLF, scripts as LF: the same text is the same message.
    .overwrite((text) => text.replaceAll(/\r\n?/g, "\n"))
    .trim()
    .refine(isVisible, "Type a message first.")
    .refine(
      hasAtMost(MAX_TEXT_LENGTH),
      `A message can have up to ${MAX_TEXT_LENGTH.toLocaleString("en")} characters.`,
    ),
});

/** The exact fields of a stored message, but for `createdAt`, which the server of the database sets. */
export const messageFieldsSchema = z.strictObject({
  text: z.string().refine(hasAtMost(MAX_TEXT_LENGTH)).refine(isVisible),
  uid: z.string().min(1),
  displayName: z.string().refine(hasAtMost(MAX_NAME_LENGTH)),
  photoURL: httpsAddressSchema.refine(hasAtMost(2000)).nullable(),
});

/**
 * Reads a stored document leniently: a name that is missing or shows nothing becomes `Anonymous`, a photo that
 * is no https address becomes none. Anything without a text or a sender is no message.
 */
export const storedMessageSchema = z.object({
  id: z.string(),
  text: z.string().min(1),
  uid: z.string().min(1),
  displayName: z.string().trim().refine(isVisible).catch(ANONYMOUS),
  photoURL: messageFieldsSchema.shape.photoURL.catch(null),
  createdAt: z.number().nullable(),
});

/** Counts in UTF-16 units, of which there are never fewer than the rules count. Zod's own limits count code points. */
function hasAtMost(limit: number): (text: string) => boolean {
  return (text) => text.length <= limit;
}
