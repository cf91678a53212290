import { createHash } from "node:crypto";

/** A Google account, with the claims of its ID token. */
export interface GoogleAccount {
  email: string;
  /** Whether Google has verified the address. */
  email_verified: boolean;
  name: string;
  picture?: string;
}

/** The initial accounts to choose from. Ana also has a password, from `seed.json`. */
export const DEMO_ACCOUNTS: readonly GoogleAccount[] = [
  { email: "ana@example.com", email_verified: true, name: "Ana Reyes" },
  {
    email: "mira@example.com",
    email_verified: true,
    name: "Mira Oduya",
    // A URL like Google's. Without a network, no photo is shown.
    picture: "https://lh3.googleusercontent.com/a/default-user=s96-c",
  },
  { email: "joon@example.com", email_verified: true, name: "Joon Park" },
];

/** Returns the account's id (`sub`): 21 digits, the same in every run. */
export function toSubject({ email }: GoogleAccount): string {
  const hash = createHash("sha256").update(email.toLowerCase()).digest("hex");
  return BigInt(`0x${hash}`).toString().slice(0, 21);
}
