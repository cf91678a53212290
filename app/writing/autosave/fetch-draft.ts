import type { Draft } from "#app/writing/draft.ts";

/**
 * Fetches a draft as the account has it now; `null` when it is not there, or nobody is signed in any more.
 *
 * @throws when that cannot be told
 */
export async function fetchDraft(id: string): Promise<Draft | null> {
  const response = await fetch(`/drafts?${new URLSearchParams({ id })}`);
  if (response.status === 401) return null;
  if (!response.ok) throw new Error(`No draft: ${response.status}`);
  const { draft }: { draft: Draft | null } = await response.json(); // from our own server
  return draft;
}
