import { FOCUS_EVENTS, SCROLL_INPUTS } from "./early-input.ts";
import { isInKeyConsumer } from "./key-consumer.ts";

/**
 * Tracks whether the user has left the text for something else on the page, such as the room: by a link of the header,
 * or by moving the focus there. They are back as soon as they scroll elsewhere.
 *
 * @param text the element around the text
 */
export function createAwayTracker(text: HTMLElement) {
  let isAway = false;
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true, passive: true };
  for (const type of [...FOCUS_EVENTS, ...SCROLL_INPUTS]) {
    document.addEventListener(type, handle, options);
  }

  function handle(event: Event) {
    if (FOCUS_EVENTS.includes(event.type)) onFocus(event);
    else onScrollInput(event);
  }

  function onFocus({ target }: Event) {
    // The settings and the links back into the text belong to the story.
    const story = text.closest("article") ?? text;
    if (target instanceof Node && !target.contains(story)) isAway = !story.contains(target);
  }

  function onScrollInput(event: Event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // A press on the window's scrollbar has the root as its target.
    const isScroll = event.type !== "pointerdown" || target === document.documentElement;
    const isTab = event instanceof KeyboardEvent && event.key === "Tab";
    const room = document.getElementById("room")?.closest("details");
    if (isScroll && !isTab && !room?.contains(target) && !isInKeyConsumer(target)) isAway = false;
  }

  return {
    get isAway() {
      return isAway;
    },
    /** Call with the input from before this tracker was loaded. */
    handle,
    stop: () => listening.abort(),
  };
}
