import { useState } from "react";

import type { ReadingData } from "#app/reading/reading-data.ts";
import { toSizeText } from "#app/site/kept/kept-pages.ts";
import { useKeptPage } from "#app/site/kept/use-kept-page.ts";
import { toStoryPath } from "#app/stories/book.ts";
import { LibraryForm } from "#app/stories/library/library-form.tsx";

export interface MorePanelProps {
  story: Pick<ReadingData, "id" | "title" | "address" | "hiding">;
}

/** What can be done with a story besides reading it. */
export function MorePanel({ story }: MorePanelProps) {
  const path = toStoryPath(story.id);
  return (
    <div>
      <ul>
        {import.meta.env.SSR ? null : <KeepOffline path={path} />}
        <li>
          <Share title={story.title} address={story.address} />
        </li>
        <li>
          <a href={`${path}.epub`}>Download as EPUB</a>
        </li>
        <li>
          <a href={`${path}.md`}>Download as Markdown</a>
        </li>
        <li>
          <a href={`${path}.txt`}>Download as plain text</a>
        </li>
        {/* Without scripts, the browser's own menu prints the page. */}
        {import.meta.env.SSR ? null : (
          <li>
            <button type="button" onClick={() => print()}>
              Print
            </button>
          </li>
        )}
        <li>
          <HideStory id={story.id} isHidden={story.hiding?.kind === "story"} />
        </li>
      </ul>
    </div>
  );
}

/** Hides the story from lists, or shows it again. */
function HideStory({ id, isHidden }: { id: string; isHidden: boolean }) {
  const [wasHidden] = useState(isHidden);
  return (
    <LibraryForm action="/hidden" field={["story", id]} intents={["hide", "show"]} isOn={isHidden}>
      {(isOn, button) => (
        <>
          <output>{isOn ? "You've hidden this story. It isn't in your lists." : ""}</output>
          {/* Not `aria-pressed` too, because the name already says it. */}
          <button {...button} aria-pressed={undefined}>
            {isOn ? getUndoName(wasHidden) : "Hide this story"}
          </button>
        </>
      )}
    </LibraryForm>
  );
}

function getUndoName(wasHidden: boolean): string {
  return wasHidden ? "Show again" : "Undo";
}

interface KeepOfflineProps {
  /** The path of the story. */
  path: string;
}

/** Keeps a story in this browser until the user removes it. Shown only where a service worker runs. */
function KeepOffline({ path }: KeepOfflineProps) {
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

interface ShareProps {
  title: string;
  /** The absolute address of the story. */
  address: string;
}

/**
 * Shares a story with the browser's share sheet. Browsers without one copy the address, and pages without scripts show it as
 * a link.
 */
function Share({ title, address }: ShareProps) {
  const [message, setMessage] = useState("");
  if (import.meta.env.SSR) return <a href={address}>Link to this story: {address}</a>;

  async function share() {
    setMessage("");
    if ("share" in navigator && (await openShareSheet({ title, url: address }))) return;
    const isCopied = await copy(address);
    setMessage(isCopied ? "Link copied." : `We can't copy the link: ${address}`);
  }

  return (
    <>
      <button type="button" onClick={() => void share()}>
        Share
      </button>
      <output>{message}</output>
    </>
  );
}

/** Returns whether the share sheet was shown, also if the user has closed it. */
async function openShareSheet(shared: { title: string; url: string }): Promise<boolean> {
  try {
    await navigator.share(shared);
    return true;
  } catch (error) {
    return error instanceof DOMException && error.name === "AbortError";
  }
}

/** Returns whether the text was copied. Browsers allow it on secure pages only. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
