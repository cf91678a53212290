import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";

import { VALUE_REPLACED_EVENT } from "#app/writing/autosave/draft-fields.ts";
import { LinkRow } from "./link-row.tsx";
import { PasteRow } from "./paste-row.tsx";
import styles from "./rich-editor.module.css";
import { StoryEditor, type CaretState } from "./story-editor.ts";
import type { PasteNote } from "./story-paste.ts";
import { isFormat } from "./story-tools.ts";
import { Toolbar, type ToolbarAction } from "./toolbar.tsx";

export interface RichEditorProps {
  /** The text area that the editor replaces on the screen. It still contains the text. */
  areaRef: RefObject<HTMLTextAreaElement>;
  /** Whether the editor is visible instead of the text area. */
  isShown: boolean;
  /** Whether straight quotes and two hyphens become curly quotes and dashes as they are typed. */
  isTypographic: boolean;
  /** The open row below the toolbar. */
  row: EditorRow | null;
  onRow: (row: EditorRow | null) => void;
  onReady: (story: StoryEditor) => void;
}

/** A row below the toolbar. The one for a picture is not a part of the rich editor. */
export type EditorRow = "link" | "picture";

/** Shows the story as readers will see it. Each change is written to the text area at once. */
export function RichEditor(props: RichEditorProps) {
  return (
    <MilkdownProvider>
      <Surface {...props} />
    </MilkdownProvider>
  );
}

const NO_CARET: CaretState = { on: [], can: [], link: null, hasPicture: false, isEmpty: false };

function Surface(props: RichEditorProps) {
  const { areaRef, isShown, isTypographic, row, onRow, onReady } = props;
  const [caret, setCaret] = useState(NO_CARET);
  const [pasteNote, setPasteNote] = useState<PasteNote | null>(null);
  const storyRef = useRef<StoryEditor>();

  const { loading } = useEditor((root) => {
    const story = new StoryEditor({
      root,
      markdown: areaRef.current?.value ?? "",
      onWrite: (markdown) => {
        const area = areaRef.current;
        if (!area) return;
        area.value = markdown;
        // The form handles this event like typing.
        area.dispatchEvent(new Event("input", { bubbles: true }));
      },
      onCaret: (next) => setCaret((last) => (isSameCaret(last, next) ? last : next)),
      onLink: () => onRow("link"),
      onPasteNote: setPasteNote,
    });
    storyRef.current = story;
    return story.milkdown;
  });

  useEffect(() => {
    const area = areaRef.current;
    if (loading || !area) return undefined;
    const story = storyRef.current;
    const replace = () => story?.replace(area.value);
    story?.start();
    replace();
    area.addEventListener(VALUE_REPLACED_EVENT, replace);
    // The user may still be typing in the text area.
    area.addEventListener("blur", replace);
    if (story) onReady(story);
    return () => {
      area.removeEventListener(VALUE_REPLACED_EVENT, replace);
      area.removeEventListener("blur", replace);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- `onReady` is new at every render, and a second run would put the caret back to the start while the user types
  }, [loading]);

  useEffect(() => {
    if (!loading) storyRef.current?.setTypography(isTypographic);
  }, [loading, isTypographic]);

  function press(tool: ToolbarAction) {
    if (isFormat(tool)) storyRef.current?.run(tool);
    else onRow(row === tool ? null : tool);
  }

  function closeRow() {
    onRow(null);
    storyRef.current?.focus();
  }

  const on: ToolbarAction[] = [...caret.on];
  if (caret.link !== null || row === "link") on.push("link");
  if (caret.hasPicture || row === "picture") on.push("picture");

  return (
    <div className={styles.editor} hidden={!isShown}>
      <div className={styles.bar}>
        <Toolbar can={caret.can} on={on} onPress={press} />
      </div>
      {row === "link" ? (
        <LinkRow
          address={caret.link}
          onSet={(address) => {
            storyRef.current?.setLink(address);
            closeRow();
          }}
          onCancel={closeRow}
        />
      ) : null}
      <PasteRow
        note={row ? null : pasteNote}
        onClose={() => {
          setPasteNote(null);
          storyRef.current?.focus();
        }}
      />
      <div className={styles.surface} data-empty={caret.isEmpty || undefined} onInput={stopInput}>
        <Milkdown />
      </div>
    </div>
  );
}

/** Hides an event from the form: the text area dispatches its own once it contains the new text. */
function stopInput(event: FormEvent) {
  event.stopPropagation();
}

function isSameCaret(one: CaretState, other: CaretState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
