import { useState } from "react";

import type { ReadingData } from "#app/reading/reading-data.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { LibraryForm } from "#app/stories/library/library-form.tsx";
import { KeepOffline } from "./keep-offline.tsx";
import { Share } from "./share.tsx";

export interface MorePanelProps {
  story: Pick<ReadingData, "id" | "title" | "address" | "hiding">;
}

/** What can be done with a story besides reading it. */
export function MorePanel({ story }: MorePanelProps) {
  const path = toStoryPath(story.id);
  return (
    <div>
      <ul>
        {import.meta.env.SSR ? null : <KeepOffline path={path} />}
        <li>
          <Share title={story.title} address={story.address} />
        </li>
        <li>
          <a href={`${path}.epub`}>Download as EPUB</a>
        </li>
        <li>
          <a href={`${path}.md`}>Download as Markdown</a>
        </li>
        <li>
          <a href={`${path}.txt`}>Download as plain text</a>
        </li>
        {/* Without scripts, the browser's own menu prints the page. */}
        {import.meta.env.SSR ? null : (
          <li>
            <button type="button" onClick={() => print()}>
              Print
            </button>
          </li>
        )}
        <li>
          <HideStory id={story.id} isHidden={story.hiding?.kind === "story"} />
        </li>
      </ul>
    </div>
  );
}

/** Hides the story from lists, or shows it again. */
function HideStory({ id, isHidden }: { id: string; isHidden: boolean }) {
  const [wasHidden] = useState(isHidden);
  return (
    <LibraryForm
      action="/hidden"
      field={["story", id]}
      intents={["hide", "show"]}
      isOn={isHidden}
      messageClassName={undefined}
    >
      {(isOn, button) => (
        <>
          <output>{isOn ? "You've hidden this story. It isn't in your lists." : ""}</output>
          {/* Not `aria-pressed` too, because the name already says it. */}
          <button {...button} aria-pressed={undefined}>
            {isOn ? getUndoName(wasHidden) : "Hide this story"}
          </button>
        </>
      )}
    </LibraryForm>
  );
}

function getUndoName(wasHidden: boolean): string {
  return wasHidden ? "Show again" : "Undo";
}
