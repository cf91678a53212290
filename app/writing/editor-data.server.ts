import type { AppLoadContext, LoaderFunctionArgs } from "@remix-run/cloudflare";

import { createDocumentId } from "#app/firebase/document-id.ts";
import { getDefer } from "#app/http/wait-until.server.ts";
import { getUser } from "#app/session/user.server.ts";
import { getClock } from "#app/site/locale/locale.server.ts";
import { getDrafts } from "#app/writing/drafts/drafts.server.ts";
import { compareManuscripts } from "#app/writing/versions/comparison.server.ts";
import type { Writer } from "#app/writing/writer.ts";
import { draftTargetSchema } from "./draft-schema.ts";
import type { DeskView, OpenDraft } from "./editor-data.ts";
import { getVersions } from "./versions/versions.server.ts";

/** Reads what a writer finds at Create: the draft that the address names, and their drafts or its versions. */
export async function loadDesk({ request, context }: LoaderFunctionArgs): Promise<DeskView> {
  const user = await getUser({ request, context });
  const query = new URL(request.url).searchParams;
  const id = draftTargetSchema.shape.id.safeParse(query.get("draft")).data;
  const empty: DeskView = {
    uid: user?.uid ?? null,
    draft: newDraft(id),
    isUnreachable: id !== undefined && user !== null && !user.idToken,
    papers: { kind: "drafts", drafts: null },
    isJustPublished: query.has("published"),
    removed: readRemoved(query),
    clock: getClock(request, context),
    now: Date.now(),
  };
  if (!user?.idToken) return empty;

  const { uid, displayName, idToken } = user;
  const writer = { uid, displayName, idToken };
  if (id === undefined) return { ...empty, papers: await findDrafts(context, writer) };
  if (query.has("version") || query.get("papers") === "versions") {
    return { ...empty, ...(await openWithVersions(context, writer, id, query)) };
  }
  const [papers, draft] = await Promise.all([
    findDrafts(context, writer),
    orUnreachable(getDrafts(context).open(writer, id)),
  ]);
  return { ...empty, papers, ...toOpen(id, draft) };
}

/**
 * Drafts that were deleted are only put away at first. The first visit after a day deletes them for good, after its answer:
 * the page does not wait for it, and a save, which comes every few seconds, need not look for them.
 */
async function findDrafts(context: AppLoadContext, writer: Writer): Promise<DeskView["papers"]> {
  const drafts = getDrafts(context);
  const list = await drafts.list(writer);
  const defer = getDefer(context);
  if (defer && list && list.overdue.length > 0) defer(drafts.purge(writer, list.overdue));
  return { kind: "drafts", drafts: list && list.drafts };
}

/** Opens a draft with its versions in place of the other drafts: a page makes few requests. */
async function openWithVersions(
  context: AppLoadContext,
  writer: Writer,
  id: string,
  query: URLSearchParams,
): Promise<Pick<DeskView, "draft" | "isUnreachable" | "papers">> {
  const [versions, found] = await Promise.all([
    getVersions(context).list(writer, id),
    orUnreachable(getDrafts(context).openWithVersion(writer, id, query.get("version") ?? "")),
  ]);
  if (found === "unreachable") {
    const papers = { kind: "versions", versions, version: null, changes: null } as const;
    return { ...toOpen(id, found), papers };
  }
  const { draft, version } = found;
  const isCompared = draft && version && query.get("view") === "changes";
  const changes = isCompared ? compareManuscripts(version, draft) : null;
  return { ...toOpen(id, draft), papers: { kind: "versions", versions, version, changes } };
}

/** A page stands without what cannot be read: it may be bringing back what somebody has typed. */
function orUnreachable<T>(found: Promise<T>): Promise<T | "unreachable"> {
  // Whoever asked has logged it.
  return found.catch(() => "unreachable" as const);
}

/**
 * Returns what the editor opens. What cannot be read it opens as the first save of that id: should there be a draft, the
 * save is a conflict, and overwrites nothing.
 */
function toOpen(id: string, draft: OpenDraft | "unreachable" | null) {
  const isUnreachable = draft === "unreachable";
  return { draft: isUnreachable || !draft ? newDraft(id) : draft, isUnreachable };
}

/** @param id of a draft that is gone: this device may have kept words for it */
function newDraft(id = createDocumentId()): OpenDraft {
  return {
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

function readRemoved(query: URLSearchParams): DeskView["removed"] {
  const removed = draftTargetSchema.safeParse({
    id: query.get("removed"),
    revision: query.get("revision"),
  });
  return removed.data ?? null;
}
