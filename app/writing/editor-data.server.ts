import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { formatQuote } from "#app/chat/quotes/quote.ts";
import { createDocumentId } from "#app/firebase/document-id.ts";
import { FirestoreError } from "#app/firebase/firestore-error.server.ts";
import { withoutTimeLimit } from "#app/http/outgoing-calls.server.ts";
import { UnavailableError } from "#app/http/unavailable-error.server.ts";
import { getWaitUntil } from "#app/http/wait-until.server.ts";
import { getPageValues } from "#app/http/page-record.server.ts";
import { getUser } from "#app/session/user.server.ts";
import type { AuthUser } from "#app/session/user.ts";
import { getLocale } from "#app/site/locale/locale.server.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { chooseLanguage } from "#app/stories/languages.ts";
import { findFirstWords } from "#app/stories/markdown.server.ts";
import { getDrafts } from "#app/writing/drafts/drafts.server.ts";
import { compareDrafts } from "./versions/comparison.server.ts";
import { getVersions } from "#app/writing/versions/versions.server.ts";
import { draftTargetSchema } from "./draft-schema.ts";
import type { DraftsPanel, EditorData, OpenDraft } from "./editor-data.ts";
import { describeLosses, readLosses } from "./import/losses.ts";
import {
  IMPORTED_PARAM,
  isVersionsTab,
  NEW_PARAM,
  OLDER_PARAM,
  REVIEW_PARAM,
  ANNOUNCE_PARAM,
} from "./side-tabs.ts";

/**
 * Loads the draft in the URL with the list of drafts or versions. Without one it loads the draft that was changed last,
 * or an empty one for a new story.
 */
export async function loadEditorData({
  request,
  context,
}: LoaderFunctionArgs): Promise<EditorData> {
  const { user } = await getUser({ request, context });
  const query = new URL(request.url).searchParams;
  const id = draftTargetSchema.shape.id.safeParse(query.get("draft")).data;
  const language = readBrowserLanguage(request);
  const empty: EditorData = {
    uid: user?.uid ?? null,
    draft: createEmptyDraft(language, id),
    isUnavailable: id !== undefined && user !== null && !user.idToken,
    sidePanel: { kind: "drafts", drafts: null, older: null },
    isReviewing: query.has(REVIEW_PARAM),
    isJustPublished: query.has("published"),
    announcement: null,
    trashed: readTrashed(query),
    notKept: query.has(IMPORTED_PARAM)
      ? describeLosses(readLosses(query.get(IMPORTED_PARAM) ?? ""), "kept")
      : null,
    locale: getLocale(request, context),
    now: getPageValues(context).now ?? Date.now(),
  };
  if (!user?.idToken) return empty;

  if (id === undefined) {
    const sidePanel = await loadDraftsPanel(context, user, query);
    // The response to a form shows what was typed.
    const isPost = context.cloudflare.request?.method === "POST";
    const isWanted = !isPost && !query.has(NEW_PARAM) && !query.has(OLDER_PARAM);
    const lastDraft = isWanted ? sidePanel.drafts?.[0] : undefined;
    if (!lastDraft) return { ...empty, sidePanel };
    const draft = await catchUnreadable(getDrafts(context).open(user, lastDraft.id));
    return { ...empty, sidePanel, ...toEditorDraft(lastDraft.id, draft, language) };
  }
  if (isVersionsTab(query)) {
    return { ...empty, ...(await loadWithVersions(context, user, id, query, language)) };
  }
  const [sidePanel, draft] = await Promise.all([
    loadDraftsPanel(context, user, query),
    catchUnreadable(getDrafts(context).open(user, id)),
  ]);
  const opened = toEditorDraft(id, draft, language);
  const announcement = query.has(ANNOUNCE_PARAM) ? createAnnouncement(opened.draft) : null;
  return { ...empty, sidePanel, ...opened, announcement };
}

/** Returns a message that quotes the first words of a published story, for its writer to finish. */
function createAnnouncement({ storyId, publishedRevision, text }: OpenDraft): string | null {
  const first = storyId !== null && publishedRevision !== null ? findFirstWords(text) : undefined;
  if (storyId === null || !first) return null;
  const quote = formatQuote({ words: first.words, path: `${toStoryPath(storyId)}#${first.id}` });
  return `${quote}My new story is published.`;
}

/**
 * Loads the list of drafts. Drafts that have been in the trash for a day are deleted permanently after the response, so that
 * neither a page nor a save waits for that.
 */
async function loadDraftsPanel(
  context: AppLoadContext,
  user: AuthUser,
  query: URLSearchParams,
): Promise<DraftsPanel> {
  const drafts = getDrafts(context);
  const draftList = await drafts.list(user, query.get(OLDER_PARAM)).catch(ignoreDatabaseError);
  const defer = getWaitUntil(context);
  if (defer && draftList && draftList.overdue.length > 0) {
    defer(withoutTimeLimit(() => drafts.deletePermanently(user, draftList.overdue)));
  }
  return { kind: "drafts", drafts: draftList && draftList.drafts, older: draftList?.older ?? null };
}

/** Loads a draft with its versions instead of the other drafts, which saves a request. */
async function loadWithVersions(
  context: AppLoadContext,
  user: AuthUser,
  id: string,
  query: URLSearchParams,
  language: string,
): Promise<Pick<EditorData, "draft" | "isUnavailable" | "sidePanel">> {
  const [versions, loaded] = await Promise.all([
    getVersions(context).list(user, id).catch(ignoreDatabaseError),
    catchUnreadable(getDrafts(context).openWithVersion(user, id, query.get("version") ?? "")),
  ]);
  if (loaded === "unavailable") {
    const sidePanel = { kind: "versions", versions, version: null, changes: null } as const;
    return { ...toEditorDraft(id, loaded, language), sidePanel };
  }
  const { draft, version } = loaded;
  const isCompared = draft && version && query.get("view") === "changes";
  const changes = isCompared ? compareDrafts(version, draft) : null;
  return {
    ...toEditorDraft(id, draft, language),
    sidePanel: { kind: "versions", versions, version, changes },
  };
}

/** Resolves with `unavailable` when a draft cannot be read, because the page may still have to show typed text again. */
function catchUnreadable<T>(loading: Promise<T>): Promise<T | "unavailable"> {
  return loading.catch((error: unknown) => ignoreDatabaseError(error) ?? ("unavailable" as const));
}

/** Ignores errors of the database, which are logged where they occur. */
function ignoreDatabaseError(error: unknown): null {
  if (error instanceof UnavailableError || error instanceof FirestoreError) return null;
  throw error;
}

/**
 * Returns the draft for the editor. A draft that cannot be read opens empty at revision 0: if it exists, a save becomes
 * a conflict and overwrites nothing.
 *
 * @param language of a draft that has none
 */
function toEditorDraft(id: string, draft: OpenDraft | "unavailable" | null, language: string) {
  const isUnavailable = draft === "unavailable";
  const opened = isUnavailable || !draft ? createEmptyDraft(language, id) : draft;
  return { draft: { ...opened, language: opened.language ?? language }, isUnavailable };
}

/** Returns the language that a new story is in if its writer does not choose another one. */
function readBrowserLanguage({ headers }: Request): string {
  const languages = headers.get("Accept-Language")?.split(",") ?? [];
  return chooseLanguage(languages.map((entry) => entry.split(";")[0]?.trim()));
}

/** @param id from the URL, even if the account has no such draft: the browser may have a local copy of it */
function createEmptyDraft(language: string, id = createDocumentId()): OpenDraft {
  return {
    language,
    id,
    revision: 0,
    title: "",
    description: "",
    tags: [],
    cover: null,
    text: "",
    updatedAt: null,
    storyId: null,
    publishedRevision: null,
    deletedAt: null,
  };
}

function readTrashed(query: URLSearchParams): EditorData["trashed"] {
  const trashed = draftTargetSchema.safeParse({
    id: query.get("trashed"),
    revision: query.get("revision"),
  });
  return trashed.data ?? null;
}
