import type { Flash } from "#app/site/flash/flash.ts";

/** The tabs below the user's details, each at `/profile?tab=…`. */
export const PROFILE_TABS = [
  { id: "name", label: "Name and photo" },
  { id: "answers", label: "Answers" },
  { id: "stories", label: "Your stories" },
  { id: "security", label: "Security" },
  { id: "data", label: "Data" },
  { id: "hidden", label: "Hidden" },
  { id: "reports", label: "Reports" },
] as const;

export type ProfileTab = (typeof PROFILE_TABS)[number]["id"];

/** Returns the tab of that name, or the first tab. Only operators have reports. */
export function findProfileTab(name: unknown, isOperator: boolean): ProfileTab {
  const tab = PROFILE_TABS.find(({ id }) => id === name)?.id ?? PROFILE_TABS[0].id;
  return tab === "reports" && !isOperator ? PROFILE_TABS[0].id : tab;
}

export function getTabLabel(tab: ProfileTab): string {
  return PROFILE_TABS.find(({ id }) => id === tab)?.label ?? "";
}

/** The forms of the profile, named after their intents. */
export const PROFILE_FORMS = [
  "save-profile",
  "save-about",
  "send-confirmation",
  "change-password",
  "send-password-link",
  "unlink-google",
  "sign-out-everywhere",
  "end-session",
  "save-unseen",
  "save-uncounted",
  "import-data",
  "show-person",
  "moderate",
  "delete-account",
] as const;

export type ProfileFormName = (typeof PROFILE_FORMS)[number];

/** Returns the form with that intent, if there is one. */
export function findProfileForm(intent: unknown): ProfileFormName | undefined {
  return PROFILE_FORMS.find((form) => form === intent);
}

/** The sections that show a flash: each form, and Google, where one form replaces the other. */
export type ProfileSection = Exclude<ProfileFormName, "unlink-google"> | "google";

/** The section that shows each flash. */
export const FLASH_SECTIONS: Partial<Record<Flash, ProfileSection>> = {
  "profile-saved": "save-profile",
  "about-saved": "save-about",
  "confirmation-sent": "send-confirmation",
  "password-changed": "change-password",
  "password-link-sent": "send-password-link",
  "google-linked": "google",
  "google-unlinked": "google",
  "signed-out-elsewhere": "sign-out-everywhere",
  "session-removed": "end-session",
  "unseen-saved": "save-unseen",
  "uncounted-saved": "save-uncounted",
  "person-shown": "show-person",
  "report-message-deleted": "moderate",
  "report-dismissed": "moderate",
  "person-muted": "moderate",
  "mute-lifted": "moderate",
  "story-unpublished": "moderate",
  "picture-removed": "moderate",
};

/** Returns the id of a section's flash. The redirect's hash scrolls a page without scripts there. */
export function toFlashId(section: ProfileSection): string {
  return `${section}-flash`;
}

/** Returns the section that shows the flash on this tab; `undefined` when the page shows it above the card. */
export function findFlashSection(
  flash: Flash | null,
  tab: ProfileTab,
  security: SecurityView | null,
): ProfileSection | undefined {
  const section = flash ? FLASH_SECTIONS[flash] : undefined;
  return section && isShown(section, tab, security) ? section : undefined;
}

function isShown(section: ProfileSection, tab: ProfileTab, security: SecurityView | null): boolean {
  if (section === "save-profile" || section === "save-about") return tab === "name";
  if (section === "save-unseen" || section === "save-uncounted") return tab === "data";
  if (section === "show-person") return tab === "hidden";
  if (section === "moderate") return tab === "reports";
  if (!security) return false;
  if (section === "send-confirmation") return !security.isEmailConfirmed;
  if (tab !== "security") return false;
  const { hasPassword, googleEmail, isGoogleOffered, sessions } = security;
  if (section === "change-password" || section === "sign-out-everywhere") return hasPassword;
  if (section === "send-password-link") return !hasPassword;
  if (section === "google") return googleEmail !== null || isGoogleOffered;
  return section !== "end-session" || sessions !== null;
}

/** The errors of a submitted form, or the report of an import. Every other success is a redirect with a flash. */
export interface ProfileActionResult {
  form: ProfileFormName | undefined;
  banner?: { message: string; hint?: string | undefined } | undefined;
  /** Errors by field name. */
  fieldErrors?: Record<string, string[] | undefined> | undefined;
  /** The typed values without passwords, and the hidden values for the next submit. */
  values?: Record<string, string> | undefined;
  report?: ImportReport | undefined;
}

/** What an import has done, in words. */
export interface ImportReport {
  message: string;
  details: string[];
  /** Whether the same file has to be imported again to continue. */
  isUnfinished: boolean;
}

/** The account's details from the provider; times are formatted. */
export interface SecurityView {
  isEmailConfirmed: boolean;
  hasPassword: boolean;
  /** The address of the linked Google account, or `null`. */
  googleEmail: string | null;
  isGoogleOffered: boolean;
  createdAt: string;
  signedInAt: string | null;
  /** The user's sessions, this browser's first; `null` when the registry cannot be read. */
  sessions: SessionView[] | null;
}

/** A session in the list; times are formatted. */
export interface SessionView {
  id: string;
  /** Such as "Firefox on Windows". */
  device: string;
  isCurrent: boolean;
  signedInAt: string;
  seenAt: string;
}
