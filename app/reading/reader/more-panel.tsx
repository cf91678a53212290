import { toStoryPath } from "#app/stories/book.ts";

export interface MorePanelProps {
  story: { id: string };
}

/** What can be done with a story besides reading it. */
export function MorePanel({ story }: MorePanelProps) {
  const path = toStoryPath(story.id);
  return (
    <div>
      <ul>
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
      </ul>
    </div>
  );
}
