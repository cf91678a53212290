import { useCallback, useEffect, useRef, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import { mergeEarlier, mergeNewest } from "./feed-messages.ts";
import { fetchEarlier } from "./fetch-earlier.ts";
import type { MessagePage, RoomData } from "./message.ts";
import type { LivePage } from "./messages.client.ts";
import { subscribeWithRetry } from "./subscribe-with-retry.ts";

/** A shorter interruption is not shown. */
const LOST_AFTER_MS = 5000;

export interface Feed extends MessagePage {
  /** `server`: as the page was loaded. `live`: as the database reports. `lost`: the connection is lost. */
  status: "server" | "live" | "lost";
  /** Whether new messages have not been arriving for a while. */
  isLost: boolean;
  earlier: "idle" | "loading" | "failed";
  loadEarlier: () => Promise<void>;
  /** Keeps the messages that are no longer among the newest while the user reads above them. */
  setReadingAbove: (isReadingAbove: boolean) => void;
}

const EMPTY: MessagePage = { messages: [], before: null };

/**
 * Subscribes to the room's messages while `isOpen`, starting with those of the loader. The Firebase SDK is not fetched
 * before. Without a connection it tries again, and shows the more recent messages of the database and the loader. An
 * earlier page of messages is not live.
 */
export function useFeed(firebase: FirebaseConfig, room: RoomData, isOpen: boolean): Feed {
  const { feed: loaded, isEarlier } = room;
  const [source, setSource] = useState({ loaded, isEarlier });
  const [page, setPage] = useState(() => toPage(loaded));
  const [status, setStatus] = useState<Feed["status"]>("server");
  const [earlier, setEarlier] = useState<Feed["earlier"]>("idle");
  const isReadingAbove = useRef(false);
  const hasEarlier = useRef(false);
  const isKept = () => isReadingAbove.current || hasEarlier.current;
  const isLive = isOpen && !isEarlier;

  if (source.loaded !== loaded) {
    setSource({ loaded, isEarlier });
    if (source.isEarlier || isEarlier) setPage(toPage(loaded));
    else if (status !== "live" && loaded.status === "loaded") {
      setPage((shown) =>
        getLastTime(loaded) >= getLastTime(shown)
          ? mergeNewest(shown, toPage(loaded), isKept())
          : shown,
      );
    }
  }

  useEffect(() => {
    hasEarlier.current = false;
  }, [isEarlier]);

  useEffect(() => {
    if (!isLive) return undefined;

    function onValue({ isConfirmed, ...newest }: LivePage) {
      setPage((shown) => mergeNewest(shown, newest, isKept()));
      setStatus(isConfirmed ? "live" : "lost");
    }

    const unsubscribe = subscribeWithRetry<LivePage>(
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
  }, [firebase, isLive]);

  const { before } = page;
  const loadEarlier = useCallback(async () => {
    if (before === null) return;
    setEarlier("loading");
    const answer = await fetchEarlier(before);
    if (answer) {
      hasEarlier.current = true;
      setPage((shown) => (shown.before === before ? mergeEarlier(shown, answer) : shown));
    }
    setEarlier(answer ? "idle" : "failed");
  }, [before]);

  const setReadingAbove = useCallback((isAbove: boolean) => {
    isReadingAbove.current = isAbove;
  }, []);

  return {
    ...page,
    status,
    isLost: useIsLost(isLive && status !== "live"),
    earlier,
    loadEarlier,
    setReadingAbove,
  };
}

function toPage(loaded: RoomData["feed"]): MessagePage {
  if (loaded.status !== "loaded") return EMPTY;
  const { messages, before } = loaded;
  return { messages, before };
}

function getLastTime({ messages }: MessagePage): number {
  return messages.at(-1)?.createdAt ?? 0;
}

/** Returns whether new messages have not been arriving for five seconds. */
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
