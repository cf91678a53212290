import { useCallback, useEffect, useRef, useState, type RefObject } from "react";

import { readCookie, writeCookie } from "#app/http/browser-cookie.ts";
import { startOf } from "#app/stories/paragraph.ts";
import { Attention } from "./attention.ts";
import { Lookup } from "./lookup.ts";
import {
  FINISHED_PERCENT,
  MAX_PLACE_TITLE_LENGTH,
  minutesLeftAt,
  percentAt,
  PLACES_COOKIE,
  putPlace,
  readPlaces,
  writePlaces,
  type Place,
} from "./position.ts";
import type { PlaceView, ReadingView } from "./reading-data.ts";
import { TextMap, type Spot } from "./text-map.ts";

/** After the last movement. */
const DEVICE_DELAY_MS = 1000;
const ACCOUNT_INTERVAL_MS = 10_000;

/**
 * Puts a reader back to their place and keeps it from then on: while they read, when the text changes its size, and
 * for the next time. `text` is the element around the text.
 */
export function usePlace(view: ReadingView, text: RefObject<HTMLElement>, uid: string | undefined) {
  const [percent, setPercent] = useState(view.place?.percent ?? 0);
  const [kept, setKept] = useState(view.place);
  const [other, setOther] = useState(view.other);
  const [wayBack, setWayBack] = useState<PlaceView | null>(null);
  const following = useRef<Follower>();
  // The loader's answer to a form is a new object with the same story, and moves nobody.
  const latest = useRef({ view, uid, kept });
  useEffect(() => {
    latest.current = { view, uid, kept };
  });

  useEffect(() => {
    const root = text.current;
    if (!root) return undefined;
    const { place } = latest.current.view;
    const follower = new Follower(root, latest.current.view, (next) => {
      setPercent(next.percent);
      keepOnDevice(next);
      setKept(toView(next));
      const { uid: reader, view: shown } = latest.current;
      // A later place would take the stead of one that the reader has not seen.
      if (reader && !shown.isPlaceUnreachable) keepInAccount({ uid: reader, place: next });
    });
    following.current = follower;
    follower.onMove = setPercent;
    follower.onLookup = () => {
      const { kept: own } = latest.current;
      if (own && own.percent < FINISHED_PERCENT) setWayBack((before) => before ?? own);
    };
    setPercent(place?.percent ?? 0);
    setKept(place);
    setOther(latest.current.view.other);
    if (!location.hash && place && place.percent < FINISHED_PERCENT) follower.goTo(place);
    return () => {
      follower.stop();
      setWayBack(null);
    };
  }, [view.id, view.version, text]);

  return {
    percent,
    kept,
    other,
    /** Where the reader was before they looked something up. */
    wayBack,
    /** Call before a link leads to a place where the reader goes on. */
    goOnAt: (paragraph: string) => {
      following.current?.lookup.allow(paragraph);
      setWayBack(null);
    },
    stayHere: () => setWayBack(null),
    /** Call when the address has led to a passage. */
    lookUp: useCallback((hash: string) => following.current?.lookup.follow(hash), []),
  };
}

type Story = Pick<ReadingView, "id" | "title" | "words" | "place">;

/** Follows the first visible line of one text. */
class Follower {
  /** Called with the percent of every line that is reached. */
  onMove: (percent: number) => void = () => {};
  /** Called when the text is scrolled to something that is looked up. */
  onLookup: () => void = () => {};
  readonly lookup: Lookup;
  readonly #map: TextMap;
  readonly #root: HTMLElement;
  readonly #story: Story;
  readonly #keep: (place: Place) => void;
  readonly #resizes: ResizeObserver;
  readonly #attention: Attention;
  #spot: Spot | null = null;
  /** How much of the text lies before the line at the top. */
  #percent = 0;
  /** Where we have scrolled to ourselves, which is no movement of the reader's. */
  #ownY: number | null = null;
  #frame = 0;
  #holdFrame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #isMoved = false;

  constructor(root: HTMLElement, story: Story, keep: (place: Place) => void) {
    this.#root = root;
    this.#map = new TextMap(root);
    this.#attention = new Attention(root);
    const getView = () => ({
      top: topOfWindow(),
      height: innerHeight,
      isAtEnd: this.#isAtEnd(),
    });
    this.lookup = new Lookup({
      map: this.#map,
      getView,
      ownParagraph: story.place?.paragraph,
      page: document,
    });
    this.#story = story;
    this.#keep = keep;
    this.#resizes = new ResizeObserver(this.#hold);
    this.#resizes.observe(root);
    // What comes and goes above the text, like an offer.
    this.#resizes.observe(document.body);
    setAnchoring(false);
    addEventListener("scroll", this.#scroll, { passive: true });
    addEventListener("pagehide", this.#leave);
    document.addEventListener("visibilitychange", this.#leave);
  }

  stop(): void {
    this.#leave();
    this.#resizes.disconnect();
    this.#attention.stop();
    this.lookup.stop();
    setAnchoring(true);
    cancelAnimationFrame(this.#frame);
    cancelAnimationFrame(this.#holdFrame);
    removeEventListener("scroll", this.#scroll);
    removeEventListener("pagehide", this.#leave);
    document.removeEventListener("visibilitychange", this.#leave);
  }

  /** Puts a place at the top of the window. */
  goTo({ paragraph, offset }: Pick<PlaceView, "paragraph" | "offset">): void {
    const number = this.#map.find(paragraph);
    if (number < 0) return;
    this.#spot = { number, offset };
    this.#hold();
  }

  /** Whatever has changed the size of the text: the line that was at the top is there again. */
  readonly #hold = () => {
    if (!this.#root.isConnected) return;
    const top = this.#spot && this.#map.topOf(this.#spot);
    if (top === null || top === undefined) return;
    const distance = top - topOfWindow();
    const before = scrollY;
    if (Math.abs(distance) >= 1) scrollBy({ top: distance, behavior: "instant" });
    this.#ownY = scrollY;
    // Sections that come into view are laid out only then, and may be taller than they were taken for.
    if (scrollY !== before) this.#holdFrame = requestAnimationFrame(this.#hold);
    if (this.#spot) this.#setSpot(this.#spot);
  };

  #setSpot(spot: Spot): void {
    this.#spot = spot;
    setAnchoring(false);
    if (this.lookup.isOn) return;
    const share = percentAt(this.#map.positionOf(spot), this.#map.length);
    this.#percent = this.#isAtEnd() ? FINISHED_PERCENT : share;
    this.onMove(this.#percent);
  }

  readonly #scroll = () => {
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => {
      // The page has gone on to another one, whose scrolling this is.
      if (!this.#root.isConnected) return;
      if (this.#ownY !== null && Math.abs(scrollY - this.#ownY) < 2) return;
      this.#ownY = null;
      this.lookup.scroll(location.hash);
      // Whoever has gone on to the room reads nothing on the way, and is not held back.
      if (this.#attention.isAway) {
        this.#save();
        this.#spot = null;
        setAnchoring(true);
        return;
      }
      const spot = this.#map.spotAt(topOfWindow());
      // Above the text nobody reads: the place stays.
      if (!spot) return void (this.#spot = null);
      if (this.lookup.isOn) {
        // Where the reader was is kept, not where they look.
        this.#save();
        this.#setSpot(spot);
        this.onLookup();
        return;
      }
      this.#setSpot(spot);
      this.#isMoved = true;
      clearTimeout(this.#timer);
      this.#timer = setTimeout(this.#save, DEVICE_DELAY_MS);
    });
  };

  readonly #save = () => {
    clearTimeout(this.#timer);
    const spot = this.#spot;
    const paragraph = spot && this.#map.paragraphs[spot.number];
    if (!paragraph || !this.#isMoved) return;
    this.#isMoved = false;
    const { id, title, words } = this.#story;
    const percent = this.#percent;
    this.#keep({
      story: id,
      title: title.slice(0, MAX_PLACE_TITLE_LENGTH),
      paragraph: paragraph.id,
      start: startOf(paragraph.textContent ?? ""),
      offset: spot.offset,
      number: spot.number,
      percent,
      minutesLeft: minutesLeftAt(percent, words),
      time: Date.now(),
    });
  };

  readonly #leave = () => {
    this.#save();
    sendWaiting();
  };

  /** Whether the last line is in view. */
  #isAtEnd(): boolean {
    return this.#root.getBoundingClientRect().bottom <= innerHeight + 2;
  }
}

/** The browser's own way of holding the text would look like the reader's scrolling, and move their place. */
function setAnchoring(isOn: boolean): void {
  document.documentElement.style.overflowAnchor = isOn ? "" : "none";
}

/** Where a line counts as the first: what is linked to comes to stand there as well. */
function topOfWindow(): number {
  return parseFloat(getComputedStyle(document.documentElement).scrollPaddingTop) || 0;
}

function keepOnDevice(place: Place): void {
  const places = readPlaces(readCookie(PLACES_COOKIE.name));
  writeCookie(PLACES_COOKIE, writePlaces(putPlace(places, place)));
}

/** A place on its way to the account of the person who is there. */
interface PlacePost {
  uid: string;
  place: Place;
}

let waiting: PlacePost | undefined;
let sentAt = -Infinity;
let sending: ReturnType<typeof setTimeout> | undefined;

/** Sends the place at most every ten seconds. The last one always goes: on leaving at the latest. */
function keepInAccount(post: PlacePost): void {
  waiting = post;
  clearTimeout(sending);
  sending = setTimeout(sendWaiting, Math.max(0, sentAt + ACCOUNT_INTERVAL_MS - Date.now()));
}

function sendWaiting(): void {
  clearTimeout(sending);
  if (!waiting) return;
  const { uid, place } = waiting;
  const body = new URLSearchParams({ uid, place: JSON.stringify(place) });
  waiting = undefined;
  sentAt = Date.now();
  // It outlives the page. What does not arrive is on this device all the same.
  void fetch("/places", { method: "POST", body, keepalive: true }).catch(() => undefined);
}

function toView({ paragraph, offset, percent, time }: Place): PlaceView {
  return { paragraph, offset, percent, time };
}
