/** The parts of the profile below the person, each at `/profile?tab=…`. */
export const PROFILE_TABS = [
  { id: "name", label: "Name and photo" },
  { id: "security", label: "Security" },
] as const;

export type ProfileTab = (typeof PROFILE_TABS)[number]["id"];

/** Returns the tab of that name; the first when there is none. */
export function findProfileTab(name: unknown): ProfileTab {
  return PROFILE_TABS.find(({ id }) => id === name)?.id ?? PROFILE_TABS[0].id;
}

/** The forms of the profile, by the intent each posts. */
const PROFILE_FORMS = [
  "save-profile",
  "send-confirmation",
  "change-password",
  "send-password-link",
  "unlink-google",
  "sign-out-everywhere",
  "end-session",
  "delete-account",
] as const;

export type ProfileFormName = (typeof PROFILE_FORMS)[number];

/** Returns the form that posts that intent, if there is one. */
export function findProfileForm(intent: unknown): ProfileFormName | undefined {
  return PROFILE_FORMS.find((form) => form === intent);
}

/** Why a form was refused. */
export interface ProfileRefusal {
  form: ProfileFormName | undefined;
  banner?: { message: string; hint?: string | undefined } | undefined;
  /** Faults by the name of the field. */
  faults?: Record<string, string[] | undefined> | undefined;
  /** What was typed, but for passwords, and what else the form shall send the next time. */
  typed?: Record<string, string> | undefined;
}

/** What the provider knows of the account and the session does not; times are words already. */
export interface SecurityView {
  isEmailConfirmed: boolean;
  hasPassword: boolean;
  /** The address of the Google account that is linked; `null` for none. */
  googleEmail: string | null;
  isGoogleOffered: boolean;
  createdAt: string;
  signedInAt: string | null;
  /** Where the person is signed in, this browser first; `null` while the list cannot be read. */
  sessions: SessionView[] | null;
}

/** A session as its owner sees it; times are words. */
export interface SessionView {
  id: string;
  /** Such as "Firefox on Windows". */
  device: string;
  isHere: boolean;
  signedInAt: string;
  seenAt: string;
}
