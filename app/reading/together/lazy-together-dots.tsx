import { useEffect, useState, type ComponentType } from "react";

import type { TogetherDotsProps } from "./together-dots.client.tsx";

/** Loads `TogetherDots`. Render it only for users who want to be seen. */
export function LazyTogetherDots(props: TogetherDotsProps) {
  const [Dots, setDots] = useState<ComponentType<TogetherDotsProps> | null>(null);

  useEffect(() => {
    // If loading fails, the next page tries again.
    import("./together-dots.client.tsx").then(
      ({ TogetherDots }) => setDots(() => TogetherDots),
      () => undefined,
    );
  }, []);

  return Dots && <Dots {...props} />;
}
