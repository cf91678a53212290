// Browsers fetch of these only what a text uses. Single weights of Literata: two of them are smaller than the variable
// font, so that true italics fit beside the regular.
import "@fontsource/literata/400.css";
import "@fontsource/literata/400-italic.css";
import "@fontsource/literata/700.css";
import "@fontsource-variable/atkinson-hyperlegible-next/index.css";
import "@fontsource/opendyslexic/400.css";
import "@fontsource/opendyslexic/700.css";
import "#app/styles/papers.css";

import { Link } from "@remix-run/react";
import { useContext, useRef, type CSSProperties } from "react";

import { NonceContext } from "#app/ui/nonce.ts";
import { readPath } from "#app/stories/book.ts";
import type { FirebaseConfig } from "#app/firebase/config.ts";
import { POSITION_FORM_ID } from "#app/stories/paragraph.ts";
import { minutesToRead } from "#app/stories/reading-time.ts";
import { FINISHED_PERCENT, minutesLeftAt } from "#app/reading/position.ts";
import type { ReadingSettings } from "#app/reading/settings.ts";
import { FurtherOffer } from "./position-elsewhere.tsx";
import { KeysHelp } from "./shortcuts-help.tsx";
import { PlaceholderLine } from "./placeholder-line.tsx";
import { ReturnOffer } from "./return-link.tsx";
import { QuoteKey } from "./quote-button.tsx";
import styles from "./reader.module.css";
import type { PlaceView, ReadingView } from "#app/reading/reading-data.ts";
import { StoryText } from "./story-text.tsx";
import { TypeSettings } from "./reading-settings.tsx";
import { useFurtherPlace } from "#app/reading/use-position-elsewhere.ts";
import { useHidingBar } from "./use-hiding-bar.ts";
import { useKeys } from "./use-shortcuts.ts";
import { useMarkedPassage } from "./use-marked-passage.ts";
import { usePlace } from "#app/reading/use-position-tracking.ts";
import { useSettings } from "./use-settings.ts";

export interface ReaderProps {
  view: ReadingView;
  /** Of whoever is signed in: their place goes to their account as well. */
  uid: string | undefined;
  /** The same at every render. */
  firebase: FirebaseConfig;
}

/** A story on its paper: the text as the reader has set it, and their place in it. */
export function Reader({ view, uid, firebase }: ReaderProps) {
  const text = useRef<HTMLDivElement>(null);
  const sheet = useRef<HTMLDetailsElement>(null);
  const help = useRef<HTMLDetailsElement>(null);
  const [settings, setSettings] = useSettings(view.settings);
  const place = usePlace(view, text, uid);
  const { percent, kept, other, wayBack, goOnAt } = place;
  const { further, dismiss } = useFurtherPlace({ story: view.id, uid, firebase, percent, kept });
  useMarkedPassage(view, place.lookUp);
  useHidingBar();
  useKeys({ text, sheet, help, view, areSingleKeysOn: settings.keys === "on" });
  const path = readPath(view.id);

  return (
    <div
      className={styles.reader}
      data-paper={settings.paper}
      data-font={settings.font}
      data-align={settings.align}
      data-paragraphs={settings.paragraphs}
      style={toStyle(settings)}
    >
      <PlaceholderLine as="p" />
      <div className={styles.track} aria-hidden="true">
        <div className={styles.bar} style={{ inlineSize: `${percent}%` }} />
      </div>
      <article aria-labelledby="story-title">
        <header className={styles.head}>
          <h1 id="story-title">{view.title}</h1>
          <p className={styles.byline}>
            {view.author} · {minutesToRead(view.words)} min
            {percent > 0 ? ` · ${percent}%` : null}
            {percent > 0 && percent < FINISHED_PERCENT
              ? ` · ${minutesLeftAt(percent, view.words)} min left`
              : null}
          </p>
          {view.isOpening ? <p className={styles.opening}>Preview: the first page</p> : null}
          <Places kept={kept} other={other} onGoOn={goOnAt} />
          {view.isPlaceUnreachable ? (
            <p className={styles.places}>
              We can't load your reading position right now. Reload in a moment to continue from
              there.
            </p>
          ) : null}
          <div className={styles.tools}>
            <TypeSettings
              details={sheet}
              settings={settings}
              onSettings={setSettings}
              returnTo={path}
            />
            <KeysHelp details={help} areSingleKeysOn={settings.keys === "on"} />
          </div>
        </header>
        <div ref={text}>
          <StoryText key={`${view.id} ${view.version}`} html={view.html} />
        </div>
        <div className={styles.float}>
          {further ? (
            <FurtherOffer
              further={further}
              onFollow={() => goOnAt(further.paragraph)}
              onDismiss={dismiss}
            />
          ) : null}
          {wayBack ? (
            <ReturnOffer
              place={wayBack}
              onFollow={() => goOnAt(wayBack.paragraph)}
              onDismiss={place.stayHere}
            />
          ) : null}
          <QuoteKey text={text} path={path} uid={uid} />
        </div>
        <ResumeScript place={view.place} />
        <form id={POSITION_FORM_ID} method="post" action="/place">
          <input type="hidden" name="story" value={view.id} />
          {uid ? <input type="hidden" name="uid" value={uid} /> : null}
        </form>
        <footer className={styles.foot}>
          {view.isOpening ? <p>End of the preview.</p> : null}
          <p className={styles.files}>
            Download: <a href={`${path}.md`}>Markdown</a> <a href={`${path}.txt`}>plain text</a>
          </p>
          <nav className={styles.neighbours} aria-label="More stories">
            {view.previous ? (
              <Link to={view.previous.path} rel="prev">
                {view.previous.title === null
                  ? "Previous story"
                  : `Previous: ${view.previous.title}`}
              </Link>
            ) : null}
            {view.next ? (
              <Link to={view.next.path} rel="next" className={styles.next}>
                {view.next.title === null ? "Next story" : `Next: ${view.next.title}`}
              </Link>
            ) : null}
          </nav>
        </footer>
      </article>
    </div>
  );
}

interface PlacesProps {
  kept: PlaceView | null;
  other: PlaceView | null;
  /** Called before one of the links leads on. */
  onGoOn: (paragraph: string) => void;
}

/** Ways back into the text. They are links, so they lead there without scripts too. */
function Places({ kept, other, onGoOn }: PlacesProps) {
  const isBegun = kept !== null && kept.percent < FINISHED_PERCENT;
  if (!isBegun && !other) return null;
  return (
    <p className={styles.places}>
      {isBegun ? (
        <a href={`#${kept.paragraph}`} onClick={() => onGoOn(kept.paragraph)}>
          Continue at {kept.percent}%
        </a>
      ) : null}
      {other ? (
        <a href={`#${other.paragraph}`} onClick={() => onGoOn(other.paragraph)}>
          {other.percent > (kept?.percent ?? 0)
            ? `Go to your furthest reading position (${other.percent}%)`
            : `Go back to ${other.percent}%, your reading position on another device`}
        </a>
      ) : null}
    </p>
  );
}

/** Runs before the page comes alive, so that nobody sees the beginning first. Its place is in the attribute. */
const RESUME = `(function (place) {
  var paragraph = !location.hash && place && document.getElementById(place);
  if (paragraph) paragraph.scrollIntoView();
})(document.currentScript.dataset.place);`;

function ResumeScript({ place }: { place: PlaceView | null }) {
  const nonce = useContext(NonceContext);
  const isBegun = place !== null && place.percent < FINISHED_PERCENT;
  return (
    <script
      nonce={nonce}
      data-place={isBegun ? place.paragraph : ""}
      // Browsers hide the nonce from React, which would miss it.
      suppressHydrationWarning
      // oxlint-disable-next-line react/no-danger -- a constant of this module
      dangerouslySetInnerHTML={{ __html: RESUME }}
    />
  );
}

/** Sizes are kept in CSS pixels and set in rem, so that they grow with the browser's own text size. */
function toStyle({ size, line, width }: ReadingSettings): CSSProperties {
  return {
    "--read-size": `${Number(size) / 16}rem`,
    "--read-line": line,
    "--read-width": `${width}rem`,
  } as CSSProperties; // React's type does not know of custom properties
}
