import { lazy, Suspense, useEffect, useRef, useState, type ComponentType } from "react";

import { useHydrated } from "#app/ui/use-hydrated.ts";
import { useEditorChoice } from "./editor-choice.ts";
import type { RichEditorProps } from "./rich-editor.client.tsx";
import styles from "./story-field.module.css";

const RichEditor = lazy<ComponentType<RichEditorProps>>(() =>
  import("./rich-editor.client.tsx").then(
    (module) => ({ default: module.RichEditor }),
    // Then the text area simply stays.
    () => ({ default: NoEditor }),
  ),
);

/**
 * The story's text: a text area of Markdown, which is what the form sends. Once the page stands, the rich editor takes
 * its place in the same box, unless plain Markdown was chosen here or somebody is writing in it just then.
 */
export function StoryField({ defaultValue }: { defaultValue: string }) {
  const areaRef = useRef<HTMLTextAreaElement>(null);
  const isHydrated = useHydrated();
  const [isPlain, setIsPlain] = useEditorChoice();
  const isWanted = useIdle() && isPlain === false;
  const [isReady, setIsReady] = useState(false);
  const [isShown, setIsShown] = useState(false);

  useEffect(() => {
    const area = areaRef.current;
    if (!isReady || !area) return undefined;
    // A window that loses the focus leaves it where it is.
    const show = () => document.activeElement === area || setIsShown(true);
    show();
    area.addEventListener("blur", show);
    return () => area.removeEventListener("blur", show);
  }, [isReady]);

  function choosePlain(next: boolean) {
    setIsPlain(next);
    setIsReady(false);
    setIsShown(false);
  }

  return (
    <div className={styles.story}>
      <div className={styles.choice}>
        {isHydrated ? (
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
        hidden={isShown}
        aria-label={isShown ? undefined : "Your story"}
        placeholder="Start writing…"
        defaultValue={defaultValue}
      />
      {isWanted ? (
        <Suspense fallback={null}>
          <RichEditor areaRef={areaRef} isShown={isShown} onReady={() => setIsReady(true)} />
        </Suspense>
      ) : null}
    </div>
  );
}

/** Returns whether the page stands and the browser has nothing else to do. */
function useIdle(): boolean {
  const [isIdle, setIsIdle] = useState(false);

  useEffect(() => {
    const rest = () => setIsIdle(true);
    // Not every browser tells when it is idle.
    if (typeof requestIdleCallback !== "function") {
      const timer = setTimeout(rest, 200);
      return () => clearTimeout(timer);
    }
    const request = requestIdleCallback(rest, { timeout: 2000 });
    return () => cancelIdleCallback(request);
  }, []);

  return isIdle;
}

function NoEditor() {
  return null;
}
