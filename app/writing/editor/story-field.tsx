import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type SyntheticEvent,
} from "react";

import { useStoredSwitch } from "#app/site/use-stored-switch.ts";
import { createWordCounter } from "#app/stories/words.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useBrowserLayoutEffect, useHydrated } from "#app/ui/hydration.ts";
import { useTextHeight, useTypedText } from "#app/ui/text-area.ts";
import type { DroppedFiles } from "#app/writing/pictures/story-pictures.client.tsx";
import type { EditorRow } from "./rich-editor.client.tsx";
import type { StoryEditor } from "./story-editor.ts";
import styles from "./story-field.module.css";
import type { Point } from "./story-places.ts";

export interface StoryFieldProps {
  text: string;
  /** Whether the rich editor replaces straight quotes and two hyphens as they are typed. */
  isTypographic: boolean;
  /** Whether this site stores pictures. */
  canUpload: boolean;
}

const loadRichEditor = async () => (await import("./rich-editor.client.tsx")).RichEditor;

const loadPictures = async () =>
  (await import("#app/writing/pictures/story-pictures.client.tsx")).StoryPictures;

/**
 * The story's text: a text area of Markdown, which the form sends. Once the page has loaded, the rich editor replaces it in
 * the same box, unless the user prefers plain Markdown or is typing in the text area.
 */
export function StoryField({ text, isTypographic, canUpload }: StoryFieldProps) {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const defaultValue = useTypedText("[data-story-field] textarea", text);
  const hasScripts = useHydrated();
  const [isPlain, setIsPlain] = useStoredSwitch("inkglade.plain-markdown");
  const isWanted = useIdle() && isPlain === false;
  const richEditor = useLoaded(isWanted, loadRichEditor);
  /** The rich editor, once it contains the text. */
  const [story, setStory] = useState<StoryEditor | null>(null);
  const [isShown, setIsShown] = useState(false);
  const [row, setRow] = useState<EditorRow | null>(null);
  const [dropped, setDropped] = useState<DroppedFiles[]>([]);
  const pictures = useLoaded(row === "picture" || dropped.length > 0, loadPictures);

  // A layout effect, so that the text area is hidden at once. Otherwise it could get the focus and immediately lose it.
  useBrowserLayoutEffect(() => {
    const area = areaRef.current;
    if (!story || !area) return undefined;
    // `activeElement` is still the text area after the window has lost the focus.
    const show = () => document.activeElement === area || setIsShown(true);
    show();
    area.addEventListener("blur", show);
    return () => area.removeEventListener("blur", show);
  }, [story]);

  useTextHeight(areaRef);

  function choosePlain(next: boolean) {
    setIsPlain(next);
    setStory(null);
    setIsShown(false);
    setRow(null);
  }

  /** Takes files before an editor does. Their place is kept, because their script may have to load. */
  function takeFiles(event: SyntheticEvent, data: DataTransfer, point: Point | null) {
    const files = findPictureFiles(data);
    if (files.length === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const { current: area } = areaRef;
    const place = {
      story: isShown ? story?.takePlace(point) : undefined,
      area: area ? { text: area.value, offset: area.selectionEnd } : undefined,
    };
    setDropped((list) => [...list, { files, place }]);
  }

  const failed = richEditor.hasFailed
    ? { retry: richEditor.retry, words: NO_RICH_EDITOR }
    : { retry: pictures.retry, words: pictures.hasFailed ? NO_PICTURES : null };

  return (
    <div
      className={styles.story}
      data-story-field
      onPasteCapture={(event) => takeFiles(event, event.clipboardData, null)}
      onDropCapture={(event) =>
        takeFiles(event, event.dataTransfer, { left: event.clientX, top: event.clientY })
      }
    >
      <div className={styles.choice}>
        {/* The rich editor has this button in its toolbar. */}
        {isPlain === true || richEditor.hasFailed ? (
          <button
            type="button"
            className={styles.plain}
            aria-pressed={row === "picture"}
            onClick={() => setRow(row === "picture" ? null : "picture")}
          >
            Picture
          </button>
        ) : null}
        {hasScripts ? (
          <button
            type="button"
            className={styles.plain}
            aria-label="Plain Markdown"
            aria-pressed={isPlain === true}
            onClick={() => choosePlain(!isPlain)}
          >
            <span className={styles.wide}>Plain </span>Markdown
          </button>
        ) : null}
      </div>
      <textarea
        ref={areaRef}
        className={styles.text}
        name="text"
        dir="auto"
        hidden={isShown}
        aria-label={isShown ? undefined : "Your story"}
        placeholder="Start writing…"
        // A browser could restore an older text when the page is loaded again.
        autoComplete="off"
        defaultValue={defaultValue}
      />
      {isWanted && richEditor.Loaded ? (
        <richEditor.Loaded
          areaRef={areaRef}
          isShown={isShown}
          isTypographic={isTypographic}
          row={row}
          onRow={setRow}
          onReady={setStory}
        />
      ) : null}
      {pictures.Loaded ? (
        <pictures.Loaded
          areaRef={areaRef}
          story={isShown ? story : null}
          canUpload={canUpload}
          dropped={dropped}
          isPanelOpen={row === "picture"}
          isCovered={row === "link"}
          onPanel={(isOpen) => setRow(isOpen ? "picture" : null)}
        />
      ) : null}
      {failed.words === null ? null : (
        <MessageBanner
          severity="warn"
          hint={
            <Button
              variant="quiet"
              onPress={() => {
                // The focused button is about to disappear.
                areaRef.current?.focus();
                failed.retry();
              }}
            >
              Try again
            </Button>
          }
        >
          {failed.words}
        </MessageBanner>
      )}
    </div>
  );
}

const NO_RICH_EDITOR = "We can't load the rich editor right now. Your story is saved as always.";
const NO_PICTURES = "We can't add pictures right now. Your story is saved as always.";

/**
 * Returns the files of a drop or a paste, unless the editor reads the same better: text of a word processor, which comes with
 * a picture of it, or pictures of the web.
 */
function findPictureFiles(data: DataTransfer): File[] {
  const html = data.getData("text/html");
  const isText = data.getData("text/plain").trim() !== "";
  return isText || /data-pm-slice|<img[^>]+src=["']https:/i.test(html) ? [] : [...data.files];
}

/** Whether the page has loaded and the browser is idle. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);

  useEffect(() => {
    const onIdle = () => setIsIdle(true);
    // Safari has no `requestIdleCallback`.
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(onIdle, 200);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(onIdle, { timeout: 2000 });
    return () => cancelIdleCallback(request);
  }, []);

  return isIdle;
}

/** Counts only after a pause in typing, so that counting never delays typing. */
const DELAY_MS = 200;

/** Returns the number of words, and a function that counts a new text. */
export function useWordCount(initialText: string): [words: number, count: (text: string) => void] {
  const [countWords] = useState(createWordCounter);
  const [words, setWords] = useState(() => countWords(initialText));
  const timer = useRef<ReturnType<typeof setTimeout>>();

  useEffect(() => () => clearTimeout(timer.current), []);

  function count(text: string) {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setWords(countWords(text)), DELAY_MS);
  }
  return [words, count];
}

/**
 * Loads a component once it is wanted, and again when the browser is back online.
 *
 * @param load must be stable
 */
function useLoaded<Props>(isWanted: boolean, load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const [hasFailed, setHasFailed] = useState(false);
  const isMissing = isWanted && !Loaded;

  const start = useCallback(() => {
    load().then(
      (component) => {
        setLoaded(() => component);
        setHasFailed(false);
      },
      () => setHasFailed(true),
    );
  }, [load]);

  useEffect(() => {
    if (!isMissing) return undefined;
    start();
    addEventListener("online", start);
    return () => removeEventListener("online", start);
  }, [isMissing, start]);

  function retry() {
    setHasFailed(false);
    start();
  }

  return { Loaded, hasFailed: isWanted && hasFailed, retry };
}
