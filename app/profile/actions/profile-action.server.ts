import { redirect, type AppLoadContext, type TypedResponse } from "@remix-run/cloudflare";
import type * as z from "zod";

import { toFormError } from "#app/accounts/form-error.server.ts";
import { AuthError } from "#app/firebase/auth-error.server.ts";
import { DatabaseError } from "#app/firebase/database.server.ts";
import { getFieldNames, parseForm, type Form } from "#app/http/form.server.ts";
import { joinHeaders } from "#app/http/headers.ts";
import { logError } from "#app/http/log-error.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import {
  aboutSchema,
  changePasswordSchema,
  deleteAccountSchema,
  profileSchema,
  signOutEverywhereSchema,
} from "#app/profile/profile-schema.ts";
import { FLASH_SECTIONS, toFlashId, type ProfileActionResult } from "#app/profile/profile-view.ts";
import type { AuthUser } from "#app/session/user.ts";
import { setFlash } from "#app/site/flash/flash.server.ts";
import type { Flash } from "#app/site/flash/flash.ts";

/** The fields of all forms on the profile. */
export const PROFILE_FIELDS = [
  "intent",
  "uid",
  "session",
  "person",
  "unseen",
  "uncounted",
  ...getFieldNames(profileSchema),
  ...getFieldNames(aboutSchema),
  ...getFieldNames(changePasswordSchema),
  ...getFieldNames(signOutEverywhereSchema),
  ...getFieldNames(deleteAccountSchema),
] as const;

export type ProfileForm = Form<(typeof PROFILE_FIELDS)[number]>;

/** A submitted form, and the user who submitted it. */
export interface ProfileAction {
  request: Request;
  context: AppLoadContext;
  form: ProfileForm;
  user: AuthUser & { idToken: string };
}

/** Handles one intent: returns a redirect, or throws a `ProfileFormError`. */
export type ProfileActionHandler = (action: ProfileAction) => Promise<TypedResponse<never>>;

/** Thrown to show an error in the form. */
export class ProfileFormError extends Error {
  readonly status: number;
  readonly result: Omit<ProfileActionResult, "form">;

  constructor(status: number, result: Omit<ProfileActionResult, "form">) {
    super("The form has an error");
    this.status = status;
    this.result = result;
  }
}

/** Returns the form's values. @throws {ProfileFormError} with an error for each invalid field */
export function parseProfileForm<Schema extends z.ZodObject>(
  form: ProfileForm,
  schema: Schema,
): z.infer<Schema> {
  const submission = parseForm(form, schema);
  if (submission.status === "success") return submission.value;
  const fieldErrors = Object.entries(submission.error ?? {}).map(([name, errors]) => [
    name,
    errors ?? undefined,
  ]);
  throw new ProfileFormError(400, { fieldErrors: Object.fromEntries(fieldErrors) });
}

/**
 * Calls the provider.
 *
 * @param screen whose error messages are used
 * @param options.hint replaces the error's own
 * @param options.fields the fields at which errors are shown, by provider code; other errors are shown above the form
 * @throws {ProfileFormError} for an `AuthError`
 */
export async function callAuth<T>(
  screen: "sign-in" | "sign-up",
  call: () => Promise<T>,
  { hint, fields }: { hint?: string; fields?: ReadonlyMap<string, string> } = {},
): Promise<T> {
  try {
    return await call();
  } catch (error) {
    const { status, banner } = toFormError(screen, error);
    const field = error instanceof AuthError ? fields?.get(error.code) : undefined;
    if (field !== undefined) {
      throw new ProfileFormError(status, { fieldErrors: { [field]: [banner.message] } });
    }
    throw new ProfileFormError(status, {
      banner: hint === undefined ? banner : { ...banner, hint },
    });
  }
}

/** Waits until a setting is saved. @throws {ProfileFormError} when its database is unavailable or rejects the setting */
export async function saveSetting(saved: Promise<void>): Promise<void> {
  try {
    await saved;
  } catch (error) {
    throw new ProfileFormError(503, {
      banner: { message: "Not saved.", hint: `${explain(error)} Nothing was changed; try again.` },
    });
  }
}

function explain(error: unknown): string {
  if (error instanceof UnavailableError) return "We can't reach our database.";
  if (!(error instanceof DatabaseError)) throw error;
  // Its rules may not be deployed, which only the log can tell.
  logError("A setting was rejected.", error);
  return "Our database rejected the change.";
}

/** Redirects to the page that shows the flash. The hash scrolls a page without scripts to its section. */
export function redirectWithFlash(
  request: Request,
  path: string,
  flash: Flash,
  headers: HeadersInit = {},
) {
  const section = FLASH_SECTIONS[flash];
  const to = section ? `${path}#${toFlashId(section)}` : path;
  return redirect(to, { headers: joinHeaders(headers, setFlash(request, flash)), status: 303 });
}
