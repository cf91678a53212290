import { useState } from "react";

import type { EditorData } from "#app/writing/editor-data.ts";

/**
 * Returns the editor's data as they were last read: the draft while the same draft can't be read again, and everything
 * after the user has signed out elsewhere.
 */
export function useLastAvailable(editor: EditorData): EditorData {
  const [lastAvailable, setLastAvailable] = useState(editor);
  const isSignedOut = editor.uid === null;
  if (!isSignedOut && !editor.isUnavailable && editor !== lastAvailable) setLastAvailable(editor);
  if (isSignedOut) return lastAvailable;
  const isKnown =
    editor.isUnavailable &&
    !lastAvailable.isUnavailable &&
    lastAvailable.draft.id === editor.draft.id;
  return isKnown ? { ...editor, draft: lastAvailable.draft, isUnavailable: false } : editor;
}
