import { useState } from "react";

import type { EditorData } from "#app/writing/editor-data.ts";

/** Returns the editor's data with the draft as it was last read, while the same draft can't be read again. */
export function useLastAvailable(editor: EditorData): EditorData {
  const [lastAvailable, setLastAvailable] = useState(editor);
  if (!editor.isUnavailable && editor !== lastAvailable) setLastAvailable(editor);
  const isKnown =
    editor.isUnavailable &&
    !lastAvailable.isUnavailable &&
    lastAvailable.draft.id === editor.draft.id;
  return isKnown ? { ...editor, draft: lastAvailable.draft, isUnavailable: false } : editor;
}
