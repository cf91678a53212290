import type { Notice } from "#app/site/flash/flash.ts";

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

/** The parts of the page that answer by themselves: each form, and Google, whose form changes with the answer. */
export type ProfileSection = Exclude<ProfileFormName, "unlink-google"> | "google";

/** Which part of the page a notice answers, and so stands in. */
export const NOTICE_SECTIONS: Partial<Record<Notice, ProfileSection>> = {
  "profile-saved": "save-profile",
  "confirmation-sent": "send-confirmation",
  "password-changed": "change-password",
  "password-link-sent": "send-password-link",
  "google-linked": "google",
  "google-unlinked": "google",
  "signed-out-elsewhere": "sign-out-everywhere",
  "session-removed": "end-session",
};

/** Returns the id of the element in which a section answers. A page without scripts is scrolled there. */
export function toAnswerId(section: ProfileSection): string {
  return `${section}-answer`;
}

/** Returns the section that says the notice on this page; `undefined` where none of them does, and the page says it. */
export function findNoticeSection(
  notice: Notice | null,
  tab: ProfileTab,
  security: SecurityView | null,
): ProfileSection | undefined {
  const section = notice ? NOTICE_SECTIONS[notice] : undefined;
  return section && isShown(section, tab, security) ? section : undefined;
}

function isShown(section: ProfileSection, tab: ProfileTab, security: SecurityView | null): boolean {
  if (section === "save-profile") return tab === "name";
  if (!security) return false;
  if (section === "send-confirmation") return !security.isEmailConfirmed;
  if (tab !== "security") return false;
  const { hasPassword, googleEmail, isGoogleOffered, sessions } = security;
  if (section === "change-password" || section === "sign-out-everywhere") return hasPassword;
  if (section === "send-password-link") return !hasPassword;
  if (section === "google") return googleEmail !== null || isGoogleOffered;
  return section !== "end-session" || sessions !== null;
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
