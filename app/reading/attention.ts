/** Fields, and the room, have use for keys themselves. */
const TAKERS = "input, textarea, select, [contenteditable], [role=log]";

/**
 * Tells whether a reader is with the text, or has gone to what stands beside it, such as the room: a link of the page's
 * head, a key pressed in the room, the focus set there. They are back as soon as they scroll outside of it.
 */
export class Attention {
  #isAway = false;
  readonly #text: HTMLElement;
  readonly #listening = new AbortController();

  constructor(text: HTMLElement) {
    this.#text = text;
    const options = { signal: this.#listening.signal, capture: true, passive: true };
    for (const type of ["click", "focusin"]) document.addEventListener(type, this.#turn, options);
    for (const type of ["wheel", "touchmove", "pointerdown", "keydown"]) {
      document.addEventListener(type, this.#comeBack, options);
    }
  }

  get isAway(): boolean {
    return this.#isAway;
  }

  stop(): void {
    this.#listening.abort();
  }

  readonly #turn = ({ target }: Event) => {
    // What belongs to the story: its settings, the ways back into it.
    const story = this.#text.closest("article") ?? this.#text;
    if (target instanceof Node && !target.contains(story)) this.#isAway = !story.contains(target);
  };

  readonly #comeBack = (event: Event) => {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // The bar beside the page, by which it is drawn, is the page itself.
    const isBar = event.type !== "pointerdown" || target === document.documentElement;
    const isTab = event instanceof KeyboardEvent && event.key === "Tab";
    const room = document.getElementById("room")?.closest("details");
    if (isBar && !isTab && !room?.contains(target) && !target.closest(TAKERS)) this.#isAway = false;
  };
}
