import { useEffect, useState, type RefObject } from "react";

/** The layout that the style sheet sets: visible items, items per step, and the writing direction. */
export interface CarouselLayout {
  visible: number;
  scrolled: number;
  direction: "ltr" | "rtl";
}

/** Returns the layout that the style sheet sets; `undefined` on the server and during hydration. */
export function useCarouselLayout(viewport: RefObject<HTMLElement>): CarouselLayout | undefined {
  const [layout, setLayout] = useState<CarouselLayout>();

  useEffect(() => {
    function update() {
      if (!viewport.current) return;
      const style = getComputedStyle(viewport.current);
      const visible = Number(style.getPropertyValue("--visible")) || 1;
      const scrolled = Number(style.getPropertyValue("--scrolled")) || 1;
      const direction = style.direction === "rtl" ? "rtl" : "ltr";
      setLayout((last) =>
        last?.visible === visible && last.scrolled === scrolled && last.direction === direction
          ? last
          : { visible, scrolled, direction },
      );
    }
    update();
    window.addEventListener("resize", update);
    return () => window.removeEventListener("resize", update);
  }, [viewport]);

  return layout;
}

/** Returns how many items a natively scrolled carousel is past its start. */
export function countScrolled({ scrollLeft, clientWidth }: HTMLElement, visible: number): number {
  return Math.round((Math.abs(scrollLeft) / clientWidth) * visible);
}
