import { useEffect, useRef, type RefObject } from "react";

import { readMessageId } from "./bubble.tsx";

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
