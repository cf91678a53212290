import { flushSync } from "react-dom";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchJson } from "#app/http/fetch-json.ts";
import { getPositionsPath, type ReadingPosition } from "#app/stories/positions/position.ts";
import { notifyScriptScroll } from "./positions/scroll-events.ts";
import type { ReadingData } from "./reading-data.ts";

/** After being hidden for this long, the page looks for changes that were made on other pages and devices. */
const MIN_HIDDEN_MS = 30_000;

export interface WatchRemoteChangesOptions {
  story: Pick<ReadingData, "id" | "updatedAt">;
  /** `undefined` for visitors, who have no other device. */
  uid: string | undefined;
  firebase: FirebaseConfig;
  /** Whether a position saved at that time is from elsewhere, and newer than this page's own. */
  isNew: (time: unknown) => boolean;
  onPosition: (position: ReadingPosition) => void;
  /** Called when the story has changed. */
  onUpdate: () => void;
  signal: AbortSignal;
}

/**
 * Watches the position in the user's account, and counts the user as a reader who has the story open. Looks for a new
 * version of the story when the user returns to the page.
 */
export function watchRemoteChanges(options: WatchRemoteChangesOptions): void {
  const { story, uid, firebase, isNew, onPosition, onUpdate, signal } = options;

  async function findPosition() {
    const position = await fetchPosition(story.id);
    if (signal.aborted || !position || !isNew(position.time)) return;
    // This page may show an older version of the text without that paragraph.
    if (document.getElementById(position.paragraph)) onPosition(position);
  }

  async function findUpdate() {
    const updatedAt = await fetchUpdateTime(story.id);
    if (!signal.aborted && updatedAt !== null && updatedAt !== story.updatedAt) onUpdate();
  }

  async function subscribe(user: string) {
    const { subscribeToUserDocument } = await import("#app/session/user-connection.client.ts");
    const path = `${getPositionsPath(user)}/${story.id}`;
    const onData = ({ time }: { time?: unknown }) => void (isNew(time) && findPosition());
    subscribeToUserDocument(firebase, { uid: user, path }, onData, signal);
  }

  async function count(user: string) {
    const { countReader } = await import("./counted-reader.client.ts");
    await countReader(firebase, { uid: user, story: story.id }, signal);
  }

  if (uid !== undefined) {
    void subscribe(uid).catch(() => undefined);
    void count(uid).catch(() => undefined);
  }
  onReturn(() => {
    if (uid !== undefined) void findPosition();
    if (story.updatedAt !== null) void findUpdate();
  }, signal);
}

function onReturn(callback: () => void, signal: AbortSignal): void {
  let hiddenAt = document.visibilityState === "hidden" ? Date.now() : Infinity;
  function onChange() {
    if (document.visibilityState === "hidden") hiddenAt = Date.now();
    else if (Date.now() - hiddenAt > MIN_HIDDEN_MS) callback();
  }
  document.addEventListener("visibilitychange", onChange, { signal });
}

/** Returns the position in the user's account; `null` if there is none or it cannot be read now. */
function fetchPosition(story: string): Promise<ReadingPosition | null> {
  return fetchJson(
    `/reading-positions?story=${encodeURIComponent(story)}`,
    (json) => ("position" in json ? (json.position as ReadingPosition | null) : null), // from our own server
  );
}

/** Returns when the story was last changed; `null` if it cannot be read now. */
function fetchUpdateTime(story: string): Promise<number | null> {
  return fetchJson(`/story-status?story=${encodeURIComponent(story)}`, (json) =>
    "updatedAt" in json && typeof json.updatedAt === "number" ? json.updatedAt : null,
  );
}

const PARAGRAPH = '[id^="p-"]';

/** How long the user has to pause before the text is replaced. */
const PAUSE_MS = 300;

interface TextUpdateOptions {
  /** The element around the text. */
  root: HTMLElement;
  /** The new version of the text. */
  html: string;
  /** Renders the new version. */
  replace: () => void;
  /** Called while the new version has to wait, because it would change what the user sees. */
  onWait: () => void;
  signal: AbortSignal;
}

/**
 * Replaces a text with a new version once the user would not notice the difference. The first visible line stays where
 * it is.
 *
 * @returns a function that replaces the text at once
 */
export function updateText({ root, html, replace, onWait, signal }: TextUpdateOptions) {
  const ids = findIds(html);
  let timer: ReturnType<typeof setTimeout> | undefined;

  function show() {
    clearTimeout(timer);
    if (signal.aborted) return;
    const restoreView = anchorView(root, ids);
    flushSync(replace);
    restoreView();
  }

  function check() {
    if (isViewUnchanged(root, ids)) show();
    else onWait();
  }

  function onScroll() {
    clearTimeout(timer);
    timer = setTimeout(check, PAUSE_MS);
  }
  addEventListener("scroll", onScroll, { signal, passive: true });
  signal.addEventListener("abort", () => clearTimeout(timer));
  check();
  return show;
}

/** Returns the ids of the paragraphs, which are hashes of their words. */
function findIds(html: string): string[] {
  const text = new DOMParser().parseFromString(html, "text/html");
  return [...text.querySelectorAll(PARAGRAPH)].map(({ id }) => id);
}

/** Whether the paragraphs in view are the same in the new version, and no words of the text are selected. */
function isViewUnchanged(root: HTMLElement, ids: readonly string[]): boolean {
  const selection = getSelection();
  if (selection?.isCollapsed === false && root.contains(selection.anchorNode)) return false;
  const inView = findInView(root);
  const from = ids.indexOf(inView[0]?.id ?? "");
  return inView.every(({ id }, at) => ids[from + at] === id);
}

function findInView(root: HTMLElement): HTMLElement[] {
  return [...root.querySelectorAll<HTMLElement>(PARAGRAPH)].filter((paragraph) => {
    const { top, bottom } = paragraph.getBoundingClientRect();
    return bottom > 0 && top < innerHeight;
  });
}

/** Returns a function that scrolls so that the first line in view is where it was, and restores the focus. */
function anchorView(root: HTMLElement, ids: readonly string[]): () => void {
  const focused = root.contains(document.activeElement) ? document.activeElement?.id : undefined;
  const before = root.getBoundingClientRect();
  const anchor = findAnchor(root, ids);
  const top = anchor?.getBoundingClientRect().top;
  return () => {
    const moved = anchor && document.getElementById(anchor.id)?.getBoundingClientRect().top;
    const after = root.getBoundingClientRect();
    // If the view is below the text, the end of the text stays in place.
    const shift =
      moved !== undefined && moved !== null && top !== undefined
        ? moved - top
        : before.bottom <= 0
          ? after.bottom - before.bottom
          : 0;
    if (shift !== 0) scrollBy({ top: shift, behavior: "instant" });
    notifyScriptScroll();
    const target = focused ? document.getElementById(focused) : null;
    if (!target) return;
    target.tabIndex = -1;
    target.focus({ preventScroll: true });
  };
}

/** Returns the first paragraph in view that the new version still has, otherwise the last one before it. */
function findAnchor(root: HTMLElement, ids: readonly string[]): HTMLElement | undefined {
  const inView = findInView(root);
  const [first] = inView;
  const isKept = ({ id }: HTMLElement) => ids.includes(id);
  const kept = inView.find(isKept);
  if (kept || !first) return kept;
  const all = [...root.querySelectorAll<HTMLElement>(PARAGRAPH)];
  return all.slice(0, all.indexOf(first)).findLast(isKept);
}
