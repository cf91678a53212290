import { createHash } from "node:crypto";

/** A person with a Google account, as an ID token describes them. */
export interface Person {
  email: string;
  /** Whether Google knows that the address is theirs. */
  email_verified: boolean;
  name: string;
  picture?: string;
}

/** Who can be chosen from the start. Ana is of `seed.json` and has a password as well. */
export const PEOPLE: readonly Person[] = [
  { email: "ana@example.com", email_verified: true, name: "Ana Reyes" },
  {
    email: "mira@example.com",
    email_verified: true,
    name: "Mira Oduya",
    // The kind of address Google gives. Without a network it shows nothing.
    picture: "https://lh3.googleusercontent.com/a/default-user=s96-c",
  },
  { email: "joon@example.com", email_verified: true, name: "Joon Park" },
];

/** Returns the id by which Google knows a person: 21 digits, and the same in every run. */
export function toSubject({ email }: Person): string {
  const hash = createHash("sha256").update(email.toLowerCase()).digest("hex");
  return BigInt(`0x${hash}`).toString().slice(0, 21);
}
