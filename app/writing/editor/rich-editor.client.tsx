import { Milkdown, MilkdownProvider, useEditor } from "@milkdown/react";
import { useEffect, useRef, useState, type FormEvent, type RefObject } from "react";

import { WORDS_REPLACED } from "./draft-fields.ts";
import { LinkRow } from "./link-row.tsx";
import styles from "./rich-editor.module.css";
import { StoryEditor, type CaretState } from "./story-editor.ts";
import { Toolbar } from "./toolbar.tsx";

export interface RichEditorProps {
  /** The text area that it stands in for, and that goes on holding the text. */
  areaRef: RefObject<HTMLTextAreaElement>;
  /** Whether it is seen. Until then the text area is. */
  isShown: boolean;
  onReady: () => void;
}

/** The story as readers will see it, in place of its Markdown. What is written in it goes into the text area at once. */
export function RichEditor(props: RichEditorProps) {
  return (
    <MilkdownProvider>
      <Surface {...props} />
    </MilkdownProvider>
  );
}

const NOWHERE: CaretState = { on: [], can: [], link: null, isEmpty: false };

function Surface({ areaRef, isShown, onReady }: RichEditorProps) {
  const [caret, setCaret] = useState(NOWHERE);
  const [isLinking, setIsLinking] = useState(false);
  const storyRef = useRef<StoryEditor>();

  const { loading } = useEditor((root) => {
    const story = new StoryEditor({
      root,
      markdown: areaRef.current?.value ?? "",
      onWrite: (markdown) => {
        const area = areaRef.current;
        if (!area) return;
        area.value = markdown;
        // As if it had been typed there.
        area.dispatchEvent(new Event("input", { bubbles: true }));
      },
      onCaret: (next) => setCaret((last) => (areSame(last, next) ? last : next)),
      onLink: () => setIsLinking(true),
    });
    storyRef.current = story;
    return story.milkdown;
  });

  useEffect(() => {
    const area = areaRef.current;
    if (loading || !area) return undefined;
    const story = storyRef.current;
    const follow = () => story?.replace(area.value);
    story?.start();
    follow();
    area.addEventListener(WORDS_REPLACED, follow);
    // While the text area is still being written in.
    area.addEventListener("blur", follow);
    onReady();
    return () => {
      area.removeEventListener(WORDS_REPLACED, follow);
      area.removeEventListener("blur", follow);
    };
    // oxlint-disable-next-line react/exhaustive-deps -- once, when Milkdown has been made
  }, [loading]);

  return (
    <div className={styles.editor} hidden={!isShown}>
      <div className={styles.bar}>
        <Toolbar
          caret={caret}
          isLinking={isLinking}
          onRun={(tool) => storyRef.current?.run(tool)}
          onLink={() => setIsLinking(!isLinking)}
        />
      </div>
      {isLinking ? (
        <LinkRow
          address={caret.link}
          onSet={(address) => {
            setIsLinking(false);
            storyRef.current?.link(address);
          }}
          onCancel={() => {
            setIsLinking(false);
            storyRef.current?.focus();
          }}
        />
      ) : null}
      <div className={styles.surface} data-empty={caret.isEmpty || undefined} onInput={keepOut}>
        <Milkdown />
      </div>
    </div>
  );
}

/** The form hears of it through the text area, when the words are there. */
function keepOut(event: FormEvent) {
  event.stopPropagation();
}

function areSame(one: CaretState, other: CaretState): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
