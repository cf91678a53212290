import * as z from "zod";

import { passwordSchema } from "#app/accounts/credentials-schema.ts";
import { MAX_REASON_LENGTH } from "#app/chat/moderation/mute.ts";
import { MUTE_DURATIONS, readReportsKey, type MuteDuration } from "#app/chat/moderation/reports.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { PICTURE_PATH, toPicturePath } from "#app/http/picture-path.ts";
import { hasAtMost, isVisible } from "#app/http/text.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import { MAX_ABOUT_LENGTH } from "#app/stories/writers/writer.ts";

/** The session cookie contains the photo's address and has no room for a longer one. */
const MAX_PHOTO_URL_LENGTH = 500;

/** The form for name and photo; an empty field deletes the value. */
export const profileSchema = z.object({
  displayName: z
    .string()
    .trim()
    // Not `max`, which counts code points.
    .refine(
      (name) => name.length <= MAX_NAME_LENGTH,
      `A name can have up to ${MAX_NAME_LENGTH} characters`,
    )
    .refine((name) => !/\p{Cc}/u.test(name), "A name must fit on one line")
    .refine((name) => name === "" || isVisible(name), "A name needs at least one visible character")
    .default(""),
  photoURL: z
    .string()
    .trim()
    .transform((address) => toPicturePath(address) ?? address)
    .refine(
      (address) => address === "" || PICTURE_PATH.test(address) || isHttps(address),
      "A photo link must begin with https://",
    )
    // `firestore.rules` and the session cookie need the form of the browser: lower-case scheme, only ASCII.
    .transform((address) => (URL.canParse(address) ? new URL(address).href : address))
    .refine(
      (address) => address.length <= MAX_PHOTO_URL_LENGTH,
      `A photo link can have up to ${MAX_PHOTO_URL_LENGTH} characters`,
    )
    .default(""),
});

/** The form for the line about the user. */
export const aboutSchema = z.object({
  about: z
    .string()
    .trim()
    .refine(
      (text) => text.length <= MAX_ABOUT_LENGTH,
      `This can have up to ${MAX_ABOUT_LENGTH} characters`,
    )
    .refine((text) => !/\p{Cc}/u.test(text), "This must fit on one line")
    .default(""),
});

export type Profile = z.infer<typeof profileSchema>;

/** A name and a photo that a user typed but did not save. */
export type UnsavedProfile = Profile & { uid: string };

/** A line about the user that they typed but did not save. */
export type UnsavedAbout = z.infer<typeof aboutSchema> & { uid: string };

/** The account's current password. Only the provider checks it. */
const currentPasswordSchema = z.string("Password is required");

export const changePasswordSchema = z.object({
  currentPassword: currentPasswordSchema,
  newPassword: passwordSchema,
});

export const signOutEverywhereSchema = z.object({ currentPassword: currentPasswordSchema });

/** What happens to a user's messages when their account is deleted. */
export const messagesChoiceSchema = z.enum(["delete", "anonymous"], {
  error: "Choose what happens to your messages",
});

export type MessagesChoice = z.infer<typeof messagesChoiceSchema>;

export const deleteAccountSchema = z.object({
  email: z.string("Email is required"),
  /** Absent for an account without a password. */
  currentPassword: z.string().optional(),
  messages: messagesChoiceSchema,
  /** The id of the last message that an earlier request made anonymous. */
  after: z
    .string()
    .refine(
      (id) => id === "" || isDocumentId(id),
      "The form is incomplete. Reload the page and try again.",
    )
    .optional(),
});

function isHttps(address: string): boolean {
  return z.url({ protocol: /^https$/ }).safeParse(address).success;
}

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
