import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import {
  useEffect,
  useRef,
  useState,
  type FormEvent,
  type KeyboardEvent,
  type RefObject,
} from "react";

import { Button } from "#app/ui/button.tsx";
import { VALUE_REPLACED_EVENT } from "#app/writing/autosave/draft-fields.ts";
import styles from "./rich-editor.module.css";
import { toLinkAddress } from "./story-addresses.ts";
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
    const replace = () => story?.replace(area.value, false);
    // What the user has done to the text, for example by opening a file.
    const change = () => story?.replace(area.value, true);
    story?.start();
    replace();
    area.addEventListener(VALUE_REPLACED_EVENT, replace);
    area.addEventListener("change", change);
    // The user may still be typing in the text area.
    area.addEventListener("blur", change);
    if (story) onReady(story);
    return () => {
      area.removeEventListener(VALUE_REPLACED_EVENT, replace);
      area.removeEventListener("change", change);
      area.removeEventListener("blur", change);
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

interface LinkRowProps {
  /** The address of the link at the caret, or `null`. */
  address: string | null;
  /** `null` removes the link. */
  onSet: (address: string | null) => void;
  onCancel: () => void;
}

/** Asks for the address of a link, in a row below the toolbar. Its input has no name, so it is not part of the form's data. */
function LinkRow({ address, onSet, onCancel }: LinkRowProps) {
  const [typed, setTyped] = useState(address ?? "");
  const [isRejected, setIsRejected] = useState(false);
  const inputRef = useRef<HTMLInputElement>(null);

  useEffect(() => inputRef.current?.select(), []);

  function set() {
    const next = toLinkAddress(typed);
    if (next !== null) return onSet(next);
    setIsRejected(true);
    inputRef.current?.focus();
  }

  function handleKeyDown(event: KeyboardEvent) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    // Enter would submit the form.
    event.preventDefault();
    if (event.key === "Enter") set();
    else onCancel();
  }

  return (
    <fieldset className={styles.linkRow} aria-label="Link">
      <input
        ref={inputRef}
        type="url"
        className={styles.address}
        aria-label="Link address"
        placeholder="https://"
        value={typed}
        aria-invalid={isRejected || undefined}
        aria-describedby={isRejected ? "link-error" : undefined}
        onChange={(event) => {
          setTyped(event.target.value);
          setIsRejected(false);
        }}
        onKeyDown={handleKeyDown}
      />
      <Button onPress={set}>Link</Button>
      {address === null ? null : (
        <Button variant="quiet" onPress={() => onSet(null)}>
          Remove link
        </Button>
      )}
      <Button variant="quiet" onPress={onCancel}>
        Cancel
      </Button>
      {isRejected ? (
        <p id="link-error" className={styles.error} role="alert">
          Enter a web address or an e-mail address.
        </p>
      ) : null}
    </fieldset>
  );
}

/** Says what became of a pasted text. Always on the page, so that screen readers announce it. */
function PasteRow({ note, onClose }: { note: PasteNote | null; onClose: () => void }) {
  const alternative = note?.alternative;
  return (
    <div className={styles.pasteRow} data-shown={note ? true : undefined}>
      <output className={styles.pasteNote}>{note?.text}</output>
      {alternative ? (
        <Button variant="quiet" onPress={alternative.choose}>
          {alternative.label}
        </Button>
      ) : null}
      {note ? (
        <Button variant="quiet" onPress={onClose}>
          OK
        </Button>
      ) : null}
    </div>
  );
}
