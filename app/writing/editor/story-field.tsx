import { useCallback, useEffect, useRef, useState, type ComponentType } from "react";

import { useStoredSwitch } from "#app/site/use-stored-switch.ts";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { useBrowserLayoutEffect } from "#app/ui/use-browser-layout-effect.ts";
import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useTextHeight } from "#app/ui/use-text-height.ts";
import type { RichEditorProps } from "./rich-editor.client.tsx";
import styles from "./story-field.module.css";
import { useTypedText } from "./use-typed-text.ts";

export interface StoryFieldProps {
  text: string;
  /** Whether the rich editor replaces straight quotes and two hyphens as they are typed. */
  isTypographic: boolean;
}

/**
 * The story's text: a text area of Markdown, which the form sends. Once the page has loaded, the rich editor replaces it in
 * the same box, unless the user prefers plain Markdown or is typing in the text area.
 */
export function StoryField({ text, isTypographic }: StoryFieldProps) {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const defaultValue = useTypedText("[data-story-field] textarea", text);
  const hasScripts = useHydrated();
  const [isPlain, setIsPlain] = useStoredSwitch("inkglade.plain-markdown");
  const isWanted = useIdle() && isPlain === false;
  const { RichEditor, hasFailed, retry } = useRichEditor(isWanted);
  const [isReady, setIsReady] = useState(false);
  const [isShown, setIsShown] = useState(false);

  // A layout effect, so that the text area is hidden at once. Otherwise it could get the focus and immediately lose it.
  useBrowserLayoutEffect(() => {
    const area = areaRef.current;
    if (!isReady || !area) return undefined;
    // `activeElement` is still the text area after the window has lost the focus.
    const show = () => document.activeElement === area || setIsShown(true);
    show();
    area.addEventListener("blur", show);
    return () => area.removeEventListener("blur", show);
  }, [isReady]);

  useTextHeight(areaRef);

  function choosePlain(next: boolean) {
    setIsPlain(next);
    setIsReady(false);
    setIsShown(false);
  }

  return (
    <div className={styles.story} data-story-field>
      <div className={styles.choice}>
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
      {isWanted && RichEditor ? (
        <RichEditor
          areaRef={areaRef}
          isShown={isShown}
          isTypographic={isTypographic}
          onReady={() => setIsReady(true)}
        />
      ) : null}
      {isWanted && hasFailed ? (
        <MessageBanner
          severity="warn"
          hint={
            <Button
              variant="quiet"
              onPress={() => {
                // The focused button is about to disappear.
                areaRef.current?.focus();
                retry();
              }}
            >
              Try again
            </Button>
          }
        >
          We can't load the rich editor right now. Your story is saved as always.
        </MessageBanner>
      ) : null}
    </div>
  );
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

/**
 * Loads the rich editor once it is wanted, and again when the browser is back online. Until then the text area is shown.
 */
function useRichEditor(isWanted: boolean) {
  const [RichEditor, setRichEditor] = useState<ComponentType<RichEditorProps>>();
  const [hasFailed, setHasFailed] = useState(false);
  const isMissing = isWanted && !RichEditor;

  const load = useCallback(() => {
    import("./rich-editor.client.tsx").then(
      (module) => {
        setRichEditor(() => module.RichEditor);
        setHasFailed(false);
      },
      () => setHasFailed(true),
    );
  }, []);

  useEffect(() => {
    if (!isMissing) return undefined;
    load();
    addEventListener("online", load);
    return () => removeEventListener("online", load);
  }, [isMissing, load]);

  function retry() {
    setHasFailed(false);
    load();
  }

  return { RichEditor, hasFailed, retry };
}
