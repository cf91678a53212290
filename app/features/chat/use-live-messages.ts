import { useEffect, useState } from "react";

import type { FirebaseConfig } from "#app/schemas/firebase-config.ts";
import type { Message } from "#app/schemas/message.ts";

export interface LiveMessages {
  /** `server` is what the page came with, `live` follows the database, `failed` did until it broke. */
  status: "server" | "live" | "failed";
  messages: Message[];
}

/**
 * Follows the room once `isOpen`, starting from what the server rendered. The Firebase SDK is not
 * fetched before.
 */
export function useLiveMessages(
  firebase: FirebaseConfig,
  initial: Message[],
  isOpen: boolean,
): LiveMessages {
  const [live, setLive] = useState<LiveMessages | null>(null);

  useEffect(() => {
    if (!isOpen) return;
    let isStopped = false;
    let stop = () => {};

    function fail() {
      if (isStopped) return;
      setLive((last) => last && { ...last, status: "failed" });
    }

    async function start() {
      const { listenToMessages } = await import("#app/firebase/messages.ts");
      if (isStopped) return;
      stop = listenToMessages(firebase, (messages) => setLive({ status: "live", messages }), fail);
    }

    start().catch(fail);
    return () => {
      isStopped = true;
      stop();
    };
  }, [firebase, isOpen]);

  return live ?? { status: "server", messages: initial };
}
