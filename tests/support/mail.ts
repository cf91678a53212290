import * as z from "zod";

import type { FirebaseHosts } from "#emulator/hosts.ts";
import { LOCAL_PROJECT_ID } from "#emulator/local-project.ts";

const mailsSchema = z.object({
  oobCodes: z.array(z.object({ email: z.string(), requestType: z.string(), oobCode: z.string() })),
});

const MODES: Record<string, string> = {
  PASSWORD_RESET: "resetPassword",
  VERIFY_EMAIL: "verifyEmail",
  VERIFY_AND_CHANGE_EMAIL: "verifyAndChangeEmail",
};

/** Links of deleted accounts, which Google's Auth emulator keeps. */
const forgotten = new Set<string>();

/** From now on, `readMails` returns no e-mail that has been sent so far. */
export async function forgetMails(hosts: FirebaseHosts): Promise<void> {
  for (const { oobCode } of await readMails({ hosts })) forgotten.add(oobCode);
}

/** Returns the e-mails with links that still work, oldest first. `path` is the path of the link. */
export async function readMails({ hosts }: { hosts: FirebaseHosts }) {
  const url = `http://${hosts.FIREBASE_AUTH_EMULATOR_HOST}/emulator/v1/projects/${LOCAL_PROJECT_ID}/oobCodes`;
  const { oobCodes } = mailsSchema.parse(await (await fetch(url)).json());
  const sent = oobCodes.filter(({ oobCode }) => !forgotten.has(oobCode));
  return sent.map(({ email, requestType, oobCode }) => {
    const query = new URLSearchParams({ mode: MODES[requestType] ?? requestType, oobCode });
    return { email, requestType, oobCode, path: `/login?${query}&apiKey=local&lang=en` };
  });
}

/** Returns the path of the link in the newest e-mail to an address. */
export async function readLink(firebase: { hosts: FirebaseHosts }, email: string): Promise<string> {
  const mail = (await readMails(firebase)).findLast((candidate) => candidate.email === email);
  if (!mail) throw new Error(`Expected an e-mail to ${email}`);
  return mail.path;
}
