import { useEffect } from "react";

/** Smaller movements are a trembling finger. */
const LEAST = 8;

/** Tells the bar above that one reads on: on small windows it goes then, and comes back when one goes back. */
export function useHidingBar(): void {
  useEffect(() => {
    const root = document.documentElement;
    let last = scrollY;
    function follow() {
      const distance = scrollY - last;
      if (Math.abs(distance) < LEAST) return;
      last = scrollY;
      root.toggleAttribute("data-reading-on", distance > 0 && scrollY > innerHeight / 2);
    }
    addEventListener("scroll", follow, { passive: true });
    return () => {
      removeEventListener("scroll", follow);
      root.removeAttribute("data-reading-on");
    };
  }, []);
}
