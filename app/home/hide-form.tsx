import { useState } from "react";

import { LibraryForm } from "#app/stories/library/library-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { Button } from "#app/ui/button.tsx";
import styles from "./writer-head.module.css";

const RESULTS = {
  tag: "Stories with it aren't in your lists.",
  writer: "Their stories aren't in your lists.",
};

export interface HideFormProps extends Pick<HiddenItem, "id"> {
  kind: keyof typeof RESULTS;
  isHidden: boolean;
}

/** Hides a tag or a writer from lists, or shows it again. Says so, because the list of this page stays the same. */
export function HideForm({ kind, id, isHidden }: HideFormProps) {
  const [wasHidden] = useState(isHidden);
  return (
    <LibraryForm
      action="/hidden"
      field={[kind, id]}
      intents={["hide", "show"]}
      isOn={isHidden}
      messageClassName={styles.message}
    >
      {(isOn, button) => (
        <>
          <output>{isOn ? `You've hidden this ${kind}. ${RESULTS[kind]} ` : ""}</output>
          {/* Not `aria-pressed` too, because the name already says it. */}
          <Button {...button} variant="quiet" aria-pressed={undefined}>
            {isOn ? getUndoName(wasHidden) : `Hide this ${kind}`}
          </Button>
        </>
      )}
    </LibraryForm>
  );
}

function getUndoName(wasHidden: boolean): string {
  return wasHidden ? "Show again" : "Undo";
}
