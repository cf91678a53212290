import { isInKeyConsumer } from "#app/reading/key-consumer.ts";
import { FOCUS_EVENTS, SCROLL_INPUTS } from "./early-input.ts";

/**
 * Tracks whether the user has left the text for another part of the page, such as the room, by following a link in the
 * header or moving the focus. Scrolling outside the room brings them back.
 *
 * @param text the element around the text
 */
export function createAwayTracker(text: HTMLElement) {
  let isAway = false;
  const controller = new AbortController();
  const options = { signal: controller.signal, capture: true, passive: true };
  for (const type of [...FOCUS_EVENTS, ...SCROLL_INPUTS]) {
    document.addEventListener(type, handle, options);
  }

  function handle(event: Event) {
    if (FOCUS_EVENTS.includes(event.type)) onFocus(event);
    else onScrollInput(event);
  }

  function onFocus(event: Event) {
    const { target } = event;
    // The settings and the links to positions are part of the article, so they count as the text.
    const story = text.closest("article") ?? text;
    const isMark = target instanceof Element && target.closest("[data-mark]") !== null;
    if (isMark && event.type === "click") isAway = true;
    else if (target instanceof Node && !target.contains(story)) isAway = !story.contains(target);
  }

  function onScrollInput(event: Event) {
    const { target } = event;
    if (!(target instanceof Element)) return;
    // Pressing the window's scrollbar fires `pointerdown` on the root element.
    const isScroll = event.type !== "pointerdown" || target === document.documentElement;
    const isTab = event instanceof KeyboardEvent && event.key === "Tab";
    if (isScroll && !isTab && !isInKeyConsumer(target)) isAway = false;
  }

  return {
    get isAway() {
      return isAway;
    },
    /** Call it with the input events from before this tracker was loaded. */
    handle,
    stop: () => controller.abort(),
  };
}
