import { SCROLL_INPUTS } from "./early-input.ts";
import type { TextMap, TextPosition } from "./text-map.ts";

const PASSAGE_HASH = /^#(p-[\w-]+)$/;

interface View {
  /** Where a line counts as the first, in pixels from the top of the window. */
  top: number;
  /** The height of the window in pixels. */
  height: number;
  /** Whether the last line of the text is visible. */
  isAtEnd: boolean;
}

export interface LookupOptions {
  map: Pick<TextMap, "findIndex" | "findFirstVisible" | "findTop">;
  getView: () => View;
  /** The id of the paragraph at the user's own position. A link to it continues reading. */
  ownParagraph: string | undefined;
  /** Where the user's input arrives. */
  page: EventTarget;
}

interface Landing {
  /** `null` until the user scrolls from there. */
  position: TextPosition | null;
  /** `null` until the passage has come into view. */
  wasAtEnd: boolean | null;
}

/**
 * Tells looking something up from reading. A link to a passage, the way back from it and the browser's search show
 * another part of the text; the user's position stays until they read on from there, by a screen or to the end.
 */
export function createLookup({ map, getView, ownParagraph, page }: LookupOptions) {
  let landing: Landing | null = null;
  let currentHash = "";
  let isAtPassage = false;
  let own = ownParagraph;

  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true, passive: true };
  for (const type of SCROLL_INPUTS) page.addEventListener(type, handle, options);

  function begin(position: TextPosition | null) {
    landing = { position, wasAtEnd: null };
  }

  function handle(event: Event): void {
    if (isSearch(event)) begin(null);
    else if (landing && !landing.position) {
      landing = { position: map.findFirstVisible(), wasAtEnd: getView().isAtEnd };
    }
  }

  /** Call when the address has changed. */
  function follow(hash: string): void {
    const cameFromPassage = isAtPassage;
    const paragraph = PASSAGE_HASH.exec(hash)?.[1] ?? "";
    const number = map.findIndex(paragraph);
    currentHash = hash;
    isAtPassage = number >= 0;
    if (number < 0) {
      // The browser went back to where the link was followed from.
      if (hash === "" && cameFromPassage) begin(null);
    } else if (paragraph === own) {
      landing = null;
    } else {
      own = undefined;
      begin({ number, offset: 0 });
    }
  }

  return {
    get isActive() {
      return landing !== null;
    },

    stop: () => listening.abort(),

    /** Call with the input from before this was loaded. */
    handle,

    /** Lets the next link to that paragraph continue reading. */
    allow: (paragraph: string) => void (own = paragraph),

    follow,

    /** Call after every scroll. Ends the lookup once the user has read on from it. */
    onScroll(hash: string): void {
      if (hash !== currentHash) follow(hash);
      if (!landing?.position) return;
      const view = getView();
      const distance = Math.abs((map.findTop(landing.position) ?? view.top) - view.top);
      if (landing.wasAtEnd === null) {
        if (distance < view.height) landing.wasAtEnd = view.isAtEnd;
      } else if (distance >= view.height || (view.isAtEnd && !landing.wasAtEnd)) {
        landing = null;
      }
    },
  };
}

/** Whether a key opens or continues the browser's search, which scrolls without any other event. */
function isSearch(event: Event & Partial<KeyboardEvent>): boolean {
  const { key = "", ctrlKey, metaKey } = event;
  const isCommand = ctrlKey === true || metaKey === true;
  return key === "F3" || (isCommand && ["f", "g"].includes(key.toLowerCase()));
}
