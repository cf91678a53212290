import { useCallback, useEffect, useState, type ComponentType } from "react";

/**
 * Loads a component once it is wanted, and again when the browser is back online.
 *
 * @param load must be stable
 */
export function useLoaded<Props>(isWanted: boolean, load: () => Promise<ComponentType<Props>>) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const [hasFailed, setHasFailed] = useState(false);
  const isMissing = isWanted && !Loaded;

  const start = useCallback(() => {
    load().then(
      (component) => {
        setLoaded(() => component);
        setHasFailed(false);
      },
      () => setHasFailed(true),
    );
  }, [load]);

  useEffect(() => {
    if (!isMissing) return undefined;
    start();
    addEventListener("online", start);
    return () => removeEventListener("online", start);
  }, [isMissing, start]);

  function retry() {
    setHasFailed(false);
    start();
  }

  return { Loaded, hasFailed: isWanted && hasFailed, retry };
}
