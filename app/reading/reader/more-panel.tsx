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
          <a href={`${path}.md`}>Download as Markdown</a>
        </li>
        <li>
          <a href={`${path}.txt`}>Download as plain text</a>
        </li>
      </ul>
    </div>
  );
}
