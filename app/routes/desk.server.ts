import type { LoaderFunctionArgs } from "@remix-run/cloudflare";

import type { DeskView, OpenDraft } from "#app/features/write/desk-view.ts";
import { draftTargetSchema } from "#app/schemas/manuscript-schema.ts";
import { createDocumentId } from "#app/schemas/document-id.ts";
import { getClock } from "#app/services/clock.server.ts";
import { compareManuscripts } from "#app/services/comparison.server.ts";
import type { Writer } from "#app/services/drafts.server.ts";
import { getServices, getVisitor } from "#app/services/services.server.ts";

/** Reads what a writer finds at Create: their drafts, and the one that the address names. */
export async function loadDesk({ request, context }: LoaderFunctionArgs): Promise<DeskView> {
  const { account, idToken } = await getVisitor({ request, context });
  const query = new URL(request.url).searchParams;
  const empty: DeskView = {
    uid: account?.uid ?? null,
    drafts: null,
    draft: newDraft(),
    versions: null,
    version: null,
    changes: null,
    removed: readRemoved(query),
    clock: getClock(request, context),
  };
  if (!account || !idToken) return empty;

  const writer = { uid: account.uid, displayName: account.displayName, idToken };
  const id = query.get("draft");
  const [drafts, opened] = await Promise.all([
    listDrafts(context, writer),
    id ? openDraft(context, writer, id, query) : {},
  ]);
  return { ...empty, drafts, ...opened };
}

/** Drafts that were deleted are only put away at first, and go at the first visit after a day. */
async function listDrafts(context: LoaderFunctionArgs["context"], writer: Writer) {
  const { drafts } = getServices(context);
  const list = await drafts.list(writer);
  if (!list) return null;
  if (list.overdue.length > 0) await drafts.purge(writer, list.overdue);
  return list.drafts;
}

async function openDraft(
  context: LoaderFunctionArgs["context"],
  writer: Writer,
  id: string,
  query: URLSearchParams,
): Promise<Partial<DeskView>> {
  const { drafts, versions } = getServices(context);
  const versionId = query.get("version");
  if (!draftTargetSchema.shape.id.safeParse(id).success) return {};
  const [draft, list, version] = await Promise.all([
    drafts.open(writer, id),
    versions.list(writer, id),
    versionId ? versions.open(writer, id, versionId) : null,
  ]);
  // Under its own id: this device may have kept words for it.
  if (!draft) return { draft: newDraft(id) };
  const isCompared = version !== null && query.get("view") === "changes";
  const changes = isCompared ? compareManuscripts(version, draft) : null;
  return { draft, versions: list, version, changes };
}

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
