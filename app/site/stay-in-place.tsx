import { useLocation, useRevalidator } from "@remix-run/react";
import { useRef, type ReactNode } from "react";

import { useBrowserLayoutEffect } from "#app/ui/hydration.ts";

/**
 * Undoes the scrolling of `ScrollRestoration` while the location stays the same. After a revalidation, React Router scrolls
 * to where the page was when the revalidation began. But the user may have read on, and a page from WebKit's page cache is
 * at the top until the browser restores its position.
 */
export function StayInPlace({ children }: { children: ReactNode }) {
  const { key } = useLocation();
  const shownKey = useRef<string>();
  const y = useRef(0);
  // Renders this component whenever the router's state changes.
  useRevalidator();
  return (
    <>
      <LayoutEffect run={() => void (y.current = scrollY)} />
      {children}
      <LayoutEffect
        run={() => {
          if (shownKey.current === key && scrollY !== y.current)
            scrollTo({ top: y.current, behavior: "instant" });
          shownKey.current = key;
        }}
      />
    </>
  );
}

/** A layout effect, which runs after those of the siblings before it. */
function LayoutEffect({ run }: { run: () => void }) {
  useBrowserLayoutEffect(run);
  return null;
}
