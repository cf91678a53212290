import { useEffect } from "react";

/** In pixels: shorter scrolls are ignored. */
const MIN_DISTANCE = 8;

/** Sets `data-reading-on` on the root while the user scrolls down, so that small windows hide the site header. */
export function useHidingBar(): void {
  useEffect(() => {
    const root = document.documentElement;
    let last = scrollY;
    function onScroll() {
      const distance = scrollY - last;
      if (Math.abs(distance) < MIN_DISTANCE) return;
      last = scrollY;
      root.toggleAttribute("data-reading-on", distance > 0 && scrollY > innerHeight / 2);
    }
    addEventListener("scroll", onScroll, { passive: true });
    return () => {
      removeEventListener("scroll", onScroll);
      root.removeAttribute("data-reading-on");
    };
  }, []);
}
