import { useEffect, useState } from "react";

/** After this time the user may think that nothing is happening. */
const SLOW_AFTER_MS = 5000;

/** Shows that a slow submit is still running. */
export function StillTrying({ isPending }: { isPending: boolean }) {
  const [isSlow, setIsSlow] = useState(false);

  useEffect(() => {
    if (!isPending) return undefined;
    const timer = setTimeout(() => setIsSlow(true), SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsSlow(false);
    };
  }, [isPending]);

  return <output>{isSlow ? "Still trying…" : null}</output>;
}
