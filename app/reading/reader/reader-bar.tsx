import { Link, useNavigate } from "@remix-run/react";
import {
  useEffect,
  useRef,
  useState,
  type ReactNode,
  type RefObject,
  type SyntheticEvent,
} from "react";

import { ListenTool, type ListenToolProps } from "#app/reading/listening/listen-tool.tsx";
import { onScriptScroll } from "#app/reading/positions/scroll-events.ts";
import type { Progress } from "#app/reading/positions/use-position-tracking.ts";
import type { ReadingData } from "#app/reading/reading-data.ts";
import type { ReadingSettings } from "#app/reading/settings.ts";
import type { TogetherSwitchProps } from "#app/reading/together/together-switch.tsx";
import { readItem, writeItem } from "#app/site/storage.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";
import iconButton from "#app/ui/icon-button.module.css";
import { Icon } from "#app/ui/icon.tsx";
import { InlineScript } from "#app/ui/inline-script.tsx";
import { ServerHtml } from "#app/ui/server-html.tsx";
import type * as panelModule from "./panels.ts";
import { ContentsPanel, MorePanel, TypePanel } from "./panels.ts";
import styles from "./reader-bar.module.css";
import panelStyles from "./reader-panels.module.css";

export interface ReaderBarProps extends Pick<ListenToolProps, "text" | "onVoice"> {
  story: Pick<
    ReadingData,
    "id" | "title" | "address" | "author" | "version" | "chapters" | "words" | "hiding"
  >;
  progress: Progress;
  settings: ReadingSettings;
  onSettings: (settings: ReadingSettings) => void;
  /** The path to redirect to after a submit without scripts. */
  returnTo: string;
  /** Called before the browser follows a link to the previous or next chapter. */
  onChapter: (id: string) => void;
  bar: RefObject<HTMLDivElement>;
  /** `null` for visitors, who are never seen. */
  together: Omit<TogetherSwitchProps, "hasChapters"> | null;
  /** More tools, each a link or a form with one button. */
  children?: ReactNode;
}

/**
 * The bar with the story's tools: below the header, in small windows at the bottom. The panels are `<details>` elements, so
 * that they open without scripts. The code that updates them is loaded when they are used.
 */
export function ReaderBar({
  story,
  progress,
  settings,
  onSettings,
  returnTo,
  onChapter,
  onVoice,
  text,
  bar,
  together,
  children,
}: ReaderBarProps) {
  const { chapters } = story;
  const { percent, chapter } = progress;
  const contents = useRef<HTMLDetailsElement>(null);
  const type = useRef<HTMLDetailsElement>(null);
  const [panels, setPanels] = useState<typeof panelModule | null>(null);
  useRail(contents);

  // If loading fails, the next use tries again.
  const load = () => void (panels ?? import("./panels.ts").then(show, () => undefined));
  const show = (loaded: typeof panelModule) =>
    loaded.replacePanels(bar.current, settings, (changed) => {
      if (changed) onSettings(changed);
      setPanels(loaded);
    });
  /** After a client-side navigation, the panels have no HTML from the server. */
  const loadIfEmpty = ({ currentTarget }: SyntheticEvent) => {
    if (!currentTarget.querySelector("nav, form, ul")) load();
  };

  // Contents beside the text are visible before anybody uses them. Their code is loaded once the progress changes.
  const [initial] = useState(progress);
  useEffect(() => {
    if (progress !== initial && !panels && contents.current?.open) load();
  });

  return (
    <section ref={bar} className={styles.bar} aria-label="Reading tools" data-reader-bar>
      <p className={styles.title}>
        <Bdi>{story.title}</Bdi>
        <span className={styles.where}>
          {chapter < 0 ? null : `Chapter ${chapter + 1} of ${chapters.length} · `}
          {percent}%
        </span>
      </p>
      {chapters.length > 0 ? (
        <>
          <ChapterLink chapter={chapters[chapter - 1]} name="Previous" onFollow={onChapter} />
          <ChapterLink chapter={chapters[chapter + 1]} name="Next" onFollow={onChapter} />
          <details
            ref={contents}
            className={`${styles.tool} ${panelStyles.contents}`}
            data-contents
            onToggle={loadIfEmpty}
          >
            <summary onPointerEnter={load} onFocus={load}>
              <Icon name="list" />
              Contents
            </summary>
            {panels ? (
              <div key="live">
                <panels.ContentsPanel story={story} progress={progress} onChapter={onChapter} />
              </div>
            ) : (
              <ServerHtml>
                {import.meta.env.SSR ? <ContentsPanel story={story} progress={progress} /> : null}
              </ServerHtml>
            )}
          </details>
          <InlineScript code={OPEN_RAIL} />
        </>
      ) : null}
      <ListenTool className={styles.tool} story={story} text={text} onVoice={onVoice} />
      <details
        ref={type}
        className={`${styles.tool} ${panelStyles.type}`}
        data-type
        onToggle={load}
      >
        <summary onPointerEnter={load} onFocus={load}>
          <span className={styles.letters} aria-hidden="true">
            Aa
          </span>
          Type
        </summary>
        {panels ? (
          <div key="live">
            <panels.TypePanel settings={settings} onSettings={onSettings} returnTo={returnTo}>
              {together ? (
                <panels.TogetherSwitch {...together} hasChapters={chapters.length > 0} />
              ) : null}
            </panels.TypePanel>
          </div>
        ) : (
          <ServerHtml>
            {import.meta.env.SSR ? <TypePanel settings={settings} returnTo={returnTo} /> : null}
          </ServerHtml>
        )}
      </details>
      {children}
      <details className={`${styles.tool} ${panelStyles.more}`} onToggle={loadIfEmpty}>
        <summary onPointerEnter={load} onFocus={load}>
          <Icon name="more" />
          More
        </summary>
        {panels ? (
          <div key="live">
            <panels.MorePanel story={story} />
          </div>
        ) : (
          <ServerHtml>{import.meta.env.SSR ? <MorePanel story={story} /> : null}</ServerHtml>
        )}
      </details>
    </section>
  );
}

interface ChapterLinkProps {
  chapter: { id: string; title: string } | undefined;
  name: "Previous" | "Next";
  onFollow: (id: string) => void;
}

function ChapterLink({ chapter, name, onFollow }: ChapterLinkProps) {
  if (!chapter) return null;
  return (
    <Link
      className={`${iconButton.button} ${styles.step}`}
      to={`#${chapter.id}`}
      aria-label={`${name} chapter: ${chapter.title}`}
      onClick={() => onFollow(chapter.id)}
    >
      <Icon name={name === "Next" ? "forward" : "back"} />
    </Link>
  );
}

/** In pixels: shorter scrolls are ignored. */
const MIN_DISTANCE = 8;

/**
 * Sets `data-bars-hidden` on the root while the user scrolls down, so that the bars hide. A press on the text brings them
 * back, and closes a panel over the text.
 */
export function useHidingBar(bar: RefObject<HTMLElement>): void {
  useEffect(() => {
    const root = document.documentElement;
    let lastScrollY = scrollY;
    const findOpen = () =>
      [
        ...(bar.current?.querySelectorAll<HTMLDetailsElement>(":scope > details[open]") ?? []),
      ].filter((details) => !isRail(details));

    function onScroll() {
      const distance = scrollY - lastScrollY;
      if (Math.abs(distance) < MIN_DISTANCE) return;
      lastScrollY = scrollY;
      const isDown = distance > 0 && scrollY > innerHeight / 2;
      root.toggleAttribute("data-bars-hidden", isDown && findOpen().length === 0);
    }
    function onClick({ target }: MouseEvent) {
      if (!(target instanceof Element)) return;
      // A link to a chapter also closes the contents over the text.
      const isInBar = bar.current?.contains(target) ?? false;
      if (isInBar && !target.closest("nav a")) return;
      for (const details of findOpen()) details.open = false;
      if (!isInBar && !target.closest("a, button")) root.removeAttribute("data-bars-hidden");
    }
    const controller = new AbortController();
    const { signal } = controller;
    addEventListener("scroll", onScroll, { signal, passive: true });
    document.addEventListener("click", onClick, { signal });
    onScriptScroll(() => void (lastScrollY = scrollY), signal);
    return () => {
      controller.abort();
      root.removeAttribute("data-bars-hidden");
    };
  }, [bar]);
}

/** Set by the style sheet where there is space for the contents beside the text. */
const RAIL = "--is-rail";

const STORAGE_KEY = "inkglade.contents";
const CLOSED = "closed";

/** Opens the contents beside the text before the first paint, unless the user has closed them. */
const OPEN_RAIL = import.meta.env.SSR
  ? `(function (contents) {
  try {
    var isRail = getComputedStyle(contents).getPropertyValue("${RAIL}") === "1";
    contents.open = isRail && localStorage.getItem("${STORAGE_KEY}") !== "${CLOSED}";
  } catch {}
})(document.currentScript.previousElementSibling);`
  : "";

/** Whether a tool's panel is beside the text, and not over it. */
function isRail(details: HTMLDetailsElement): boolean {
  return getComputedStyle(details).getPropertyValue(RAIL) === "1";
}

/** Opens the contents where they have space beside the text, and remembers whether the user closes them there. */
function useRail(contents: RefObject<HTMLDetailsElement>): void {
  useBrowserLayoutEffect(
    () => (contents.current ? watchRail(contents.current) : undefined),
    [contents],
  );
}

/**
 * Opens and closes the contents as their space changes, and stores the user's choice. Returns the function that stops
 * this.
 */
function watchRail(details: HTMLDetailsElement): () => void {
  let wasRail = false;

  function onResize() {
    if (isRail(details) === wasRail) return;
    wasRail = !wasRail;
    details.open = wasRail && readItem(STORAGE_KEY) !== CLOSED;
  }
  function onToggle() {
    if (isRail(details)) writeItem(STORAGE_KEY, details.open ? "open" : CLOSED);
  }
  onResize();
  const resizes = new ResizeObserver(onResize);
  resizes.observe(document.body);
  details.addEventListener("toggle", onToggle);
  return () => {
    resizes.disconnect();
    details.removeEventListener("toggle", onToggle);
  };
}

const KEYS = ["ArrowRight", "ArrowLeft", "Escape", "l", "t", "?"];

interface ShortcutOptions {
  text: RefObject<HTMLElement>;
  bar: RefObject<HTMLElement>;
  hasSingleKeys: boolean;
  /** Called before a shortcut leads to another part of the story. */
  onPart: (id: string) => void;
}

/** Handles the shortcuts of the reading page. Their code is loaded when the first one is pressed. */
export function useShortcuts(options: ShortcutOptions): void {
  const navigate = useNavigate();
  const latest = useRef({ ...options, navigate });
  useEffect(() => {
    latest.current = { ...options, navigate };
  });

  useEffect(() => {
    function onKeyDown(event: KeyboardEvent) {
      if (!KEYS.includes(event.key)) return;
      const { text, bar, ...context } = latest.current;
      const caret = getCaret();
      const hasMovedCaret = () => getCaret().some((value, index) => value !== caret[index]);
      import("./shortcuts.client.ts").then(
        ({ handleShortcut }) =>
          handleShortcut(event, {
            ...context,
            text: text.current,
            bar: bar.current,
            isRail,
            hasMovedCaret,
          }),
        () => undefined,
      );
    }
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, []);
}

/** Returns where the selection, or the caret of caret browsing, begins and ends. */
function getCaret() {
  const { anchorNode, anchorOffset, focusNode, focusOffset } = getSelection() ?? {};
  return [anchorNode, anchorOffset, focusNode, focusOffset];
}
