import {
  Children,
  useEffect,
  useId,
  useRef,
  useState,
  type ComponentType,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from "react";

import { countScrolled, useCarouselLayout } from "./carousel-layout.ts";
import type { CarouselMotionProps } from "./carousel-motion.client.tsx";
import styles from "./carousel.module.css";
import { CachedHtml } from "./server-html.tsx";
import { VisuallyHidden } from "./visually-hidden.tsx";

/** More dots don't fit on a phone. Beyond this, the number of the page is shown as text. */
const MAX_DOTS = 12;

export interface CarouselProps {
  /** The heading and accessible name. */
  heading: string;
  /** The items, each with a React key. */
  children: ReactNode;
  /** Everything that the server's HTML of the items depends on; see `CachedHtml`. */
  dependsOn?: object | undefined;
  sectionRef?: RefObject<HTMLElement> | undefined;
}

/**
 * A circular carousel that moves by pages: with its buttons, its dots, the arrow keys or a swipe, never automatically.
 * The last page is always full.
 *
 * The style sheet sets how many items are visible and how far a page moves, so nothing shifts on hydration. It is a
 * scroll-snap list until the user first interacts with the page, when Embla is loaded. Without JavaScript it remains
 * that list.
 */
export function Carousel({ heading, children, dependsOn, sectionRef }: CarouselProps) {
  const headingId = useId();
  const viewport = useRef<HTMLDivElement>(null);
  const dots = useRef<HTMLDivElement>(null);
  const focusToMove = useRef<"item" | "dot">();
  const layout = useCarouselLayout(viewport);
  const [Motion, loadMotion] = useMotion();
  /** The first item of the requested page. It stays visible when the window is resized. */
  const [anchor, setAnchor] = useState(0);
  const [hasMoved, setHasMoved] = useState(false);

  const items = Children.toArray(children);
  const { visible, scrolled } = layout ?? { visible: items.length, scrolled: 1 };
  const lastStart = Math.max(0, items.length - visible);
  const pageCount = Math.ceil(lastStart / scrolled) + 1;
  const page = anchor < lastStart ? Math.floor(anchor / scrolled) : pageCount - 1;
  const first = Math.min(page * scrolled, lastStart);
  const last = Math.min(first + visible, items.length);
  const canMove = pageCount > 1;

  function goTo(target: number) {
    if (target === page) return;
    loadMotion();
    if (!Motion) {
      const isMotionReduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
      const position = Math.min(target * scrolled, lastStart);
      scrollNatively(viewport, position, isMotionReduced ? "instant" : "smooth");
    }
    setAnchor(target * scrolled);
    setCarouselPosition(heading, target * scrolled);
    setHasMoved(true);
  }

  function goBy(step: 1 | -1) {
    goTo((page + step + pageCount) % pageCount);
  }

  function handleKeyDown(event: KeyboardEvent) {
    const isModified = event.altKey || event.ctrlKey || event.metaKey || event.shiftKey;
    if (!canMove || isModified || !/^Arrow(Left|Right)$/.test(event.key)) return;
    event.preventDefault();
    const { activeElement } = document;
    if (findList(viewport)?.contains(activeElement)) focusToMove.current = "item";
    if (dots.current?.contains(activeElement)) focusToMove.current = "dot";
    goBy((event.key === "ArrowRight") === (layout?.direction === "ltr") ? 1 : -1);
  }

  useEffect(() => {
    // The item that had the focus may now be inert.
    const kind = focusToMove.current;
    focusToMove.current = undefined;
    if (kind === "item") focusIn(findList(viewport)?.children[first]);
    if (kind === "dot") focusIn(dots.current?.children[page]);
  }, [first, page]);

  const restore = useRef(() => {
    const position = findCarouselPosition(heading) ?? 0;
    if (position === 0) return;
    setAnchor(position);
    scrollNatively(viewport, position, "instant");
  });
  const isReady = layout !== undefined;
  useEffect(() => {
    if (isReady) restore.current();
  }, [isReady]);

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- handles events that bubble from its buttons and links
    <section
      ref={sectionRef}
      className={styles.carousel}
      aria-roledescription="carousel"
      aria-labelledby={headingId}
      onKeyDown={handleKeyDown}
    >
      <div className={styles.header}>
        <h2 id={headingId}>{heading}</h2>
        <div className={styles.arrows}>
          {layout ? (
            <>
              <ArrowButton name="Previous" isDisabled={!canMove} onPress={() => goBy(-1)} />
              <ArrowButton name="Next" isDisabled={!canMove} onPress={() => goBy(1)} />
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
        <CachedHtml as="ul" className={styles.row} dependsOn={dependsOn}>
          {items.map((item, index) => (
            <li
              className={styles.item}
              key={typeof item === "object" && "key" in item ? item.key : index}
              {...(index < first || index >= last ? INERT : {})}
            >
              {item}
            </li>
          ))}
        </CachedHtml>
      </div>
      {Motion && layout ? (
        <Motion
          viewport={viewport}
          layout={layout}
          page={page}
          canMove={canMove}
          onPageChange={goTo}
        />
      ) : null}

      <div className={styles.footer} ref={dots}>
        {canMove && pageCount <= MAX_DOTS
          ? Array.from({ length: pageCount }, (_, index) => (
              <button
                key={index}
                type="button"
                className={styles.dot}
                aria-label={`Page ${index + 1} of ${pageCount}`}
                aria-current={index === page || undefined}
                // A single tab stop: the arrow keys move between pages.
                tabIndex={index === page ? 0 : -1}
                onClick={() => goTo(index)}
              />
            ))
          : null}
        {pageCount > MAX_DOTS ? (
          <p className={styles.count}>
            Page {page + 1} of {pageCount}
          </p>
        ) : null}
      </div>
      <VisuallyHidden aria-live="polite">
        {hasMoved ? `${first + 1} to ${last} of ${items.length}` : null}
      </VisuallyHidden>
    </section>
  );
}

function findList({ current }: RefObject<HTMLElement>): Element | null | undefined {
  return current?.firstElementChild;
}

function focusIn(element: Element | undefined): void {
  const target = element?.matches("button") ? element : element?.querySelector("a, button");
  if (target instanceof HTMLElement) target.focus({ preventScroll: true });
}

/** React 18 has no type for this attribute and drops it when it is `true`. */
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

/** `touchend` and not `touchstart`, because Embla must not take over while a touch is scrolling the list. */
const INTERACTION_EVENTS = ["mousemove", "mousedown", "keydown", "wheel", "touchend"];

/** Loads `CarouselMotion` on the first interaction, or when the returned function is called. */
function useMotion() {
  const [Motion, setMotion] = useState<ComponentType<CarouselMotionProps>>();
  const [isRequested, setIsRequested] = useState(false);

  useEffect(() => {
    const load = () => setIsRequested(true);
    for (const type of INTERACTION_EVENTS) {
      window.addEventListener(type, load, { once: true, passive: true });
    }
    return () => {
      for (const type of INTERACTION_EVENTS) window.removeEventListener(type, load);
    };
  }, []);

  useEffect(() => {
    if (!isRequested) return;
    import("./carousel-motion.client.tsx").then(
      ({ CarouselMotion }) => setMotion(() => CarouselMotion),
      // The next page change tries again.
      () => setIsRequested(false),
    );
  }, [isRequested]);

  return [Motion, () => setIsRequested(true)] as const;
}

/** Scrolls the list to an item. It scrolls natively until Embla is loaded. */
function scrollNatively(
  viewport: RefObject<HTMLElement>,
  position: number,
  behavior: ScrollBehavior,
): void {
  const [start, item] = [0, position].map((index) => findList(viewport)?.children[index]);
  if (!(start instanceof HTMLElement) || !(item instanceof HTMLElement)) return;
  viewport.current?.scrollTo({ left: item.offsetLeft - start.offsetLeft, behavior });
}

/** The key of the history entry's state that maps each carousel of the page to its first visible item. */
const STATE_KEY = "carousels";

/** Returns the first visible item that was stored with this history entry, if any. */
function findCarouselPosition(carousel: string): number | undefined {
  return readCarouselPositions()[carousel];
}

/** Stores the first visible item with this history entry, so that going back to the page restores it. */
function setCarouselPosition(carousel: string, item: number): void {
  const positions = readCarouselPositions();
  if ((positions[carousel] ?? 0) === item) return;
  const state = { ...history.state, [STATE_KEY]: { ...positions, [carousel]: item } };
  history.replaceState(state, "");
}

function readCarouselPositions(): Record<string, number> {
  const state: unknown = history.state;
  const positions: unknown =
    typeof state === "object" && state !== null && Reflect.get(state, STATE_KEY);
  if (typeof positions !== "object" || positions === null) return {};
  return Object.fromEntries(Object.entries(positions).filter(([, item]) => Number.isInteger(item)));
}
