import { useEffect, useRef, type RefObject } from "react";

import { readMessageId } from "./bubble.tsx";

const MESSAGES = "article";
const CONTROLS_IN_MESSAGES = "article :is(a, button, summary)";

/**
 * Makes the messages one tab stop. Arrow keys, Home and End move between messages, Enter and the keys of the context
 * menu open a message's menu, R replies to it, Tab continues to its links, and Escape returns to the message field.
 *
 * The stop is the newest message or, while the focus is in the feed, the focused one. It is set on the DOM elements,
 * because with React state each key press would render the whole feed. When the focused element is removed, the message
 * in its place gets the focus, or the next one.
 */
export function useFeedKeyboard(
  scroller: RefObject<HTMLElement>,
  onReply: (messageId: string) => void,
): void {
  const reply = useRef(onReply);
  useEffect(() => {
    reply.current = onReply;
  });
  useEffect(() => {
    return scroller.current ? addFeedKeys(scroller.current, (id) => reply.current(id)) : undefined;
  }, [scroller]);
}

function addFeedKeys(feed: HTMLElement, reply: (messageId: string) => void): () => void {
  let stop: HTMLElement | undefined;
  /** The element of the feed that has the focus, or had it when it was removed. */
  let focused: Element | null = null;
  /** Whether it was focused by a key. After a click, the same keys scroll. */
  let isByKey = false;

  function getMessages(): HTMLElement[] {
    const messages = [...feed.querySelectorAll<HTMLElement>(MESSAGES)];
    return messages.filter((message) => !message.parentElement?.closest("details:not([open])"));
  }

  function setStop(message: HTMLElement | undefined) {
    if (message !== stop) stop?.removeAttribute("tabindex");
    stop = message;
    if (stop) stop.tabIndex = 0;
    // Without messages, the feed itself is the stop.
    feed.tabIndex = stop ? -1 : 0;
    for (const control of feed.querySelectorAll<HTMLElement>(CONTROLS_IN_MESSAGES)) {
      if (stop?.contains(control)) control.removeAttribute("tabindex");
      else control.tabIndex = -1;
    }
  }

  function focus(message: HTMLElement | undefined): boolean {
    if (!message) return false;
    setStop(message);
    message.focus();
    return true;
  }

  function handleChange(changes: readonly MutationRecord[]) {
    const removed = focused?.isConnected === false ? focused : null;
    if (removed) focused = null;
    const message = findMessage(focused) ?? (removed && findInPlace(removed, changes));
    setStop(message ?? getMessages().at(-1));
    if (removed && document.activeElement === document.body) {
      (message ?? feed).focus({ preventScroll: true });
    }
  }

  /** Returns the message in the place of an element that was removed, or the next one. */
  function findInPlace(removed: Element, changes: readonly MutationRecord[]) {
    const change = changes.find(({ removedNodes }) =>
      [...removedNodes].some((node) => node.contains(removed)),
    );
    if (!change) return undefined;
    const { target, previousSibling } = change;
    const item = target instanceof Element ? target.closest("li") : null;
    const messages = getMessages();
    return (
      messages.find((message) => item?.contains(message)) ??
      messages.find((message) => isAfter(message, item ?? previousSibling))
    );
  }

  function handleFocusIn({ target }: FocusEvent) {
    focused = target instanceof Element ? target : null;
    const message = findMessage(target);
    const isItself = target === message || target === feed;
    isByKey = !isItself || focused?.matches(":focus-visible") === true;
    if (message) setStop(message);
  }

  function handleFocusOut({ relatedTarget }: FocusEvent) {
    // `relatedTarget` is `null` when the window loses the focus, or the message is removed.
    if (!(relatedTarget instanceof Node) || feed.contains(relatedTarget)) return;
    focused = null;
    setStop(getMessages().at(-1));
  }

  function handleKeyDown(event: KeyboardEvent) {
    const { key, target } = event;
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (key === "Escape") return leave(event);
    const message = findMessage(target);
    if ((!message && target !== feed) || !isByKey) return;
    // With Caps Lock the key is "R".
    if (key.toLowerCase() === "r" && message !== null && target === message) {
      event.preventDefault();
      // A reply would show what is folded.
      if (!message.querySelector("details:not([open])")) reply(readMessageId(message));
      return;
    }
    const isMenuKey = key === "Enter" && message !== null && target === message;
    if (isMenuKey ? openMenu(message) : move(key, message)) event.preventDefault();
  }

  /** Moves the focus from a message, or from the feed itself into it. */
  function move(key: string, message: HTMLElement | null): boolean {
    const messages = getMessages();
    if (key === "Home") return focus(messages[0]);
    if (key === "End") return focus(messages.at(-1));
    if (key !== "ArrowUp" && key !== "ArrowDown") return false;
    const direction = key === "ArrowUp" ? -1 : 1;
    if (!message) {
      const shown = messages.filter((other) => isInView(other, feed));
      return focus(shown.at(direction < 0 ? -1 : 0));
    }
    // The browser first scrolls to the rest of a message that is cut off.
    if (isCutOff(message, feed, direction)) return false;
    return focus(messages[messages.indexOf(message) + direction]);
  }

  function leave(event: KeyboardEvent) {
    const field = feed.closest("section")?.querySelector("textarea");
    field?.focus();
    // Otherwise the same key would close the room. Without a visible field it does.
    if (document.activeElement === field) event.stopPropagation();
  }

  function handleContextMenu(event: MouseEvent) {
    const { target } = event;
    const message = findMessage(target);
    if (message && target === message && !isByPointer(event) && openMenu(message)) {
      event.preventDefault();
    }
  }

  const observer = new MutationObserver(handleChange);
  observer.observe(feed, { childList: true, subtree: true });
  feed.addEventListener("focusin", handleFocusIn);
  feed.addEventListener("focusout", handleFocusOut);
  feed.addEventListener("keydown", handleKeyDown);
  feed.addEventListener("contextmenu", handleContextMenu);
  handleChange([]);
  return () => {
    observer.disconnect();
    feed.removeEventListener("focusin", handleFocusIn);
    feed.removeEventListener("focusout", handleFocusOut);
    feed.removeEventListener("keydown", handleKeyDown);
    feed.removeEventListener("contextmenu", handleContextMenu);
  };
}

function findMessage(target: EventTarget | null): HTMLElement | null {
  return target instanceof Element ? target.closest<HTMLElement>(MESSAGES) : null;
}

/** Opens the message's menu, as the arrow key on its button does. Returns whether the message has a menu. */
function openMenu(message: HTMLElement): boolean {
  const isFold = message.id === "";
  const button = isFold ? null : message.parentElement?.querySelector("[aria-haspopup=menu]");
  // Not `click()`: React Aria treats a scripted click as a screen reader's, and then focuses no item.
  button?.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowDown", bubbles: true }));
  return Boolean(button);
}

/** Whether a message in view ends beyond the edge of the feed that the keys move towards. */
function isCutOff(message: Element, feed: Element, direction: -1 | 1): boolean {
  const box = message.getBoundingClientRect();
  const view = feed.getBoundingClientRect();
  const isCut = direction < 0 ? box.top < view.top - 1 : box.bottom > view.bottom + 1;
  return isCut && isInView(message, feed);
}

function isInView(message: Element, feed: Element): boolean {
  const box = message.getBoundingClientRect();
  const view = feed.getBoundingClientRect();
  return box.bottom > view.top && box.top < view.bottom;
}

/** Whether a message comes after a node; `null` is the start of the list. */
function isAfter(message: Element, node: Node | null): boolean {
  if (!node) return true;
  const isFollowing = node.compareDocumentPosition(message) & Node.DOCUMENT_POSITION_FOLLOWING;
  return node.isConnected && isFollowing !== 0 && !node.contains(message);
}

/** Whether the context menu was requested with a mouse, finger or pen, instead of a key. */
function isByPointer(event: MouseEvent): boolean {
  // Keys send `button` -1 or 0. On a Mac, a click with the Control key also sends 0.
  if (event.button === 2 || event.ctrlKey) return true;
  return event instanceof PointerEvent && ["touch", "pen"].includes(event.pointerType);
}

/** How far a finger moves before its direction is clear, in CSS pixels. */
const SLOP = 10;

/** How far a message is dragged to reply to it, in CSS pixels. */
const DISTANCE = 56;

/** The width of the window's edges, in CSS pixels. There a drag is the system's gesture, such as Back. */
const EDGE = 24;

/** A finger that rests this long selects text. */
const LONG_PRESS_MS = 400;

const SVG = "http://www.w3.org/2000/svg";
const REPLY = "M8 4 3 9l5 5M3 9h9a5 5 0 0 1 5 5v2";

interface Swipe {
  message: HTMLElement;
  pointerId: number;
  x: number;
  y: number;
  /** 1 where lines begin at the left, -1 where they begin at the right. */
  direction: 1 | -1;
  time: number;
  /** Shown once the finger moves to the side. */
  sign: SVGElement | null;
}

/** On a touch screen, replies to a message that is dragged to the side, from where its lines begin. */
export function useFeedSwipe(
  scroller: RefObject<HTMLElement>,
  onReply: ((messageId: string) => void) | undefined,
): void {
  const reply = useRef(onReply);
  useEffect(() => {
    reply.current = onReply;
  });
  const isOn = onReply !== undefined;
  useEffect(() => {
    if (!scroller.current || !isOn) return undefined;
    return addSwipes(scroller.current, (id) => reply.current?.(id));
  }, [scroller, isOn]);
}

function addSwipes(feed: HTMLElement, reply: (id: string) => void): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let swipe: Swipe | null = null;

  /** Returns how far the finger has moved from where lines begin to where they end. */
  function getDistance({ clientX }: PointerEvent, { x, direction }: Swipe): number {
    return (clientX - x) * direction;
  }

  function end() {
    if (swipe) {
      swipe.message.style.translate = "";
      swipe.sign?.remove();
    }
    swipe = null;
  }

  function handleDown(event: PointerEvent) {
    end();
    const { target, pointerType, pointerId, isPrimary, clientX: x, clientY: y } = event;
    const message = target instanceof Element ? target.closest<HTMLElement>("article[id]") : null;
    // A reply would show what is folded.
    if (!message || message.querySelector("details:not([open])")) return;
    if (pointerType !== "touch" || !isPrimary || x < EDGE || x > innerWidth - EDGE) return;
    const direction = getComputedStyle(feed).direction === "rtl" ? -1 : 1;
    swipe = { message, pointerId, x, y, direction, time: event.timeStamp, sign: null };
  }

  function handleMove(event: PointerEvent) {
    if (!swipe || event.pointerId !== swipe.pointerId) return;
    const distance = getDistance(event, swipe);
    if (!swipe.sign) {
      const height = Math.abs(event.clientY - swipe.y);
      if (Math.max(Math.abs(distance), height) < SLOP) return;
      const isLongPress = event.timeStamp - swipe.time > LONG_PRESS_MS;
      if (distance <= height || isLongPress || getSelection()?.isCollapsed === false) return end();
      swipe.sign = createSign(swipe.message);
    }
    const moved = Math.min(Math.max(distance, 0), DISTANCE);
    swipe.message.style.translate = `${moved * swipe.direction}px`;
    swipe.sign.style.opacity = String(moved < DISTANCE ? moved / DISTANCE / 2 : 1);
  }

  function handleUp(event: PointerEvent) {
    if (!swipe || event.pointerId !== swipe.pointerId) return;
    const isReply = swipe.sign !== null && getDistance(event, swipe) >= DISTANCE;
    const { message } = swipe;
    end();
    if (isReply) reply(readMessageId(message));
  }

  // Only sideways drags come here. The browser keeps scrolling and zooming, and cancels the pointer when it starts them.
  feed.style.touchAction = "pan-y pinch-zoom";
  feed.addEventListener("pointerdown", handleDown, { signal });
  feed.addEventListener("pointermove", handleMove, { signal });
  feed.addEventListener("pointerup", handleUp, { signal });
  feed.addEventListener("pointercancel", end, { signal });
  return () => {
    end();
    controller.abort();
    feed.style.touchAction = "";
  };
}

/** Shows the sign of a reply under the beginning of a message, and moves nothing. */
function createSign(message: HTMLElement): SVGElement {
  const sign = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", REPLY);
  sign.appendChild(path);
  sign.setAttribute("viewBox", "0 0 20 20");
  sign.setAttribute("aria-hidden", "true");
  Object.assign(sign.style, {
    flex: "none",
    alignSelf: "center",
    width: "24px",
    marginInlineEnd: "-24px",
    fill: "none",
    stroke: "var(--primary-text)",
    strokeWidth: "2",
  });
  message.insertAdjacentElement("beforebegin", sign);
  return sign;
}
