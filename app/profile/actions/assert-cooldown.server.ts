import { getEmailCooldown } from "#app/accounts/email-links/cooldown.server.ts";
import { ProfileFormError, type ProfileAction } from "./profile-action.server.ts";

/** @throws {ProfileFormError} when the last e-mail to the user is less than a minute old */
export async function assertCooldown({ request, context, user }: ProfileAction): Promise<void> {
  const seconds = await getEmailCooldown(context).getSecondsLeft(request, user.email);
  if (seconds === 0) return;
  throw new ProfileFormError(429, {
    banner: {
      message: "We already sent you a link.",
      hint: `You can ask for another in ${seconds === 1 ? "a second" : `${seconds} seconds`}.`,
    },
  });
}
