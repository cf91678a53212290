import { useContext, useEffect, useRef, useState, type ComponentType } from "react";

import { findHtmlInPage, PageHtmlContext } from "#app/reading/page-html.ts";
import { STORY_END_ID, type ReadingData } from "#app/reading/reading-data.ts";
import type { StoryEndActionsProps } from "./story-end-actions.tsx";
import styles from "./story-end.module.css";

export interface StoryEndProps {
  story: Pick<ReadingData, "id" | "end">;
  uid: string | undefined;
}

/** What follows a story's text. The server renders it, and its actions are loaded once the user touches it. */
export function StoryEnd({ story, uid }: StoryEndProps) {
  const pageHtml = useContext(PageHtmlContext);
  const [initialHtml] = useState(() => story.end ?? pageHtml?.end ?? findHtmlInPage(STORY_END_ID));
  const element = useRef<HTMLElement>(null);
  const [Actions, setActions] = useState<ComponentType<StoryEndActionsProps>>();
  const html = story.end ?? initialHtml;

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function load() {
      const loaded = await import("./story-end-actions.tsx");
      if (signal.aborted) return;
      controller.abort();
      setActions(() => loaded.StoryEndActions);
    }
    // Until then, and if loading fails, links and forms work without it.
    for (const type of ["pointerover", "focusin"]) {
      element.current?.addEventListener(type, () => void load().catch(() => undefined), { signal });
    }
    return () => controller.abort();
  }, []);

  return (
    <>
      <section
        ref={element}
        id={STORY_END_ID}
        className={styles.end}
        aria-label="After the story"
        suppressHydrationWarning
        // Rendered by React on the server, which escapes all values.
        // oxlint-disable-next-line react/no-danger -- see above
        dangerouslySetInnerHTML={{ __html: html }}
      />
      {Actions ? <Actions root={element} story={story.id} uid={uid} html={html} /> : null}
    </>
  );
}
