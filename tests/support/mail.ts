import * as z from "zod";

import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";
import type { TestFirebase } from "./firebase.ts";

const mailsSchema = z.object({
  oobCodes: z.array(z.object({ email: z.string(), requestType: z.string(), oobCode: z.string() })),
});

const MODES: Record<string, string> = {
  PASSWORD_RESET: "resetPassword",
  VERIFY_EMAIL: "verifyEmail",
  VERIFY_AND_CHANGE_EMAIL: "verifyAndChangeEmail",
};

/** Returns the e-mails with links that still work, oldest first. `path` is the path of the link. */
export async function readMails({ hosts }: Pick<TestFirebase, "hosts">) {
  const url = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/emulator/v1/projects/${LOCAL_PROJECT_ID}/oobCodes`;
  const { oobCodes } = mailsSchema.parse(await (await fetch(url)).json());
  return oobCodes.map(({ email, requestType, oobCode }) => {
    const query = new URLSearchParams({ mode: MODES[requestType] ?? requestType, oobCode });
    return { email, requestType, oobCode, path: `/login?${query}&apiKey=local&lang=en` };
  });
}

/** Returns the path of the link in the newest e-mail to an address. */
export async function readLink(
  firebase: Pick<TestFirebase, "hosts">,
  email: string,
): Promise<string> {
  const mail = (await readMails(firebase)).findLast((candidate) => candidate.email === email);
  if (!mail) throw new Error(`Expected an e-mail to ${email}`);
  return mail.path;
}
