import { isInKeyConsumer } from "#app/reading/key-consumer.ts";
import { SCROLL_INPUTS } from "./scroll-events.ts";
import type { TextMap, TextPosition } from "./text-map.ts";

const PASSAGE_HASH = /^#(p-[\w-]+)$/;

interface View {
  /** Where the first visible line begins, in pixels from the top of the window. */
  top: number;
  /** The height of the window in pixels. */
  height: number;
}

export interface LookupOptions {
  map: Pick<TextMap, "findIndex" | "findFirstVisible" | "findTop" | "isAtEnd">;
  getView: () => View;
  /** The hash of the address that the page was opened with. */
  initialHash: string;
  /** The id of the paragraph at the user's position. Following a link to it is reading, not looking up. */
  ownParagraph: string | undefined;
  /** The target of the user's input events. */
  page: EventTarget;
}

interface Lookup {
  /** Where the lookup started; `null` until the first input after it. */
  position: TextPosition | null;
  /** Whether the end of the text was visible at the start; `null` until the passage is in view. */
  wasAtEnd: boolean | null;
}

/**
 * Distinguishes looking something up from reading. A link to a passage, going back from it, the browser's search, and the
 * Tab key, which scrolls to what gets the focus, show another part of the text. The user's position does not change until
 * they read on from there, by one screen or to the end.
 */
export function createLookup({ map, getView, initialHash, ownParagraph, page }: LookupOptions) {
  let lookup: Lookup | null = null;
  // Without such a passage in the text, the page begins at the user's position.
  let currentHash = map.findIndex(initialHash.slice(1)) < 0 ? initialHash : "";
  let isAtPassage = false;
  let isTabLast = false;
  let ownId = ownParagraph;

  const controller = new AbortController();
  const options = { signal: controller.signal, capture: true, passive: true };
  for (const type of SCROLL_INPUTS) page.addEventListener(type, handle, options);

  /** Starts a lookup at a position; `null` if the page scrolls there only later. */
  function start(position: TextPosition | null) {
    lookup = { position, wasAtEnd: null };
  }

  function handle(event: Event & Partial<KeyboardEvent>): void {
    isTabLast = event.key === "Tab";
    if (isSearch(event)) start(null);
    else if (lookup && !lookup.position) {
      lookup = { position: map.findFirstVisible(), wasAtEnd: map.isAtEnd() };
    }
  }

  /** Call it when the hash of the address has changed. */
  function onHashChange(hash: string): void {
    const cameFromPassage = isAtPassage;
    const paragraph = PASSAGE_HASH.exec(hash)?.[1];
    const number = map.findIndex(paragraph ?? "");
    currentHash = hash;
    isAtPassage = number >= 0;
    if (number < 0) {
      // The text no longer has the passage, or the user went back to where they followed the link.
      if (paragraph !== undefined || (hash === "" && cameFromPassage)) start(null);
    } else if (paragraph === ownId) {
      lookup = null;
    } else {
      ownId = undefined;
      start({ number, offset: 0 });
    }
  }

  return {
    get isActive() {
      return lookup !== null;
    },

    start,

    stop: () => controller.abort(),

    /** Call it with the input events from before this module was loaded. */
    handle,

    /** Makes following a link to that paragraph count as reading. */
    setOwnParagraph: (paragraph: string) => void (ownId = paragraph),

    onHashChange,

    /** Call it when the hash is dropped from the address, because the user has read on. */
    onHashDropped(): void {
      currentHash = "";
      isAtPassage = false;
    },

    /** Call it when another line has become the first visible one. */
    onMove(): void {
      if (isTabLast) start(null);
    },

    /** Call it after every scroll. Ends the lookup once the user has read on from there. */
    onScroll(hash: string): void {
      if (hash !== currentHash) onHashChange(hash);
      if (!lookup?.position) return;
      const view = getView();
      const distance = Math.abs((map.findTop(lookup.position) ?? view.top) - view.top);
      if (lookup.wasAtEnd === null) {
        if (distance < view.height) lookup.wasAtEnd = map.isAtEnd();
      } else if (distance >= view.height || (map.isAtEnd() && !lookup.wasAtEnd)) {
        lookup = null;
      }
    },
  };
}

/** Whether a key opens or continues the browser's search, which scrolls without any other event. */
function isSearch(event: Event & Partial<KeyboardEvent>): boolean {
  const { key = "", ctrlKey, metaKey } = event;
  if (ctrlKey === true || metaKey === true) return ["f", "g"].includes(key.toLowerCase());
  // The last two are Firefox's quick search.
  return key === "F3" || (["/", "'"].includes(key) && !isInKeyConsumer(event.target));
}
