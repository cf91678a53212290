import type { HiddenPerson } from "#app/chat/hidden.ts";
import type { ReturnTo } from "#app/session/return-to.ts";
import type { User } from "#app/session/user.ts";
import type { StoryWithCounts } from "#app/stories/counts/counts-schema.ts";
import type { HiddenItem } from "#app/stories/library/library.ts";
import type { AnswersView } from "./answers-view.ts";
import type { UnsavedAbout, UnsavedProfile } from "./profile-schema.ts";
import type { ReportsView } from "./reports/reports-view.ts";

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

export function toTabPath(tab: ProfileTab): string {
  return `/profile?tab=${tab}`;
}

/** The profile, and what the open tab shows. What is unavailable is `null`. */
export type ProfileView = TabView & {
  user: User;
  /** Whether this site stores pictures. */
  canUpload: boolean;
  security: SecurityView | null;
  /** Whether the user has the tab with reports. */
  isOperator: boolean;
  /** How many messages have open reports; `null` for other users. */
  openReports: number | null;
  /** The page that the user wanted to open before they signed in. */
  returnTo: ReturnTo | null;
};

/** What each tab shows. */
export type TabView =
  | {
      tab: "name";
      /** The line about the user on their page. */
      about: string | null;
      /** What was submitted after the session had ended. */
      unsaved: UnsavedProfile | UnsavedAbout | null;
    }
  | { tab: "answers"; answers: AnswersView | null }
  | { tab: "stories"; stories: StoryWithCounts[] | null }
  | { tab: "security" }
  | {
      tab: "data";
      /** In how many files the user's data can be downloaded. */
      files: number;
      /** Whether the user is not shown in the room. */
      isUnseen: boolean | null;
      /** Whether the user is left out of the numbers of readers. */
      isUncounted: boolean | null;
    }
  | {
      tab: "hidden";
      /** The people whose messages the user has hidden. */
      hidden: HiddenPerson[] | null;
      /** The stories, tags and writers that the user has hidden. */
      hiddenItems: HiddenItem[] | null;
    }
  | { tab: "reports"; reports: ReportsView | null };

/** The forms of the profile, named after their intents. `run-profile-action.server.ts` says what each does. */
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

export function toSection(form: ProfileFormName): ProfileSection {
  return form === "unlink-google" ? "google" : form;
}

/** Returns the id of a section's flash. The redirect's hash scrolls a page without scripts there. */
export function toFlashId(section: ProfileSection): string {
  return `${section}-flash`;
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
