import { Link } from "@remix-run/react";
import type { Progress } from "#app/reading/positions/use-position-tracking.ts";
import type { Chapter, ReadingData } from "#app/reading/reading-data.ts";
import { FINISHED_PERCENT } from "#app/stories/positions/position.ts";
import { getReadingMinutes } from "#app/stories/story.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { VisuallyHidden } from "#app/ui/visually-hidden.tsx";

export interface ContentsPanelProps {
  story: Pick<ReadingData, "chapters" | "words">;
  progress: Progress;
  /** Called before the browser follows a link to the previous or next chapter. */
  onChapter?: (id: string) => void;
}

/** The chapters of a story, with what the user has read: beside the text in wide windows, otherwise over it. */
export function ContentsPanel({ story, progress, onChapter }: ContentsPanelProps) {
  const { chapters } = story;
  const { chapter, percent } = progress;
  const previous = chapters[chapter - 1];
  const next = chapters[chapter + 1];
  return (
    <nav aria-label="Contents">
      <p data-heading>Contents</p>
      <p data-where>
        {chapter < 0 ? null : `Chapter ${chapter + 1} of ${chapters.length} · `}
        {percent}%
      </p>
      <ol>
        {chapters.map((item, number) => (
          <ChapterItem
            key={item.id}
            item={item}
            number={number}
            isCurrent={number === chapter}
            story={story}
            progress={progress}
          />
        ))}
      </ol>
      <p data-steps>
        {previous ? (
          <Link to={`#${previous.id}`} onClick={() => onChapter?.(previous.id)}>
            Previous chapter
          </Link>
        ) : null}
        {next ? (
          <Link to={`#${next.id}`} onClick={() => onChapter?.(next.id)}>
            Next chapter
          </Link>
        ) : null}
      </p>
    </nav>
  );
}

interface ChapterItemProps extends Pick<ContentsPanelProps, "story" | "progress"> {
  item: Chapter;
  number: number;
  isCurrent: boolean;
}

function ChapterItem({ item, number, isCurrent, story, progress }: ChapterItemProps) {
  const { percent, chapter, chapterPercent } = progress;
  const isRead = percent >= FINISHED_PERCENT || number < chapter;
  const length = story.chapters.at(-1)?.end ?? 0;
  const minutes = getMinutes(item, isCurrent ? chapterPercent : 0, story.words, length);
  const isStarted = isCurrent && percent > 0;
  return (
    <li>
      <Link to={`#${item.id}`} aria-current={isCurrent || undefined}>
        <span data-name>
          {number + 1}. <Bdi>{item.title}</Bdi>
        </span>
        <span data-length>
          {isRead ? (
            <>
              <Icon name="check" />
              <VisuallyHidden>Read</VisuallyHidden>
            </>
          ) : (
            `${minutes} min${isStarted ? " left" : ""}`
          )}
        </span>
        {isCurrent && !isRead ? (
          <span data-track aria-hidden="true">
            <span style={{ inlineSize: `${chapterPercent}%` }} />
          </span>
        ) : null}
      </Link>
    </li>
  );
}

/**
 * Returns the reading time of the unread part of a chapter, in minutes.
 *
 * @param words the number of words in the whole story
 * @param length the length of the whole story, in UTF-16 units
 */
function getMinutes(
  { start, end }: Chapter,
  percent: number,
  words: number,
  length: number,
): number {
  const share = ((end - start) / Math.max(1, length)) * (1 - percent / 100);
  return getReadingMinutes(words * share);
}
