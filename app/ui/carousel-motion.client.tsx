import useEmblaCarousel from "embla-carousel-react";
import { useEffect, useRef, type RefObject } from "react";

import { countScrolled, type CarouselLayout } from "./carousel-layout.ts";

/** Embla's unit, about 0.3 seconds. */
const SLIDE_DURATION = 20;

/** How far past either end a swipe must pull, in pixels, to continue at the other end. */
const WRAP_DISTANCE = 24;

const REDUCED_MOTION = "(prefers-reduced-motion: reduce)";

export interface CarouselMotionProps {
  /** The scrolling element. The list of items is its only child. */
  viewport: RefObject<HTMLElement>;
  layout: CarouselLayout;
  page: number;
  canMove: boolean;
  /** Called with the page that the user swiped to. */
  onPageChange: (page: number) => void;
}

/** Adds animated paging and swiping with Embla. A separate module, so that it can be loaded on demand. */
export function CarouselMotion({
  viewport,
  layout,
  page,
  canMove,
  onPageChange,
}: CarouselMotionProps) {
  const lastLayout = useRef<CarouselLayout>();
  const latestOnPageChange = useRef(onPageChange);
  const [ref, embla] = useEmblaCarousel({
    direction: layout.direction,
    align: "start",
    slidesToScroll: layout.scrolled,
    watchDrag: canMove,
    // Items outside the view are inert, so the focus never needs to scroll.
    watchFocus: false,
    duration: SLIDE_DURATION,
    breakpoints: { [REDUCED_MOTION]: { duration: 0 } },
  });

  useEffect(() => {
    latestOnPageChange.current = onPageChange;
  });

  useEffect(() => ref(viewport.current), [ref, viewport]);

  useEffect(() => {
    if (!embla) return undefined;
    const jump = () => embla.scrollTo(page, true);
    if (!lastLayout.current)
      replaceNativeScroll(embla.rootNode(), layout, (index) => embla.scrollTo(index, true));
    else if (lastLayout.current !== layout) jump();
    // After a swipe Embla is already scrolling to the page.
    if (embla.selectedScrollSnap() !== page) embla.scrollTo(page);
    lastLayout.current = layout;
    embla.on("reInit", jump);
    return () => void embla.off("reInit", jump);
  }, [embla, page, layout]);

  useEffect(() => {
    if (!embla) return undefined;
    const handleSelect = () => latestOnPageChange.current(embla.selectedScrollSnap());
    const handlePointerUp = () => {
      const { location, limit } = embla.internalEngine();
      if (location.get() > limit.max + WRAP_DISTANCE)
        embla.scrollTo(embla.scrollSnapList().length - 1);
      else if (location.get() < limit.min - WRAP_DISTANCE) embla.scrollTo(0);
      // Embla ignores `duration` after a swipe.
      else if (matchMedia(REDUCED_MOTION).matches) embla.scrollTo(embla.selectedScrollSnap(), true);
    };
    const handleSettle = () => {
      const { location, scrollSnaps } = embla.internalEngine();
      const index = embla.selectedScrollSnap();
      const distance = (scrollSnaps[index] ?? 0) - location.get();
      // When wrapping around, Embla sometimes still applies its edge resistance and stops half-way.
      if (Math.abs(distance) > 1) embla.scrollTo(index);
    };
    // A native scroll that began before Embla was loaded may not have ended yet.
    const viewport = embla.rootNode();
    const resetScroll = () => viewport.scrollTo({ left: 0, behavior: "instant" });
    viewport.addEventListener("scroll", resetScroll);
    embla.on("select", handleSelect).on("pointerUp", handlePointerUp).on("settle", handleSettle);
    return () => {
      viewport.removeEventListener("scroll", resetScroll);
      embla
        .off("select", handleSelect)
        .off("pointerUp", handlePointerUp)
        .off("settle", handleSettle);
    };
  }, [embla]);

  return null;
}

/** Switches from native scrolling to Embla at the same position. */
function replaceNativeScroll(
  viewport: HTMLElement,
  { visible, scrolled }: CarouselLayout,
  jumpTo: (page: number) => void,
) {
  const start = countScrolled(viewport, visible);
  viewport.dataset.embla = "true";
  viewport.scrollLeft = 0;
  jumpTo(Math.floor(start / scrolled));
}
