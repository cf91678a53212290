import * as z from "zod";

import { passwordSchema } from "#app/accounts/credentials-schema.ts";
import { MAX_NAME_LENGTH } from "#app/session/user.ts";
import { isDocumentId } from "#app/firebase/document-id.ts";
import { PICTURE_PATH, toPicturePath } from "#app/http/picture-path.ts";
import { isVisible } from "#app/http/text.ts";
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
