import useEmblaCarousel from "embla-carousel-react";
import { useEffect, useRef, type RefObject } from "react";

import { countScrolled, type CarouselLayout } from "./carousel-layout.ts";

/** In Embla's own measure: some 0.3 seconds. */
const SLIDE_DURATION = 20;

/** How far beyond its end a row is pulled to go round, in pixels. */
const PULL = 24;

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

export interface CarouselMotionProps {
  /** The element that shows a part of the row, which is its only child. */
  viewport: RefObject<HTMLElement>;
  layout: CarouselLayout;
  page: number;
  canTurn: boolean;
  /** Called with the page it was swiped to. */
  onTurn: (page: number) => void;
}

/** Moves a row to its page, and lets it be swiped. Embla's share of a carousel, in a file of its own to be loaded late. */
export function CarouselMotion({ viewport, layout, page, canTurn, onTurn }: CarouselMotionProps) {
  const lastLayout = useRef<CarouselLayout>();
  const turn = useRef(onTurn);
  const [ref, row] = useEmblaCarousel({
    direction: layout.direction,
    align: "start",
    slidesToScroll: layout.scrolled,
    watchDrag: canTurn,
    // Every item that can be focused is in view already.
    watchFocus: false,
    duration: SLIDE_DURATION,
    breakpoints: { [REDUCED_MOTION]: { duration: 0 } },
  });

  useEffect(() => {
    turn.current = onTurn;
  });

  useEffect(() => ref(viewport.current), [ref, viewport]);

  useEffect(() => {
    if (!row) return undefined;
    const jump = () => row.scrollTo(page, true);
    if (!lastLayout.current) takeOver(row.rootNode(), layout, (index) => row.scrollTo(index, true));
    else if (lastLayout.current !== layout) jump();
    // Where a swipe has led, the row is going already, at the pace of the swipe.
    if (row.selectedScrollSnap() !== page) row.scrollTo(page);
    lastLayout.current = layout;
    row.on("reInit", jump);
    return () => void row.off("reInit", jump);
  }, [row, page, layout]);

  useEffect(() => {
    if (!row) return undefined;
    const turned = () => turn.current(row.selectedScrollSnap());
    const released = () => {
      const { location, limit } = row.internalEngine();
      if (location.get() > limit.max + PULL) row.scrollTo(row.scrollSnapList().length - 1);
      else if (location.get() < limit.min - PULL) row.scrollTo(0);
      // A swipe ends at a pace of its own.
      else if (matchMedia(REDUCED_MOTION).matches) row.scrollTo(row.selectedScrollSnap(), true);
    };
    const settled = () => {
      const { location, scrollSnaps } = row.internalEngine();
      const index = row.selectedScrollSnap();
      const rest = (scrollSnaps[index] ?? 0) - location.get();
      // On its way round, Embla now and then takes the row for one that is still being pulled, and stops it half-way.
      if (Math.abs(rest) > 1) row.scrollTo(index);
    };
    // A swipe from before may still be coming to rest.
    const viewport = row.rootNode();
    const stay = () => viewport.scrollTo({ left: 0, behavior: "instant" });
    viewport.addEventListener("scroll", stay);
    row.on("select", turned).on("pointerUp", released).on("settle", settled);
    return () => {
      viewport.removeEventListener("scroll", stay);
      row.off("select", turned).off("pointerUp", released).off("settle", settled);
    };
  }, [row]);

  return null;
}

/** From here on the row is moved, not scrolled: it begins where it was scrolled to. */
function takeOver(
  viewport: HTMLElement,
  { visible, scrolled }: CarouselLayout,
  jumpTo: (page: number) => void,
) {
  const start = countScrolled(viewport, visible);
  viewport.dataset.embla = "true";
  viewport.scrollLeft = 0;
  jumpTo(Math.floor(start / scrolled));
}
