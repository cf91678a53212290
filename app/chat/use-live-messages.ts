import { useEffect, useState } from "react";

import type { FirebaseConfig } from "#app/firebase/config.ts";
import type { Message } from "./message.ts";

export interface LiveMessages {
  /** `server` is what the page came with, `live` follows the database, `failed` did until it broke. */
  status: "server" | "live" | "failed";
  messages: Message[];
}

const NONE: Message[] = [];

/**
 * Follows the room once `isOpen`, starting from what the server rendered. The Firebase SDK is not
 * fetched before. Where that breaks, the server's list is shown again, as new as the page has it.
 */
export function useLiveMessages(
  firebase: FirebaseConfig,
  initial: Message[] | null,
  isOpen: boolean,
): LiveMessages {
  const [live, setLive] = useState<Message[] | null>(null);
  const [hasFailed, setHasFailed] = useState(false);

  useEffect(() => {
    if (!isOpen) return;
    let isStopped = false;
    let stop = () => {};

    function fail() {
      if (!isStopped) setHasFailed(true);
    }

    async function start() {
      const { listenToMessages } = await import("./messages.client.ts");
      if (isStopped) return;
      stop = listenToMessages(firebase, setLive, fail);
    }

    start().catch(fail);
    return () => {
      isStopped = true;
      stop();
    };
  }, [firebase, isOpen]);

  const rendered = initial ?? NONE;
  if (hasFailed) return { status: "failed", messages: newest(live, rendered) };
  return live ? { status: "live", messages: live } : { status: "server", messages: rendered };
}

/** Returns whichever list reaches further. */
function newest(live: Message[] | null, rendered: Message[]): Message[] {
  const reach = (messages: Message[]) => messages.at(-1)?.createdAt ?? 0;
  return live && reach(live) >= reach(rendered) ? live : rendered;
}
