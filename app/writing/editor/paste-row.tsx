import { Button } from "#app/ui/button.tsx";
import styles from "./rich-editor.module.css";
import type { PasteNote } from "./story-paste.ts";

/** Says what became of a pasted text. Always on the page, so that screen readers announce it. */
export function PasteRow({ note, onClose }: { note: PasteNote | null; onClose: () => void }) {
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
