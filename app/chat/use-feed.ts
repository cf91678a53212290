import { useCallback, useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { fetchJson } from "#app/http/fetch-json.ts";
import { isBefore, readMessage, type MessagePage, type RoomData } from "./message.ts";
import type { LiveMessagePage } from "./messages.client.ts";
import { isAbout } from "./quotes/quote.ts";
import { readTopic, type RoomSubject } from "./quotes/topic.ts";
import {
  BEFORE_PARAM,
  PASSAGE_PARAM,
  STORY_PARAM,
  TALK_PARAM,
  TALK_STORY,
} from "./room-address.ts";

/** The delays between attempts to subscribe. */
const FIRST_DELAY_MS = 1000;
const MAX_DELAY_MS = 60_000;

/** A shorter interruption is not shown. */
const LOST_AFTER_MS = 5000;

export interface FeedState extends MessagePage {
  /** `server`: as the page was loaded. `live`: as the database reports. `lost`: the connection is lost. */
  status: "server" | "live" | "lost";
  /** Whether there has been no connection for a while, so that no new messages arrive. */
  isLost: boolean;
  /** The messages that have been deleted since the page was loaded. */
  deletedIds: ReadonlySet<string>;
  earlier: "idle" | "loading" | "failed";
  loadEarlier: () => Promise<void>;
  /** Sets whether the user has scrolled up. If so, messages that are no longer among the newest 50 stay. */
  setReadingAbove: (isReadingAbove: boolean) => void;
}

/** The messages that the loader has returned last, and those that are shown. */
interface ShownFeed {
  loaded: RoomData["feed"];
  isEarlier: boolean;
  subject: RoomSubject | null;
  page: MessagePage;
  /** Until when the room is known, in milliseconds since the Unix epoch. */
  knownUntil: number;
  /** Whether messages before those of the page have to be loaded, because others may be missing in between. */
  hasGap: boolean;
}

const EMPTY_PAGE: MessagePage = { messages: [], before: null };

/**
 * Subscribes to the room's messages while `isOpen`, starting with those of the loader. Fetches the Firebase SDK only then.
 * Retries without a connection, and shows the messages of the database or of the loader, whichever are newer. An earlier
 * page of messages is not live.
 */
export function useFeed(firebase: FirebaseConfig, room: RoomData, isOpen: boolean): FeedState {
  const { feed: loaded, isEarlier, subject } = room;
  const [shown, setShown] = useState<ShownFeed>(() => ({
    loaded,
    isEarlier,
    subject,
    page: toPage(loaded),
    knownUntil: getKnownUntil(room),
    hasGap: false,
  }));
  const [status, setStatus] = useState<FeedState["status"]>("server");
  const [earlier, setEarlier] = useState<FeedState["earlier"]>("idle");
  const [deletedIds, setDeletedIds] = useState<ReadonlySet<string>>(new Set());
  const lastConfirmed = useRef<MessagePage>(EMPTY_PAGE);
  const isReadingAbove = useRef(false);
  const hasEarlier = useRef(false);
  const isKept = () => isReadingAbove.current || hasEarlier.current;
  const isLive = isOpen && !isEarlier;
  const quote = subject?.quote;

  if (shown.loaded !== loaded) {
    setShown(({ page, ...last }) => {
      const view = { ...last, loaded, isEarlier, subject };
      const isOther = last.subject?.quote !== subject?.quote;
      if (last.isEarlier || isEarlier || isOther)
        return { ...view, page: toPage(loaded), knownUntil: getKnownUntil(room), hasGap: false };
      const isNewer =
        status !== "live" && loaded.status === "loaded" && getLastTime(loaded) >= getLastTime(page);
      const merged = isNewer ? mergeNewest(page, toPage(loaded), isKept()) : page;
      return { ...view, page: merged };
    });
  }

  useEffect(() => {
    hasEarlier.current = false;
  }, [isEarlier]);

  useEffect(() => {
    if (!isLive) return undefined;

    function onValue({ isConfirmed, ...newest }: LiveMessagePage) {
      setShown((last) => showNewest(last, newest, isKept()));
      if (isConfirmed) {
        const deleted = findDeleted(lastConfirmed.current, newest);
        lastConfirmed.current = newest;
        if (deleted.length > 0) setDeletedIds((ids) => new Set([...ids, ...deleted]));
      }
      setStatus(isConfirmed ? "live" : "lost");
    }

    const unsubscribe = subscribeWithRetry<LiveMessagePage>(
      async (listener) => {
        const { subscribeToMessages } = await import("./messages.client.ts");
        return subscribeToMessages(firebase, listener);
      },
      { onValue, onError: () => setStatus("lost") },
    );
    return () => {
      unsubscribe();
      setStatus("server");
    };
    // Another view starts with what its loader has returned, so the database has to report again.
  }, [firebase, isLive, quote]);

  const { page, hasGap } = shown;
  const { before } = page;
  const { story, paragraph } = subject ?? {};
  const addEarlier = useCallback((before: string, earlierPage: MessagePage | null) => {
    if (earlierPage) {
      hasEarlier.current = true;
      setShown((last) =>
        last.page.before === before
          ? { ...last, page: mergeEarlier(last.page, earlierPage), hasGap: false }
          : last,
      );
    }
    setEarlier(earlierPage ? "idle" : "failed");
  }, []);

  const loadEarlier = useCallback(async () => {
    if (before === null) return;
    setEarlier("loading");
    addEarlier(before, await fetchEarlier(before, story, paragraph));
  }, [before, story, paragraph, addEarlier]);

  useEffect(() => {
    if (!hasGap || before === null) return;
    void fetchEarlier(before, story, paragraph).then((page) => addEarlier(before, page));
  }, [hasGap, before, story, paragraph, addEarlier]);

  const setReadingAbove = useCallback((isAbove: boolean) => {
    isReadingAbove.current = isAbove;
  }, []);

  return {
    ...page,
    status,
    isLost: useIsLost(isLive && status !== "live"),
    deletedIds,
    earlier,
    loadEarlier,
    setReadingAbove,
  };
}

/**
 * Returns the feed to show once the database reports its newest messages. It may do so after the user has gone to an
 * earlier page, before the subscription ends.
 */
export function showNewest(shown: ShownFeed, newest: MessagePage, isKept: boolean): ShownFeed {
  const { isEarlier, subject, page } = shown;
  if (isEarlier) return shown;
  const knownUntil = Math.max(shown.knownUntil, getLastTime(newest));
  if (!subject) return { ...shown, knownUntil, page: mergeNewest(page, newest, isKept) };
  const hasGap = newest.before !== null && getFirstTime(newest) > shown.knownUntil;
  // Without those of before, the page before the newest 50 can be loaded next.
  const known = hasGap ? { messages: [], before: newest.before } : page;
  return {
    ...shown,
    knownUntil,
    hasGap: hasGap || shown.hasGap,
    page: mergeAbout(subject, known, newest),
  };
}

/** Returns the ids of messages that have been deleted, without those that are merely older than the newest 50. */
export function findDeleted(before: MessagePage, newest: MessagePage): string[] {
  const [first] = newest.messages;
  const ids = new Set(newest.messages.map(({ id }) => id));
  return before.messages
    .filter((message) => newest.before === null || (first && isBefore(first, message)))
    .flatMap(({ id }) => (ids.has(id) ? [] : id));
}

function toPage(loaded: RoomData["feed"]): MessagePage {
  if (loaded.status !== "loaded") return EMPTY_PAGE;
  const { messages, before } = loaded;
  return { messages, before };
}

function getKnownUntil({ feed, now }: RoomData): number {
  return feed.status === "loaded" ? now : 0;
}

function getFirstTime({ messages }: MessagePage): number {
  return messages[0]?.createdAt ?? 0;
}

function getLastTime({ messages }: MessagePage): number {
  return messages.at(-1)?.createdAt ?? 0;
}

/** Returns whether there has been no connection for five seconds. */
function useIsLost(isWaiting: boolean): boolean {
  const [isLost, setIsLost] = useState(false);
  useEffect(() => {
    if (!isWaiting) return undefined;
    const timer = setTimeout(() => setIsLost(true), LOST_AFTER_MS);
    return () => {
      clearTimeout(timer);
      setIsLost(false);
    };
  }, [isWaiting]);
  return isLost;
}

/**
 * Returns the messages to show once a newer page is loaded. With `isKept`, messages that are no longer among the newest
 * 50 stay.
 */
export function mergeNewest(shown: MessagePage, newest: MessagePage, isKept: boolean): MessagePage {
  const [first] = newest.messages;
  if (!isKept || !first || newest.before === null) return newest;
  const ids = new Set(newest.messages.map(({ id }) => id));
  // After a long time without a connection, other messages may be missing in between.
  const isAdjacent = shown.messages.some(({ id }) => ids.has(id));
  if (!isAdjacent) return newest;
  const earlier = shown.messages.filter((message) => isBefore(message, first));
  if (earlier.length === 0) return newest;
  return { messages: [...earlier, ...newest.messages], before: shown.before };
}

/** Returns the messages about a subject once a newer page is loaded: those of the page, and those before it. */
function mergeAbout(subject: RoomSubject, shown: MessagePage, newest: MessagePage): MessagePage {
  const [first] = newest.messages;
  const earlier =
    first && newest.before !== null
      ? shown.messages.filter((message) => isBefore(message, first))
      : [];
  const about = newest.messages.filter(({ text }) => isAbout(text, subject));
  return { messages: [...earlier, ...about], before: shown.before };
}

/** Returns the messages to show once the page before them is loaded. */
export function mergeEarlier(shown: MessagePage, earlier: MessagePage): MessagePage {
  const [first] = shown.messages;
  const added = first
    ? earlier.messages.filter((message) => isBefore(message, first))
    : earlier.messages;
  return { messages: [...added, ...shown.messages], before: earlier.before };
}

/**
 * Fetches the page of messages before a cursor, about a story, a passage, or all. Returns `null` if the room can't be
 * reached.
 */
function fetchEarlier(
  before: string,
  story: string | undefined,
  paragraph: string | null | undefined,
): Promise<MessagePage | null> {
  const query = new URLSearchParams({
    [BEFORE_PARAM]: before,
    ...(story !== undefined && { [STORY_PARAM]: story, [TALK_PARAM]: TALK_STORY }),
    ...(paragraph && { [PASSAGE_PARAM]: paragraph }),
  });
  return fetchJson(`/rooms/general/messages?${query}`, readPage);
}

export function readPage(page: object): MessagePage | null {
  if (!("messages" in page) || !Array.isArray(page.messages) || !("before" in page)) return null;
  const { before } = page;
  if (typeof before !== "string" && before !== null) return null;
  const messages = page.messages.flatMap((message: Record<string, unknown>) => {
    const { id, createdAt, isEdited, topic } = message;
    if (typeof id !== "string" || typeof createdAt !== "number") return [];
    const read = readMessage(id, message, createdAt);
    if (!read) return [];
    const isTopic = typeof topic === "object" && topic !== null;
    return {
      ...read,
      ...(isEdited === true && { isEdited }),
      ...(isTopic && { topic: readTopic({ ...topic }) }),
    };
  });
  return { messages, before };
}

interface Listener<Value> {
  onValue: (value: Value) => void;
  onError: () => void;
}

/** Starts a subscription, and resolves with the function that ends it. */
type Subscribe<Value> = (listener: Listener<Value>) => Promise<() => void>;

/**
 * Subscribes, and subscribes again after each error: with growing delays, or at once when the browser is back online.
 * Returns the function that unsubscribes.
 *
 * @param onError called after each error
 */
export function subscribeWithRetry<Value>(
  subscribe: Subscribe<Value>,
  { onValue, onError }: Listener<Value>,
): () => void {
  let failures = 0;
  let endCurrent = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;

  function start() {
    clearTimeout(timer);
    timer = undefined;
    let hasEnded = false;
    let unsubscribe = () => {};

    function end() {
      hasEnded = true;
      unsubscribe();
    }

    function fail() {
      if (hasEnded) return;
      end();
      // Many browsers lose the connection at the same time, and should not all reconnect at the same time.
      const delayMs = Math.min(FIRST_DELAY_MS * 2 ** failures, MAX_DELAY_MS);
      failures += 1;
      timer = setTimeout(start, delayMs * (0.75 + Math.random() / 2));
      onError();
    }

    function receive(value: Value) {
      if (hasEnded) return;
      failures = 0;
      onValue(value);
    }

    endCurrent = end;
    subscribe({ onValue: receive, onError: fail }).then((result) => {
      unsubscribe = result;
      if (hasEnded) unsubscribe();
    }, fail);
  }

  function startNow() {
    if (timer !== undefined) start();
  }

  window.addEventListener("online", startNow);
  start();
  return () => {
    window.removeEventListener("online", startNow);
    clearTimeout(timer);
    endCurrent();
  };
}
