import { useRef, useState, type ComponentType } from "react";

import { usePageHtml } from "#app/reading/page-html.ts";
import { STORY_END_ID, type ReadingData } from "#app/reading/reading-data.ts";
import type { StoryEndActionsProps } from "./story-end-actions.tsx";
import styles from "./story-end.module.css";

export interface StoryEndProps {
  story: Pick<ReadingData, "id" | "end">;
  uid: string | undefined;
}

/**
 * What follows a story's text. The server renders it; the code of its actions is loaded once the user points at it or
 * focuses it.
 */
export function StoryEnd({ story, uid }: StoryEndProps) {
  const initialHtml = usePageHtml("end", STORY_END_ID, story.end);
  const html = story.end ?? initialHtml;
  const element = useRef<HTMLElement>(null);
  const [Actions, setActions] = useState<ComponentType<StoryEndActionsProps>>();

  /** Loads the code of the actions. Links and forms also work without it. */
  function load() {
    import("./story-end-actions.tsx").then(
      ({ StoryEndActions }) => setActions(() => StoryEndActions),
      () => undefined,
    );
  }

  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- pressing the section itself does nothing: the handlers only load the code of the controls inside */}
      <section
        ref={element}
        id={STORY_END_ID}
        className={styles.end}
        aria-label="After the story"
        onPointerOver={load}
        onFocus={load}
        suppressHydrationWarning
        // oxlint-disable-next-line react/no-danger -- React rendered it on the server and escaped all values; as elements, its code would be in every story page's scripts
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {Actions ? <Actions root={element} story={story.id} uid={uid} html={html} /> : null}
    </>
  );
}
