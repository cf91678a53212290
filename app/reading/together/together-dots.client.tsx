import { useNavigate } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type CSSProperties } from "react";

import { readHiddenUids } from "#app/chat/hidden.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { retry } from "#app/http/wait.ts";
import type { Progress } from "#app/reading/positions/use-position-tracking.ts";
import type { Chapter, ReadingData } from "#app/reading/reading-data.ts";
import { useUser } from "#app/session/user.ts";
import { FINISHED_PERCENT } from "#app/stories/positions/position.ts";
import { MAX_PART, QUARTERS, type FellowReader } from "#app/stories/readers/together.ts";
import { Bdi, removeBidiControls } from "#app/ui/bdi.tsx";
import { useLightDismiss } from "#app/ui/use-light-dismiss.ts";
import type { TogetherSession } from "./together.client.ts";
import styles from "./together-dots.module.css";

/** The width of a dot, and of a dot with a name in a narrow window, in pixels. */
const DOT_WIDTH = 28;
const NAMED_DOT_WIDTH = 104;
const NARROW = "(max-width: 767px)";

const NOTE_MS = 6000;

/** What the switch says about reading together. */
export interface TogetherStatus {
  /** `null` while unknown. */
  readers: FellowReader[] | null;
  isUnseen: boolean;
}

export interface TogetherDotsProps {
  story: Pick<ReadingData, "id" | "chapters">;
  progress: Progress;
  firebase: FirebaseConfig;
  /** The people that the user has hidden, as far as the page knows. */
  hiddenUids: readonly string[];
  /** Must be the same function at every render. */
  onStatus: (status: TogetherStatus | null) => void;
}

/** The others who read the story, on the progress line, and the record that shows the user to them. */
export function TogetherDots({
  story: { id: story, chapters },
  progress,
  firebase,
  hiddenUids,
  onStatus,
}: TogetherDotsProps) {
  const { uid, displayName = null, photoURL = null } = useUser() ?? {};
  const navigate = useNavigate();
  const list = useRef<HTMLUListElement>(null);
  const [session, setSession] = useState<TogetherSession | null>(null);
  const [readers, setReaders] = useState<FellowReader[] | null>(null);
  const [isUnseen, setIsUnseen] = useState(false);
  const [width, setWidth] = useState(0);
  const [note, setNote] = useState<{ name: string; text: string } | null>(null);
  const part = getPart(progress, chapters);

  useEffect(() => {
    if (uid === undefined) return undefined;
    const controller = new AbortController();
    const { signal } = controller;
    const reading = { user: { uid, displayName, photoURL }, story };
    const listeners = { onReaders: setReaders, onUnseen: setIsUnseen };
    void retry(async () => {
      const { joinTogether } = await import("./together.client.ts");
      return joinTogether(firebase, reading, listeners, signal);
    }, signal).then(setSession, () => undefined);
    return () => {
      controller.abort();
      setSession(null);
      setReaders(null);
    };
  }, [firebase, story, uid, displayName, photoURL]);

  useEffect(() => session?.setPart(part), [session, part]);

  const hidden = uid === undefined ? [] : [...readHiddenUids(uid), ...hiddenUids];
  const hiddenKey = hidden.join(" ");
  const shown = useMemo(() => {
    const uids = new Set(hiddenKey.split(" "));
    return readers && readers.filter((reader) => !uids.has(reader.uid));
  }, [readers, hiddenKey]);

  useEffect(() => onStatus({ readers: shown, isUnseen }), [onStatus, shown, isUnseen]);
  useEffect(() => () => onStatus(null), [onStatus]);

  useEffect(() => {
    if (!list.current) return undefined;
    const resizes = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0));
    resizes.observe(list.current);
    return () => resizes.disconnect();
  }, []);

  useEffect(() => {
    if (!note) return undefined;
    const timer = setTimeout(() => setNote(null), NOTE_MS);
    return () => clearTimeout(timer);
  }, [note]);

  async function openLastMessage({ uid: from, name }: FellowReader) {
    setNote(null);
    try {
      const path = await session?.findLastMessage(from);
      if (path) navigate(path, { preventScrollReset: true });
      else setNote({ name, text: " hasn't written about this story yet." });
    } catch {
      setNote({ name, text: "'s messages can't be loaded right now. Try again in a moment." });
    }
  }

  const dotWidth = matchMedia(NARROW).matches ? NAMED_DOT_WIDTH : DOT_WIDTH;
  const dots = width > 0 ? toDots(shown ?? [], chapters, (100 * dotWidth) / width) : [];
  return (
    <div className={styles.together}>
      <ul ref={list} className={styles.dots} aria-label="Reading together">
        {dots.map((dot) => (
          <DotItem
            key={getKey(dot)}
            dot={dot}
            chapters={chapters}
            onPress={(reader) => void openLastMessage(reader)}
          />
        ))}
      </ul>
      <p aria-live="polite" className={styles.note}>
        {note ? (
          <span>
            <Bdi>{note.name}</Bdi>
            {note.text}
          </span>
        ) : null}
      </p>
    </div>
  );
}

/** Dots keep their element, and with it the focus, when their readers move. */
function getKey({ readers }: Dot): string {
  return readers[0]?.uid ?? "";
}

interface DotItemProps {
  dot: Dot;
  chapters: ReadingData["chapters"];
  onPress: (reader: FellowReader) => void;
}

function DotItem({ dot: { at, readers }, chapters, onPress }: DotItemProps) {
  const [first, ...others] = readers;
  const style = { "--at": `${at}%` } as CSSProperties; // React's type lacks custom properties
  if (!first) return null;
  const place = describePart(first.part, chapters);
  return (
    <li className={styles.item} style={style} data-side={at > 50 ? "end" : "start"}>
      {others.length > 0 ? (
        <People readers={readers} chapters={chapters} onPress={onPress} />
      ) : (
        <button
          type="button"
          className={styles.button}
          aria-label={removeBidiControls(`${first.name} is ${place}. Show their last message`)}
          onClick={() => onPress(first)}
        >
          <span className={styles.dot} />
          <span className={styles.name}>
            <Bdi>{first.name}</Bdi>
          </span>
        </button>
      )}
    </li>
  );
}

interface PeopleProps extends Omit<DotItemProps, "dot"> {
  readers: readonly FellowReader[];
}

/** A dot for several readers, which shows their names. */
function People({ readers, chapters, onPress }: PeopleProps) {
  const details = useRef<HTMLDetailsElement>(null);
  useLightDismiss(details);
  const count = `${readers.length} people`;

  function press(reader: FellowReader) {
    if (details.current) details.current.open = false;
    onPress(reader);
  }

  return (
    <details ref={details}>
      <summary className={styles.button} aria-label={`${count}. Show their names`}>
        <span className={styles.dot}>{readers.length}</span>
        <span className={styles.name}>{count}</span>
      </summary>
      <ul className={styles.people}>
        {readers.map((reader) => (
          <li key={reader.uid}>
            <button type="button" onClick={() => press(reader)}>
              <Bdi>{reader.name}</Bdi> is {describePart(reader.part, chapters)}
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

const ORDINALS = ["first", "second", "third", "last"];

/** Readers at one place of the progress line. */
interface Dot {
  /** Where it is on the line, in percent. */
  at: number;
  readers: FellowReader[];
}

/**
 * Returns where a user is in a story, as exactly as others may see it: the number of the chapter, counted from 1, and 0
 * before the first; in a story without chapters, the quarter.
 */
function getPart(
  { percent, chapter }: Pick<Progress, "percent" | "chapter">,
  chapters: readonly Chapter[],
): number {
  if (chapters.length > 0) return Math.min(chapter + 1, MAX_PART);
  return Math.min(Math.floor((QUARTERS * percent) / FINISHED_PERCENT) + 1, QUARTERS);
}

/** Returns the end of a sentence such as "Mira Oduya is in chapter 3". */
function describePart(part: number, chapters: readonly Chapter[]): string {
  if (chapters.length === 0) return `in the ${ORDINALS[part - 1] ?? "first"} quarter`;
  return part < 1 ? "before chapter 1" : `in chapter ${Math.min(part, chapters.length)}`;
}

/**
 * Returns the dots of readers, in the order of the line: each in the middle of its part, and one for several that would
 * overlap.
 *
 * @param readers in the order of their names
 * @param gap the smallest distance of two dots, in percent of the line
 */
function toDots(
  readers: readonly FellowReader[],
  chapters: readonly Chapter[],
  gap: number,
): Dot[] {
  const dots: Dot[] = [];
  const placed = readers.map((reader) => ({ reader, at: getMiddle(reader.part, chapters) }));
  for (const { reader, at } of placed.toSorted((a, b) => a.at - b.at)) {
    const last = dots.at(-1);
    if (last && at - last.at < gap) last.readers.push(reader);
    else dots.push({ at, readers: [reader] });
  }
  return dots;
}

/** Returns the middle of a part, in percent of the story. */
function getMiddle(part: number, chapters: readonly Chapter[]): number {
  const last = chapters.at(-1);
  if (!last) return (FINISHED_PERCENT * (Math.min(Math.max(part, 1), QUARTERS) - 0.5)) / QUARTERS;
  const chapter = chapters[Math.min(part, chapters.length) - 1];
  const { start, end } = chapter ?? { start: 0, end: chapters[0]?.start ?? 0 };
  return (FINISHED_PERCENT * (start + end)) / 2 / Math.max(1, last.end);
}
