import * as z from "zod";

import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import { MUTE_DURATIONS, readReportsKey, type MuteDuration } from "#app/chat/moderation/reports.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { toPicturePath } from "#app/http/picture-path.ts";
import { hasAtMost, isVisible } from "#app/http/text.ts";

const DURATIONS = Object.keys(MUTE_DURATIONS) as MuteDuration[]; // the keys of a constant

const id = z.string().max(128).refine(isDocumentId);
const message = z
  .string()
  .transform(readReportsKey)
  .pipe(z.object({ messageId: id, sender: id }));
const reason = z
  .string("Say why")
  .trim()
  .refine(isVisible, "Say why")
  .refine(hasAtMost(MAX_REASON_LENGTH), `This can have up to ${MAX_REASON_LENGTH} characters`);

const picture = z
  .string()
  .trim()
  .transform(toPicturePath)
  .refine((path) => path !== null, "Enter the address of a picture that was uploaded here");

/** The forms of the Reports tab, by action. */
export const moderationSchema = z.discriminatedUnion("action", [
  z.object({ action: z.literal("delete"), message }),
  z.object({ action: z.literal("dismiss"), message }),
  z.object({
    action: z.literal("mute"),
    message,
    duration: z.enum(DURATIONS, "Choose how long"),
    reason,
    alsoDelete: z.string().optional(),
  }),
  z.object({ action: z.literal("lift"), person: id }),
  z.object({ action: z.literal("unpublish"), story: id, reason }),
  z.object({ action: z.literal("picture"), picture, reason }),
]);

export type Moderation = z.infer<typeof moderationSchema>;

/** The fields of all these forms. */
export const MODERATION_FIELDS = [
  "action",
  "message",
  "duration",
  "reason",
  "alsoDelete",
  "person",
  "story",
  "picture",
] as const;
