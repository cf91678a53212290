import { useEffect, useState } from "react";

/** After this long somebody may think that nothing happens. */
const SLOW_AFTER_MS = 5000;

/** Says of an attempt that takes long that it is still under way. */
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
