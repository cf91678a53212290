import * as z from "zod";

import { MIN_PASSWORD_LENGTH } from "#app/session/user.ts";

/** Longer values are rejected before the provider is asked. */
const MAX_EMAIL_LENGTH = 254;
const MAX_PASSWORD_LENGTH = 4096;

/** A new password. */
export const passwordSchema = z
  .string("Password is required")
  // Not `min`, which counts code points.
  .refine(
    (password) => password.length >= MIN_PASSWORD_LENGTH,
    `Password must be at least ${MIN_PASSWORD_LENGTH} characters`,
  )
  .max(MAX_PASSWORD_LENGTH, "Password is too long");

/**
 * The form of Sign Up. An e-mail address is valid by the HTML standard; the provider may be stricter.
 *
 * @see https://html.spec.whatwg.org/multipage/input.html#valid-e-mail-address
 */
export const signUpSchema = z
  .object({
    email: z.string("Email is required").refine(isEmail, "Invalid email"),
    password: passwordSchema,
    confirmPassword: z.string("Confirmation is required"),
  })
  .refine(({ password, confirmPassword }) => password === confirmPassword, {
    error: "Passwords do not match",
    path: ["confirmPassword"],
    // Checked together with the other rules: an empty confirmation is both missing and different.
    when: () => true,
  });

/** The form of Sign In. Even empty values are sent to the provider, as the specification requires. */
export const signInSchema = z.object({
  email: z.string().max(MAX_EMAIL_LENGTH, "This e-mail address is too long").default(""),
  password: z.string().max(MAX_PASSWORD_LENGTH, "This password is too long").default(""),
});

/** The form that requests a password reset link. */
export const resetRequestSchema = z.object({
  email: z.string("Email is required").trim().refine(isEmail, "Invalid email"),
});

/** The form for a new password, opened by a link from an e-mail. */
export const newPasswordSchema = z.object({ password: passwordSchema });

function isEmail(value: string): boolean {
  return value.length <= MAX_EMAIL_LENGTH && z.regexes.html5Email.test(value);
}
