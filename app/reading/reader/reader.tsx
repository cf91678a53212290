// Browsers load only the font that the text uses. Two static weights of Literata are so much smaller than its variable
// font that we can afford true italics.
import "@fontsource/literata/400.css";
import "@fontsource/literata/400-italic.css";
import "@fontsource/literata/700.css";
import "@fontsource-variable/atkinson-hyperlegible-next/index.css";
import "@fontsource/opendyslexic/400.css";
import "@fontsource/opendyslexic/700.css";
import "./literata.css";
import "#app/styles/papers.css";

import { Link, useLocation, useRevalidator } from "@remix-run/react";
import {
  useEffect,
  useRef,
  useState,
  type ComponentType,
  type CSSProperties,
  type ReactNode,
} from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { readCookie, writeCookie } from "#app/http/cookie.ts";
import { StoryEnd } from "#app/reading/end/story-end.tsx";
import { usePageHtml } from "#app/reading/page-html.ts";
import { SETTINGS_COOKIE, type ReadingData } from "#app/reading/reading-data.ts";
import type { ReadingSettings } from "#app/reading/settings.ts";
import { LazyTogetherDots, useTogetherSetting } from "#app/reading/together/together.tsx";
import type { TogetherStatus } from "#app/reading/together/together-dots.client.tsx";
import { usePositionTracking } from "#app/reading/positions/use-position-tracking.ts";
import { useRemoteChanges, useTextUpdate } from "#app/reading/use-remote-changes.ts";
import { toStoryPath, toTagPath, toWriterPath } from "#app/stories/book.ts";
import { toLanguageAttributes } from "#app/stories/language-attributes.ts";
import { LibraryForm, PlaceContext } from "#app/stories/library/library-form.tsx";
import type { HiddenItem } from "#app/stories/library/library.ts";
import { POSITION_FORM_ID } from "#app/stories/paragraph.ts";
import { FINISHED_PERCENT, isInProgress, getMinutesLeft } from "#app/stories/positions/position.ts";
import { getReadingMinutes } from "#app/stories/story.ts";
import { Bdi } from "#app/ui/bdi.tsx";
import { Button } from "#app/ui/button.tsx";
import { MessageBanner } from "#app/ui/message-banner.tsx";
import { PlaceholderLine } from "./placeholder.tsx";
import { PositionBanner, PositionLinks, ResumeScript, ReturnLink } from "./position-links.tsx";
import type { QuoteButtonProps } from "./quote-button.client.tsx";
import { ReaderBar, useHidingBar, useShortcuts } from "./reader-bar.tsx";
import styles from "./reader.module.css";
import textStyles from "./story-text.module.css";
import { usePassageMarks } from "./use-passage-marks.ts";

export interface ReaderProps {
  story: ReadingData;
  /** `undefined` for visitors, whose position is saved only in this browser. */
  uid: string | undefined;
  firebase: FirebaseConfig;
  /** The people that the user has hidden. */
  hiddenUids: readonly string[];
  /** More tools for the bar, each a link or a form with one button. */
  tools?: ReactNode;
}

/** A story with the user's settings, at their position. Give it a `key` that changes with the story. */
export function Reader({ story: latest, uid, firebase: config, hiddenUids, tools }: ReaderProps) {
  // Each revalidation returns a new object with the same values, which would restart the subscriptions.
  const [firebase] = useState(config);
  const text = useRef<HTMLDivElement>(null);
  const bar = useRef<HTMLDivElement>(null);
  const { shown: story, showUpdate } = useTextUpdate(latest, text);
  const [settings, changeSettings] = useSettings(story.settings);
  const tracking = usePositionTracking(story, text, uid);
  const { progress, saved, returnPosition, continueAt } = tracking;
  const { percent } = progress;
  const { revalidate } = useRevalidator();
  const { furtherPosition, dismiss } = useRemoteChanges({
    story: latest,
    uid,
    firebase,
    percent,
    saved,
    onUpdate: revalidate,
  });
  usePassageMarks(story, text, saved);
  const hasSingleKeys = settings.keys === "on";
  useLinkedPassage(tracking.onHash);
  useHidingBar(bar);
  useShortcuts({ text, bar, hasSingleKeys, onPart: continueAt });
  const path = toStoryPath(story.id);
  const place = isInProgress(saved) ? `#${saved.paragraph}` : "";
  const [isTogether, setIsTogether] = useTogetherSetting(story.id, uid);
  const [togetherStatus, setTogetherStatus] = useState<TogetherStatus | null>(null);

  return (
    <div
      className={styles.reader}
      data-paper={settings.paper}
      data-font={settings.font}
      data-align={settings.align}
      data-paragraphs={settings.paragraphs}
      data-quotes={settings.quotes}
      style={toStyle(settings)}
    >
      <PlaceholderLine as="p" />
      <PlaceContext.Provider value={place}>
        <ReaderBar
          story={story}
          progress={progress}
          settings={settings}
          onSettings={(next) => {
            changeSettings(next);
            // The server does not look for quotes while marks are turned off.
            if (next.quotes !== settings.quotes) revalidate();
          }}
          returnTo={path + place}
          onChapter={continueAt}
          onVoice={tracking.onVoice}
          text={text}
          bar={bar}
          together={
            uid === undefined
              ? null
              : { isOn: isTogether, onChange: setIsTogether, status: togetherStatus }
          }
        >
          {tools}
        </ReaderBar>
      </PlaceContext.Provider>
      <div className={styles.track}>
        <div className={styles.bar} style={{ inlineSize: `${percent}%` }} />
        {isTogether ? (
          <LazyTogetherDots
            story={story}
            progress={progress}
            firebase={firebase}
            hiddenUids={hiddenUids}
            onStatus={setTogetherStatus}
          />
        ) : null}
      </div>
      <article aria-labelledby="story-title">
        <header className={styles.head}>
          <h1 id="story-title" lang={story.language} dir="auto">
            {story.title}
          </h1>
          <p className={styles.byline}>
            <Link className={styles.writer} to={toWriterPath(story.uid)}>
              <Bdi>{story.author}</Bdi>
            </Link>
            <span>
              {" "}
              · {getReadingMinutes(story.words)} min
              {percent > 0 ? ` · ${percent}%` : null}
              {percent > 0 && percent < FINISHED_PERCENT
                ? ` · ${getMinutesLeft(percent, story.words)} min left`
                : null}
            </span>
          </p>
          {story.tags.length > 0 ? (
            <p className={styles.tags}>
              {story.tags.map((tag) => (
                <Link key={tag} to={toTagPath(tag)}>
                  <Bdi>{tag}</Bdi>
                </Link>
              ))}
            </p>
          ) : null}
          {story.isOngoing ? (
            <p className={styles.ongoing}>This story is still being written.</p>
          ) : null}
          {story.hiding ? <HiddenNote item={story.hiding} /> : null}
          <PositionLinks saved={saved} other={tracking.otherPosition} onFollow={continueAt} />
          {story.isPositionUnavailable ? (
            <p className={styles.note}>
              We can't load your reading position right now. Reload in a moment to continue from
              there.
            </p>
          ) : null}
        </header>
        <div ref={text}>
          <StoryText key={story.version} html={story.html} language={story.language} />
        </div>
        <div className={styles.banners} data-banners>
          {showUpdate ? <UpdateBanner onShow={showUpdate} /> : null}
          {furtherPosition ? (
            <PositionBanner position={furtherPosition} onFollow={continueAt} onDismiss={dismiss}>
              You're further ahead on another device. Continue at {furtherPosition.percent}%
            </PositionBanner>
          ) : null}
          {returnPosition ? (
            <PositionBanner
              position={returnPosition}
              onFollow={continueAt}
              onDismiss={tracking.dismissReturn}
            >
              Back to where you were ({returnPosition.percent}%)
            </PositionBanner>
          ) : null}
          <ReturnLink position={saved} />
        </div>
        <LazyQuoteButton text={text} path={path} uid={uid} />
        <ResumeScript position={story.position} />
        <form id={POSITION_FORM_ID} method="post" action="/reading-position">
          <input type="hidden" name="story" value={story.id} />
          {uid ? <input type="hidden" name="uid" value={uid} /> : null}
        </form>
      </article>
      <StoryEnd story={latest} uid={uid} />
    </div>
  );
}

const TEXT_ID = "text";

/**
 * A story's text. On the first page only the server renders it: it is not in the loader's data, and React does not
 * hydrate it. Give it a `key` that changes with the text.
 *
 * @param html the text after a client-side navigation; `null` on the first page
 */
function StoryText({ html, language }: Pick<ReadingData, "html" | "language">) {
  const initialHtml = usePageHtml("text", TEXT_ID, html);
  return (
    <div
      id={TEXT_ID}
      className={textStyles.text}
      {...toLanguageAttributes(language)}
      // Browsers serialize HTML slightly differently from the server.
      suppressHydrationWarning
      // The one place where stored text becomes HTML: stories/markdown.server.ts has sanitized it, and
      // tests/stories/markdown.test.ts proves with hostile texts that nothing in it runs.
      // oxlint-disable-next-line react/no-danger -- stories are Markdown, so their text has to become HTML somewhere
      dangerouslySetInnerHTML={{ __html: initialHtml }}
    />
  );
}

/** Says at the address of a hidden story that it is not in lists. */
function HiddenNote({ item: { kind, id, name } }: { item: HiddenItem }) {
  return (
    <LibraryForm
      action="/hidden"
      field={[kind, id]}
      intents={["hide", "show"]}
      isOn
      className={styles.note}
    >
      {(_, button) => (
        <>
          You've hidden this {kind}
          {kind === "tag" ? (
            <>
              : <Bdi>{name}</Bdi>
            </>
          ) : null}
          . The story isn't in your lists.{" "}
          <Button {...button} variant="quiet" aria-pressed={undefined}>
            Show again
          </Button>
        </>
      )}
    </LibraryForm>
  );
}

/** Offers a new version of the text that differs from what the user sees. */
function UpdateBanner({ onShow }: { onShow: () => void }) {
  return (
    <MessageBanner className={styles.banner}>
      Updated.{" "}
      <button type="button" onClick={onShow}>
        Show the changes
      </button>
    </MessageBanner>
  );
}

/** Loads `QuoteButton` on the first selection. */
function LazyQuoteButton(props: QuoteButtonProps) {
  const [QuoteButton, setQuoteButton] = useState<ComponentType<QuoteButtonProps> | null>(null);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    async function load() {
      const loaded = await import("./quote-button.client.tsx");
      if (signal.aborted) return;
      controller.abort();
      setQuoteButton(() => loaded.QuoteButton);
    }
    // If loading fails, the next selection tries again.
    const tryToLoad = () => void load().catch(() => undefined);
    document.addEventListener("selectionchange", tryToLoad, { signal });
    // Words may have been selected before the scripts ran.
    if (getSelection()?.isCollapsed === false) tryToLoad();
    return () => controller.abort();
  }, []);

  return QuoteButton && <QuoteButton {...props} />;
}

/** Sizes are CSS pixels, set in rem so that they scale with the browser's text size. */
function toStyle({ size, line, width }: ReadingSettings): CSSProperties {
  return {
    "--read-size": `${Number(size) / 16}rem`,
    "--read-line": line,
    "--read-width": `${width}rem`,
  } as CSSProperties; // React's type lacks custom properties
}

/**
 * Highlights the paragraph in the URL's hash, scrolls to it and focuses it.
 *
 * @param onHash called with every hash before scrolling; must be the same function at every render
 */
function useLinkedPassage(onHash: (hash: string) => void): void {
  const { hash, key } = useLocation();

  useEffect(() => {
    onHash(hash);
    const passage = /^#p-[\w-]+$/.test(hash) ? document.getElementById(hash.slice(1)) : null;
    if (!passage) return undefined;
    passage.dataset.linked = "";
    passage.tabIndex = -1;
    passage.focus({ preventScroll: true });
    passage.scrollIntoView({ behavior: "instant" });
    return () => {
      delete passage.dataset.linked;
    };
  }, [hash, key, onHash]);
}

/** Returns the settings of the text, and a function that changes them and saves them in this browser. */
function useSettings(initial: ReadingSettings) {
  const [settings, setSettings] = useState(initial);

  function changeSettings(next: ReadingSettings) {
    // Another tab may have saved other settings since this page was loaded.
    const saved = new URLSearchParams(readCookie(SETTINGS_COOKIE.name));
    const before = new URLSearchParams(settings);
    for (const [name, value] of new URLSearchParams(next)) {
      if (value !== before.get(name)) saved.set(name, value);
    }
    setSettings(next);
    writeCookie(SETTINGS_COOKIE, saved.toString());
  }

  return [settings, changeSettings] as const;
}
