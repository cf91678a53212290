import { useEffect, useState, type RefObject } from "react";

/** What the style sheet says about a row: items to a page, items to a step, and the side it begins at. */
export interface CarouselLayout {
  visible: number;
  scrolled: number;
  direction: "ltr" | "rtl";
}

/** Returns what the style sheet says about the row; nothing on the server and until scripts run. */
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

/** Returns by how many items a row was scrolled by hand. */
export function countScrolled({ scrollLeft, clientWidth }: HTMLElement, visible: number): number {
  return Math.round((Math.abs(scrollLeft) / clientWidth) * visible);
}
