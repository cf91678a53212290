import type { Spot, TextMap } from "./text-map.ts";

const PASSAGE = /^#(p-[\w-]+)$/;

/** What a reader scrolls with. Keys count as well, but for those that search. */
const INPUTS = ["wheel", "touchmove", "pointerdown", "keydown"];

/** Where a text stands in the window. */
export interface View {
  /** Where a line counts as the first, in pixels from the top of the window. */
  top: number;
  /** Of the window, in pixels. */
  height: number;
  /** The last line is in view. */
  isAtEnd: boolean;
}

export interface LookupOptions {
  map: Pick<TextMap, "find" | "spotAt" | "topOf">;
  getView: () => View;
  /** Of the place that the page was opened with. */
  ownParagraph: string | undefined;
  /** What the reader's input comes to. */
  page: EventTarget;
}

/** Where a lookup has led. */
interface Landing {
  /** `null` until the reader scrolls from there. */
  spot: Spot | null;
  /** `null` until the passage has come into view. */
  wasAtEnd: boolean | null;
}

/**
 * Tells looking something up from reading. A link to a passage, the way back from it, and a search in the page show
 * another part of the text; the reader's place stays until they read on from there, by a window or to the end.
 */
export class Lookup {
  readonly #map: Pick<TextMap, "find" | "spotAt" | "topOf">;
  readonly #getView: () => View;
  readonly #listening = new AbortController();
  #landing: Landing | null = null;
  #hash = "";
  /** The address leads to a paragraph of the text. */
  #isAtPassage = false;
  /** The paragraph of the reader's own place, where a link to it continues reading. */
  #ownParagraph: string | undefined;

  constructor({ map, getView, ownParagraph, page }: LookupOptions) {
    this.#map = map;
    this.#getView = getView;
    this.#ownParagraph = ownParagraph;
    const options = { signal: this.#listening.signal, capture: true, passive: true };
    for (const type of INPUTS) page.addEventListener(type, this.#take, options);
  }

  get isOn(): boolean {
    return this.#landing !== null;
  }

  stop(): void {
    this.#listening.abort();
  }

  /** Takes the next link to that paragraph for a way on, not for a lookup. */
  allow(paragraph: string): void {
    this.#ownParagraph = paragraph;
  }

  /** Takes note of where the address leads. */
  follow(hash: string): void {
    const cameFromPassage = this.#isAtPassage;
    const paragraph = PASSAGE.exec(hash)?.[1] ?? "";
    const number = this.#map.find(paragraph);
    this.#hash = hash;
    this.#isAtPassage = number >= 0;
    if (number < 0) {
      // The browser went back to where the link was followed from.
      if (hash === "" && cameFromPassage) this.#begin(null);
    } else if (paragraph === this.#ownParagraph) {
      this.#landing = null;
    } else {
      this.#ownParagraph = undefined;
      this.#begin({ number, offset: 0 });
    }
  }

  /** Call after every scroll: ends the lookup once the reader has read on from it. */
  scroll(hash: string): void {
    if (hash !== this.#hash) this.follow(hash);
    const landing = this.#landing;
    if (!landing?.spot) return;
    const view = this.#getView();
    const distance = Math.abs((this.#map.topOf(landing.spot) ?? view.top) - view.top);
    if (landing.wasAtEnd === null) {
      if (distance < view.height) landing.wasAtEnd = view.isAtEnd;
    } else if (distance >= view.height || (view.isAtEnd && !landing.wasAtEnd)) {
      this.#landing = null;
    }
  }

  #begin(spot: Spot | null): void {
    this.#landing = { spot, wasAtEnd: null };
  }

  readonly #take = (event: Event) => {
    if (isSearch(event)) return this.#begin(null);
    if (!this.#landing || this.#landing.spot) return undefined;
    const view = this.#getView();
    this.#landing = { spot: this.#map.spotAt(view.top), wasAtEnd: view.isAtEnd };
    return undefined;
  };
}

/** The browser's own search, which scrolls without another sign. */
function isSearch(event: Event & Partial<KeyboardEvent>): boolean {
  const { key = "", ctrlKey, metaKey } = event;
  const isCommand = ctrlKey === true || metaKey === true;
  return key === "F3" || (isCommand && ["f", "g"].includes(key.toLowerCase()));
}
