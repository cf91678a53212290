import type { DraftReply } from "#app/writing/editor-data.ts";
import type { DraftFields } from "#app/writing/editor/draft-fields.ts";

const TIMEOUT_MS = 30_000;

/** What is to be done with the draft, besides saving it. */
export type DraftIntent = "save" | "publish" | "unpublish";

/** The account keeps a text that is set aside as a version, and leaves the draft as it is. */
type PostIntent = DraftIntent | "set-aside";

/** A draft on its way to the account. */
export interface DraftPost {
  intent: PostIntent;
  /** Whose it is. Whoever else has signed in meanwhile does not get it. */
  uid: string;
  id: string;
  /** The save that it goes on from. */
  revision: number;
  /** Whether the user decided about that save in a conflict: the text that was not chosen becomes a version. */
  isOverwrite: boolean;
  fields: DraftFields;
}

/**
 * Saves a draft from a page that runs scripts. Never throws: whatever stands between the page and the
 * server, a sentence says so.
 */
export async function postDraft({
  intent,
  uid,
  id,
  revision,
  isOverwrite,
  fields,
}: DraftPost): Promise<DraftReply> {
  const body = new FormData();
  const values = { intent, uid, id, revision: String(revision), ...fields };
  for (const [name, value] of Object.entries(values)) body.append(name, value);
  if (isOverwrite) body.append("overwrite", String(revision));
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetch("/drafts", { method: "POST", body, signal });
    const reply: unknown = await response.json().catch(() => null);
    return isDraftReply(reply) ? reply : UNREACHABLE;
  } catch {
    return UNREACHABLE;
  }
}

const UNREACHABLE = {
  status: "refused",
  reason: "unreachable",
  message: "Not saved to your account yet.",
  hint: "We can't reach your account right now. Nothing was lost; we'll save it as soon as we can.",
} as const;

/** Our own server sends nothing else under these names; anything that stands in its place does not send them. */
function isDraftReply(reply: unknown): reply is DraftReply {
  return (
    typeof reply === "object" &&
    reply !== null &&
    "status" in reply &&
    (reply.status === "saved" || reply.status === "conflict" || reply.status === "refused")
  );
}
