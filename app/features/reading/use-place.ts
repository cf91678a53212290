import { useEffect, useRef, useState, type RefObject } from "react";

import { startOf } from "#app/schemas/paragraph.ts";
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
} from "#app/schemas/place.ts";
import type { PlaceView, ReadingView } from "./reading-view.ts";
import { Attention } from "./attention.ts";
import { readCookie, writeCookie } from "./device-cookie.ts";
import { TextMap, type Spot } from "./text-map.ts";

/** After the last movement. */
const DEVICE_DELAY_MS = 1000;
const ACCOUNT_INTERVAL_MS = 10_000;

/**
 * Puts a reader back to their place and keeps it from then on: while they read, when the text changes its size, and
 * for the next time. `text` is the element around the text.
 */
export function usePlace(
  view: ReadingView,
  text: RefObject<HTMLElement>,
  uid: string | undefined,
): { percent: number; kept: PlaceView | null; other: PlaceView | null } {
  const [percent, setPercent] = useState(view.place?.percent ?? 0);
  const [kept, setKept] = useState(view.place);
  const [other, setOther] = useState(view.other);
  // The loader's answer to a form is a new object with the same story, and moves nobody.
  const latest = useRef({ view, uid });
  useEffect(() => {
    latest.current = { view, uid };
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
    follower.onMove = setPercent;
    setPercent(place?.percent ?? 0);
    setKept(place);
    setOther(latest.current.view.other);
    if (!location.hash && place && place.percent < FINISHED_PERCENT) follower.goTo(place);
    return () => follower.stop();
  }, [view.id, view.version, text]);

  return { percent, kept, other };
}

/** Follows the first visible line of one text. */
class Follower {
  /** Called with the percent of every line that is reached. */
  onMove: (percent: number) => void = () => {};
  readonly #map: TextMap;
  readonly #root: HTMLElement;
  readonly #story: Pick<ReadingView, "id" | "title" | "words">;
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

  constructor(
    root: HTMLElement,
    story: Pick<ReadingView, "id" | "title" | "words">,
    keep: (place: Place) => void,
  ) {
    this.#root = root;
    this.#map = new TextMap(root);
    this.#attention = new Attention(root);
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
