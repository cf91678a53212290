import { useEffect, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Message, RoomData } from "./message.ts";

interface Feed {
  /** `server`: as the page was loaded. `live`: as the database reports. `failed`: the subscription has ended. */
  status: "server" | "live" | "failed";
  messages: Message[];
}

const NONE: Message[] = [];

/**
 * Subscribes to the room's messages while `isOpen`, starting with those of the loader. The Firebase SDK is not fetched
 * before. If the subscription fails, the more recent list is shown.
 */
export function useFeed(firebase: FirebaseConfig, loaded: RoomData["feed"], isOpen: boolean): Feed {
  const [live, setLive] = useState<Message[] | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    let isStopped = false;
    let unsubscribe = () => {};

    function fail() {
      if (!isStopped) setHasFailed(true);
    }

    async function start() {
      const { subscribeToMessages } = await import("./messages.client.ts");
      if (isStopped) return;
      unsubscribe = subscribeToMessages(firebase, setLive, fail);
    }

    start().catch(fail);
    return () => {
      isStopped = true;
      unsubscribe();
    };
  }, [firebase, isOpen]);

  const initial = loaded.status === "loaded" ? loaded.messages : NONE;
  if (hasFailed) return { status: "failed", messages: getNewer(live, initial) };
  return live ? { status: "live", messages: live } : { status: "server", messages: initial };
}

/** Returns the list that ends with the more recent message. */
function getNewer(live: Message[] | null, loaded: Message[]): Message[] {
  const lastTime = (messages: Message[]) => messages.at(-1)?.createdAt ?? 0;
  return live && lastTime(live) >= lastTime(loaded) ? live : loaded;
}
