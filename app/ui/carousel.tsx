import {
  Children,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
} from "react";

import { findCarouselPosition, setCarouselPosition } from "./carousel-history.ts";
import { countScrolled, useCarouselLayout } from "./carousel-layout.ts";
import type { CarouselMotionProps } from "./carousel-motion.tsx";
import styles from "./carousel.module.css";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** More dots than these would not fit below a phone's carousel; then it says the page in words. */
const MAX_DOTS = 12;

export interface CarouselProps {
  /** Names the carousel, and stands above it. */
  heading: string;
  /** The items, each with a key. */
  children: ReactNode;
}

/**
 * A row of items by pages. After the last page, which is always a full one, comes the first. It moves
 * only when asked to: by its keys, its dots, arrow keys or a swipe.
 *
 * The style sheet decides how many items are visible and how far a page moves, so nothing shifts when it
 * comes alive. Without scripts it is a list that snaps where it is scrolled, and until somebody touches
 * the page it still is: only then the script that moves it is loaded.
 */
export function Carousel({ heading, children }: CarouselProps) {
  const headingId = useId();
  const viewport = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const dots = useRef<HTMLDivElement>(null);
  const followFocus = useRef<"item" | "dot">();
  const layout = useCarouselLayout(viewport);
  const [Motion, loadMotion] = useMotion();
  /** The first visible item of the page that was asked for. It stays in view when the window changes. */
  const [anchor, setAnchor] = useState(0);
  const [hasTurned, setHasTurned] = useState(false);

  const items = Children.toArray(children);
  const { visible, scrolled } = layout ?? { visible: items.length, scrolled: 1 };
  const rest = Math.max(0, items.length - visible);
  const pageCount = Math.ceil(rest / scrolled) + 1;
  const page = anchor < rest ? Math.floor(anchor / scrolled) : pageCount - 1;
  const first = Math.min(page * scrolled, rest);
  const last = Math.min(first + visible, items.length);
  const canTurn = pageCount > 1;

  function turnTo(target: number) {
    if (target === page) return;
    loadMotion();
    setAnchor(target * scrolled);
    setCarouselPosition(heading, target * scrolled);
    setHasTurned(true);
  }

  function turn(step: 1 | -1) {
    turnTo((page + step + pageCount) % pageCount);
  }

  function turnByKey(event: KeyboardEvent) {
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!canTurn || isModified || !/^Arrow(Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const { activeElement } = document;
    if (list.current?.contains(activeElement)) followFocus.current = "item";
    if (dots.current?.contains(activeElement)) followFocus.current = "dot";
    turn((event.key === "ArrowRight") === (layout?.direction === "ltr") ? 1 : -1);
  }

  useEffect(() => {
    // The item that held the focus may just have become inert.
    const followed = followFocus.current;
    followFocus.current = undefined;
    if (followed === "item") focusIn(list.current?.children[first]);
    if (followed === "dot") focusIn(dots.current?.children[page]);
  }, [first, page]);

  const restore = useRef(() => {
    const kept = findCarouselPosition(heading) ?? 0;
    const [start] = list.current?.children ?? [];
    const item = list.current?.children[kept];
    if (kept === 0 || !(start instanceof HTMLElement) || !(item instanceof HTMLElement)) return;
    setAnchor(kept);
    // Until the script that moves it is here, a row is scrolled.
    const left = item.offsetLeft - start.offsetLeft;
    viewport.current?.scrollTo({ left, behavior: "instant" });
  });
  const isReady = layout !== undefined;
  useEffect(() => {
    if (isReady) restore.current();
  }, [isReady]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- its keys and links are interactive; their events come up to it
    <section
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-labelledby={headingId}
      onKeyDown={turnByKey}
    >
      <div className={styles.header}>
        <h2 id={headingId}>{heading}</h2>
        <div className={styles.arrows}>
          {layout ? (
            <>
              <ArrowButton name="Previous" isDisabled={!canTurn} onPress={() => turn(-1)} />
              <ArrowButton name="Next" isDisabled={!canTurn} onPress={() => turn(1)} />
            </>
          ) : null}
        </div>
      </div>

      <div
        className={styles.viewport}
        ref={viewport}
        onScroll={(event) => {
          if (!layout || Motion) return;
          const item = countScrolled(event.currentTarget, layout.visible);
          setAnchor(item);
          setCarouselPosition(heading, item);
        }}
      >
        <ul className={styles.row} ref={list}>
          {items.map((item, index) => (
            <li
              className={styles.item}
              key={typeof item === "object" && "key" in item ? item.key : index}
              {...(index < first || index >= last ? INERT : {})}
            >
              {item}
            </li>
          ))}
        </ul>
      </div>
      {Motion && layout ? (
        <Motion viewport={viewport} layout={layout} page={page} canTurn={canTurn} onTurn={turnTo} />
      ) : null}

      <div className={styles.footer} ref={dots}>
        {canTurn && pageCount <= MAX_DOTS
          ? Array.from({ length: pageCount }, (_, index) => (
              <button
                key={index}
                type="button"
                className={styles.dot}
                aria-label={`Page ${index + 1} of ${pageCount}`}
                aria-current={index === page || undefined}
                // One stop for the Tab key; from there the arrow keys go on.
                tabIndex={index === page ? 0 : -1}
                onClick={() => turnTo(index)}
              />
            ))
          : null}
        {pageCount > MAX_DOTS ? (
          <p className={styles.count}>
            Page {page + 1} of {pageCount}
          </p>
        ) : null}
      </div>
      <VisuallyHidden>
        <span aria-live="polite">
          {hasTurned ? `${first + 1} to ${last} of ${items.length}` : null}
        </span>
      </VisuallyHidden>
    </section>
  );
}

function focusIn(element: Element | undefined): void {
  const target = element?.matches("button") ? element : element?.querySelector("a, button");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** React 18 does not know the attribute by its type. */
const INERT = { inert: "" };

interface ArrowButtonProps {
  name: "Previous" | "Next";
  isDisabled: boolean;
  onPress: () => void;
}

function ArrowButton({ name, isDisabled, onPress }: ArrowButtonProps) {
  return (
    <button
      type="button"
      className={styles.arrow}
      aria-label={name}
      disabled={isDisabled}
      onClick={onPress}
    />
  );
}

/** What shows that somebody is there. A touch counts when it ends: until then it may be moving the row. */
const SIGNS_OF_LIFE = ["mousemove", "mousedown", "keydown", "wheel", "touchend"];

/** Returns what moves the row, once it is there, and a way to ask for it before anybody shows up. */
function useMotion() {
  const [Motion, setMotion] = useState<ComponentType<CarouselMotionProps>>();
  const [isWanted, setIsWanted] = useState(false);

  useEffect(() => {
    const load = () => setIsWanted(true);
    for (const sign of SIGNS_OF_LIFE) {
      window.addEventListener(sign, load, { once: true, passive: true });
    }
    return () => {
      for (const sign of SIGNS_OF_LIFE) window.removeEventListener(sign, load);
    };
  }, []);

  useEffect(() => {
    if (!isWanted) return;
    import("./carousel-motion.tsx").then(
      ({ CarouselMotion }) => setMotion(() => CarouselMotion),
      // Not reached. The next wish asks again.
      () => setIsWanted(false),
    );
  }, [isWanted]);

  return [Motion, () => setIsWanted(true)] as const;
}
