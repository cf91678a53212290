import { useNavigate } from "@remix-run/react";
import { useEffect, useMemo, useRef, useState, type CSSProperties } from "react";

import { readHiddenUids } from "#app/chat/hidden-storage.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { retry } from "#app/http/retry.ts";
import type { Progress } from "#app/reading/chapters.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import { useUser } from "#app/session/use-user.ts";
import type { FellowReader } from "#app/stories/readers/together.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { removeBidiControls } from "#app/ui/bidi-controls.ts";
import { describePart, getPart, toDots, type Dot } from "./parts.ts";
import type { TogetherSession } from "./together.client.ts";
import css from "./together-dots.css?inline";

/** The width of a dot, and of a dot with a name in a narrow window, in pixels. */
const DOT_WIDTH = 28;
const NAMED_DOT_WIDTH = 104;
const NARROW = "(max-width: 767px)";

const NOTE_MS = 6000;

// Not in the page's style sheet, which everybody loads.
const sheet = new CSSStyleSheet();
sheet.replaceSync(css);
document.adoptedStyleSheets.push(sheet);

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
  /** The people whom the user has hidden, as far as the page knows. */
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
  /** The dot whose names are shown: the id of its first reader. */
  const [open, setOpen] = useState<string | null>(null);
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
    setOpen(null);
    setNote(null);
    try {
      const path = await session?.findLastMessage(from);
      if (path) navigate(path, { preventScrollReset: true });
      else setNote({ name, text: " has not written about this story yet." });
    } catch {
      setNote({ name, text: "’s messages can't be loaded right now. Try again in a moment." });
    }
  }

  const dotWidth = matchMedia(NARROW).matches ? NAMED_DOT_WIDTH : DOT_WIDTH;
  const dots = width > 0 ? toDots(shown ?? [], chapters, (100 * dotWidth) / width) : [];
  return (
    <div data-together>
      <ul ref={list} aria-label="Reading together">
        {dots.map((dot) => (
          <DotItem
            key={getKey(dot)}
            dot={dot}
            chapters={chapters}
            isOpen={open === getKey(dot)}
            onOpenChange={(isOpen) => setOpen(isOpen ? getKey(dot) : null)}
            onPress={(reader) => void openLastMessage(reader)}
          />
        ))}
      </ul>
      <p aria-live="polite" data-note>
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
  /** Whether the names of several readers are shown. */
  isOpen: boolean;
  onOpenChange: (isOpen: boolean) => void;
  onPress: (reader: FellowReader) => void;
}

function DotItem({ dot: { at, readers }, chapters, isOpen, onOpenChange, onPress }: DotItemProps) {
  const button = useRef<HTMLButtonElement>(null);
  const [first] = readers;
  const side = at > 50 ? "end" : "start";
  const item = useRef<HTMLLIElement>(null);
  const close = useRef(() => {});
  useEffect(() => {
    close.current = () => onOpenChange(false);
  });
  useEffect(() => {
    if (!isOpen) return undefined;
    const closeFrom = ({ target }: Event) => {
      if (!(target instanceof Node && item.current?.contains(target))) close.current();
    };
    const closeWithKey = ({ key }: KeyboardEvent) => {
      if (key !== "Escape") return;
      close.current();
      button.current?.focus();
    };
    document.addEventListener("keydown", closeWithKey);
    document.addEventListener("pointerdown", closeFrom);
    document.addEventListener("focusin", closeFrom);
    return () => {
      document.removeEventListener("keydown", closeWithKey);
      document.removeEventListener("pointerdown", closeFrom);
      document.removeEventListener("focusin", closeFrom);
    };
  }, [isOpen]);

  const style = { "--at": `${at}%` } as CSSProperties; // React's type lacks custom properties
  if (!first) return null;
  if (readers.length === 1) {
    const place = describePart(first.part, chapters);
    return (
      <li style={style} data-side={side}>
        <button
          type="button"
          aria-label={removeBidiControls(`${first.name} is ${place}. Show their last message`)}
          onClick={() => onPress(first)}
        >
          <span data-dot />
          <span data-name>
            <Bdi>{first.name}</Bdi>
          </span>
        </button>
      </li>
    );
  }

  return (
    <li ref={item} style={style} data-side={side}>
      <button
        ref={button}
        type="button"
        aria-label={`${readers.length} people. Show their names`}
        aria-expanded={isOpen}
        onClick={() => onOpenChange(!isOpen)}
      >
        <span data-dot>{readers.length}</span>
        <span data-name>{readers.length} people</span>
      </button>
      {isOpen ? (
        <ul data-people>
          {readers.map((reader) => (
            <li key={reader.uid}>
              <button type="button" onClick={() => onPress(reader)}>
                <Bdi>{reader.name}</Bdi> is {describePart(reader.part, chapters)}
              </button>
            </li>
          ))}
        </ul>
      ) : null}
    </li>
  );
}
