import { toSizeText } from "#app/site/kept/size-text.ts";
import { useKeptPage } from "#app/site/kept/use-kept-page.ts";

export interface KeepOfflineProps {
  /** The path of the story. */
  path: string;
}

/** Keeps a story in this browser until the user removes it. Shown only where a service worker runs. */
export function KeepOffline({ path }: KeepOfflineProps) {
  const { isSupported, page, status, keep, remove } = useKeptPage(path);
  if (!isSupported) return null;
  const isKept = page?.isChosen ?? false;
  const size = page ? toSizeText(page.bytes) : "";
  return (
    <li>
      <button
        type="button"
        aria-disabled={status === "working"}
        onClick={() => {
          if (status !== "working") void (isKept ? remove() : keep());
        }}
      >
        {isKept ? "Remove from this device" : "Keep offline"}
        {isKept ? null : <span>{size}</span>}
      </button>
      <output>
        {isKept ? `Kept offline · ${size}` : null}
        {status === "failed"
          ? "We couldn't keep this story. Check your connection and try again."
          : null}
      </output>
    </li>
  );
}
