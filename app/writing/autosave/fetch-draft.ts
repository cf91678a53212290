import type { Draft } from "#app/writing/draft.ts";

/**
 * Fetches a draft from the account; `null` when there is none, or the session has expired.
 *
 * @throws when the account cannot be reached
 */
export async function fetchDraft(id: string): Promise<Draft | null> {
  const response = await fetch(`/drafts?${new URLSearchParams({ id })}`);
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No draft: ${response.status}`);
  const { draft }: { draft: Draft | null } = await response.json(); // from our own server
  return draft;
}
