import { useState } from "react";

import type { EditorData } from "#app/writing/editor-data.ts";

/** Returns the editor's data with the draft as it was last read, while the same draft can't be read again. */
export function useLastAvailable(editor: EditorData): EditorData {
  const [last, setLast] = useState(editor);
  if (!editor.isUnavailable && editor !== last) setLast(editor);
  const isKnown = editor.isUnavailable && !last.isUnavailable && last.draft.id === editor.draft.id;
  return isKnown ? { ...editor, draft: last.draft, isUnavailable: false } : editor;
}
