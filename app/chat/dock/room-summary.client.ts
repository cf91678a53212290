import type { AnswersSummary } from "#app/chat/answers/answer.ts";
import type { RoomSummary } from "#app/chat/room-summary.ts";
import { fetchJson, postForm } from "#app/http/fetch-json.ts";

/** The time between two requests of a page that waits for a message, or may notify. */
const WAITING_INTERVAL_MS = 10_000;

/** The time between two requests of any other visible page. */
const INTERVAL_MS = 120_000;

/** The delay after the arrival of a message. The server may reuse what it read shortly before. */
const ARRIVAL_DELAY_MS = 5000;

/** Until then the room's newest page has an answer. */
const MAX_NEW_MS = 10 * 60_000;

export interface SummaryOptions {
  /** Called with `null` when the server can't be reached. Returns whether the page waits for a message. */
  onSummary: (summary: RoomSummary | null) => boolean;
  /** Called when the notification of an answer is clicked, with its address and the number of other unread answers. */
  onOpen: (path: string, unread: number) => void;
  /** The user who reads the answers. */
  uid: string | undefined;
}

/** Sets the time of the next request, for the page that is subscribed. */
let reschedule: (() => void) | undefined;

/** Whether a message that may be an answer has arrived since the last request. */
let hasArrived = false;

/** Call it when the open room receives a message that may be an answer to the user. */
export function refreshSummary(): void {
  hasArrived = true;
  reschedule?.();
}

/**
 * Asks the server for the room's summary while the page is visible, and returns the function that stops it. A hidden page
 * asks too if the user wants notifications.
 */
export function subscribeToSummary({ onSummary, ...options }: SummaryOptions): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  let askedAt = -Infinity;
  let isWaiting = false;
  /** The time of the newest answer that the page knows. */
  let knownUntil: number | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function ask() {
    askedAt = Date.now();
    hasArrived = false;
    const summary = await fetchSummary(signal);
    if (signal.aborted) return;
    isWaiting = onSummary(summary);
    if (summary?.answers !== undefined) {
      const { answers } = summary;
      const at = answers?.newest.at ?? 0;
      // When the newest is read or deleted, an older one takes its place.
      if (answers && knownUntil !== undefined && at > knownUntil) notify(answers, options);
      knownUntil = Math.max(knownUntil ?? 0, at);
    }
    schedule();
  }

  function schedule() {
    clearTimeout(timer);
    const isHidden = document.visibilityState !== "visible";
    if (isHidden && !mayNotify()) return;
    const isSoon = isHidden || isWaiting || hasArrived;
    const ms = askedAt + (isSoon ? WAITING_INTERVAL_MS : INTERVAL_MS) - Date.now();
    timer = setTimeout(() => void ask(), Math.max(hasArrived ? ARRIVAL_DELAY_MS : 0, ms));
  }

  reschedule = schedule;
  schedule();
  document.addEventListener("visibilitychange", schedule, { signal });
  return () => {
    clearTimeout(timer);
    controller.abort();
    if (reschedule === schedule) reschedule = undefined;
  };
}

/** Whether the user has pressed "Tell me" on the profile, and has allowed notifications. */
function mayNotify(): boolean {
  return "Notification" in window && Notification.permission === "granted";
}

/** Notifies of an answer while the page is hidden. Several pages with the same answer show one notification. */
function notify(
  { count, newest: { key, text, path, laterPath } }: AnswersSummary,
  { uid = "", onOpen }: Pick<SummaryOptions, "uid" | "onOpen">,
) {
  if (document.visibilityState === "visible" || !mayNotify()) return;
  try {
    // oxlint-disable-next-line baseline-js/use-baseline -- `mayNotify` has checked that the browser has it
    const notification = new Notification(text, { tag: key });
    const shownAt = Date.now();
    notification.addEventListener("click", () => {
      notification.close();
      window.focus();
      onOpen(Date.now() - shownAt > MAX_NEW_MS ? laterPath : path, count - 1);
      // If this fails, the answer is still new when the page is next loaded.
      void postForm("/rooms/general/answers", { uid, answer: key });
    });
  } catch {
    // Chrome on Android shows notifications only for service workers.
  }
}

function fetchSummary(signal: AbortSignal): Promise<RoomSummary | null> {
  const toSummary = (summary: object) => (isSummary(summary) ? summary : null);
  return fetchJson("/rooms/general/summary", toSummary, signal);
}

function isSummary(summary: object): summary is RoomSummary {
  return "here" in summary;
}
