import { useEffect, useState } from "react";

import { choosePage, findPage, removePage, type KeptPage } from "./kept-pages.ts";

/**
 * Lets the user keep a page until they remove it.
 *
 * @param path as in `location.pathname`
 */
export function useKeptPage(path: string) {
  const [page, setPage] = useState<KeptPage | null>(null);
  const [isSupported, setIsSupported] = useState(false);
  const [status, setStatus] = useState<"idle" | "working" | "failed">("idle");

  useEffect(() => {
    let isMounted = true;
    void findReady(path).then((found) => {
      if (!isMounted || found === undefined) return;
      setIsSupported(true);
      setPage(found);
    });
    return () => {
      isMounted = false;
    };
  }, [path]);

  async function run(task: () => Promise<boolean>) {
    setStatus("working");
    const isDone = await task().catch(() => false);
    setPage((await findPage(path).catch(() => undefined)) ?? null);
    setStatus(isDone ? "idle" : "failed");
  }

  return {
    /** Whether this browser can keep pages. */
    isSupported,
    /** What is kept; `null` for nothing. */
    page,
    status,
    keep: () =>
      run(async () => {
        const { keepNow } = await import("./keep.client.ts");
        await keepNow(path);
        const isKept = await choosePage(path);
        // Otherwise the browser may delete it when storage runs out. Firefox asks the user first.
        void navigator.storage.persist().catch(() => false);
        return isKept;
      }),
    remove: () => run(() => removePage(path).then(() => true)),
  };
}

/** Returns what is kept once the service worker runs; `undefined` if there is none. */
async function findReady(path: string): Promise<KeptPage | null | undefined> {
  try {
    await navigator.serviceWorker.ready;
    return (await findPage(path)) ?? null;
  } catch {
    return undefined;
  }
}
